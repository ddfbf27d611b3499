import { expect, it } from "vitest";
import { brief } from "../support/brief.ts";
import {
  ask,
  askWithNewId,
  buttonsOn,
  changesSentTo,
  end,
  messagesAfter,
  openForm,
  openFormFromReply,
} from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** The day before the clocks in Berlin jump from 02:00 to 03:00. */
const startAt = Date.parse("2027-03-27T12:00:00Z");
/** Two projects with the same name. */
const config = unlimitedConfig.replace(
  "- { id: p-prod, name: Production }",
  "- { id: p-prod, name: Production }\n    - { id: p-old, name: production }",
);
const longName = "x".repeat(201);

withOneBot(
  (curfew) => {
    it.each(["don't disable alice", "please do not disable alice", "never remove mfa of alice"])(
      "“%s” is something not to do, and shows the user, whose buttons only open forms",
      async (line) => {
        const sent = changesSentTo(curfew());
        const { text, message } = await ask(curfew(), "bob", line);
        expect(text).toMatch(/^I read that as something not to do\. Nothing was changed\.\n\*alice\*/);
        expect(buttonsOn(message)).toEqual(buttonsOn((await ask(curfew(), "bob", "user alice")).message));
        await curfew().workspace.as("bob").press("Disable", message);
        await curfew().workspace.waitFor(() => curfew().workspace.as("bob").openView(), { what: "the form" });
        expect(sent()).toEqual([]);
      },
    );

    it.each([
      ["bob", "uzr disable dave", "I didn't understand “uzr”.", "Disable dave"],
      ["bob", "user disabel dave", "Curfew knows no user called “disabel dave”.", "User disable dave"],
      ["carol", "project remane p-dev X", "I didn't understand “project remane”.", "Project rename p-dev X"],
    ])("%s types “%s” and is offered what was probably meant", async (who, line, problem, reading) => {
      const sent = changesSentTo(curfew());
      const { text, message } = await ask(curfew(), who, line);
      expect(text).toContain(problem);
      expect(buttonsOn(message)[0]).toBe(reading);
      expect(sent()).toEqual([]);
    });

    it.each([
      ["alice", "exclusion", /^\*Nothing is kept running or off\*/],
      ["alice", "exclusion show", /^\*Nothing is kept running or off\*/],
      ["alice", "whoami bob", /^I read that as “whoami”\.\n\*alice\*/],
    ])("%s types “%s”, a question, and gets the best reading answered", async (who, line, answer) => {
      for (const id of [...curfew().service.account.exclusions.keys()]) await end(curfew(), "carol", id);
      const sent = changesSentTo(curfew());
      expect((await ask(curfew(), who, line)).text).toMatch(answer);
      expect(sent()).toEqual([]);
    });

    it("a mistyped exclusion is made, and a thing with a time keeps it up", async () => {
      const made = /Keeping staging running|staging is kept running already/;
      for (const line of ["exclud staging", "staging for 2h"])
        expect((await ask(curfew(), "alice", line)).text, line).toMatch(made);
    });

    it("an offered reading does what its button says", async () => {
      const { message } = await ask(curfew(), "bob", "user disabel dave");
      const press = () => curfew().workspace.as("bob").press("User disable dave", message);
      expect((await messagesAfter(curfew(), "bob", press)).text).toContain("You disabled dave");
      await ask(curfew(), "bob", "user enable dave");
    });

    it.each([
      ["alice", "exclude staging --reasn x", "There is no --reasn here. Did you mean --reason?"],
      ["alice", "exclude staging --reason", "--reason needs a value."],
      ["alice", 'exclude "staging for 2h', 'The quote " is not closed.'],
      ["alice", "exclude staging for 20d", "Nothing is kept for more than 14 d in a row"],
      [
        "alice",
        "exclude staging for 25h",
        "You can keep machines running or off for at most 1 d from its start. This would be 1 d 1 h.",
      ],
      ["alice", "exclusion extend aex-00000001 for 1h", "Curfew knows no kept machine called “aex-00000001”."],
      ["carol", "project rename Production Live", "production (p-old), Production (p-prod)"],
      ["alice", "user disable bob", "Ask <@U02BOB> or <@U03CAROL>."],
    ])("%s types “%s” and sees why nothing was done", async (who, line, problem) => {
      const sent = changesSentTo(curfew());
      const { text } = await ask(curfew(), who, line);
      expect(text).toContain(problem);
      expect(text).toMatch(/Nothing was changed|^:no_entry:/);
      expect(sent()).toEqual([]);
    });

    it.each(
      [
        ["alice", "exclude staging for 0h", "Until", "A length of time must be more than nothing."],
        ["alice", "exclude staging for ever", "Until", "That is not a length of time."],
        [
          "alice",
          "exclude staging until 2020-01-01 09:00",
          "Until",
          "Wed 1 Jan 2020, 09:00 (Europe/Berlin, UTC+01:00) is in the past.",
        ],
        ["alice", "exclude staging until 2027-03-28 02:30", "Until", "jump from 02:00 to 03:00: 02:30 does not exist."],
        ["alice", "exclude staging until 25:00", "Until", 'I could not read "25:00" as a moment.'],
        ["alice", `exclude staging --name ${longName}`, "Name", "That is 201 characters; at most 200 are allowed."],
        ["alice", "exclude staging --type ec2", "Resource type", "Did you mean “amazon-ec2-instance”?"],
        ["alice", "exclude staging --project @bob", "Project", "A person is not a project."],
      ].map(([who, line, field, problem]) => [brief(line), who, line, field, problem] as const),
    )(
      "“%s” typed by %s opens the form with the error",
      async (_title, who = "", line = "", field = "", problem = "") => {
        const sent = changesSentTo(curfew());
        const form = await openForm(curfew(), who, line);
        const marked = form.text.split("\n").find((text) => text.startsWith(`:warning: *${field}*:`));
        expect(marked).toContain(problem);
        expect(sent()).toEqual([]);
      },
    );

    it("what was typed in a time that cannot be read stays in the form, to be corrected there", async () => {
      const { values } = await openForm(curfew(), "alice", "exclude i-0e1 until 25:00 --project p-dev");
      expect(values.Until).toMatchObject({ type: "plain_text_input", value: "until 25:00" });
      const alice = curfew().workspace.as("alice");
      await alice.fill({ Until: "quarter past never", Why: "demo" });
      expect(await alice.submit()).toMatchObject({ kind: "errors", errors: { Until: expect.anything() } });
      await alice.press("More…", "view");
      const kept = await curfew().workspace.waitFor(
        () => alice.openView()?.fields.includes("Name") && alice.openView(),
      );
      expect(kept.values.Until).toMatchObject({ value: "quarter past never" });
      await alice.fill({ Until: "21:00" });
      const { text } = await messagesAfter(curfew(), "alice", () => alice.submit());
      expect(text).toContain("Keeping i-0e1 running");
    });

    it.each([
      ["carol", 'project rename "No such" Live', "Curfew knows no project called “No such”.", "Live"],
      ["bob", "user disable @erin", "That Slack profile shows no e-mail address.", undefined],
      ["bob", "user disable nobody@example.com", "Curfew knows no service user with the address", undefined],
      ["bob", "user remove-mfa bob sms", "I didn't understand “sms”.", undefined],
    ])("%s types “%s”, sees the error and can open the form with the rest", async (who, line, problem, name) => {
      const sent = changesSentTo(curfew());
      const { reply, values } = await openFormFromReply(curfew(), who, line);
      expect(reply.text).toContain(problem);
      expect(reply.text).toContain("Nothing was changed");
      expect(values["New name"]?.value).toBe(name);
      expect(sent()).toEqual([]);
    });

    it("an unknown command suggests only commands that the requester may use", async () => {
      for (const [who, line, says] of [
        ["dave", "usr disable bob", "You can't change a user's e-mail address or status. Nothing was changed."],
        ["bob", "exclud staging", "I didn't understand “exclud staging”. Nothing was changed."],
      ] as const) {
        const { text, message } = await ask(curfew(), who, line);
        expect(text).toContain(says);
        expect(buttonsOn(message)).toEqual([]);
      }
    });

    it.each(["dsiable dave", "disalbe dave", "disabel dave"])(
      "“%s” offers the verb with its letters in order",
      async (line) => {
        const { text, message } = await ask(curfew(), "bob", line);
        expect(text).toContain("Disable dave? Nothing was changed yet.");
        expect(buttonsOn(message)).toEqual(["Disable dave"]);
      },
    );

    it("a candidate for an ambiguous name is enough to continue", async () => {
      const { message } = await ask(curfew(), "carol", "project rename Production Live");
      const choose = () => curfew().workspace.as("carol").press("Production (p-prod)", message);
      const { text } = await messagesAfter(curfew(), "carol", choose);
      expect(text).toContain("You renamed project Production");
      const back = await ask(curfew(), "carol", "project rename p-prod Production");
      const rename = () => curfew().workspace.as("carol").press("Rename anyway", back.message);
      expect((await messagesAfter(curfew(), "carol", rename)).text).toContain("You renamed project Live");
    });

    it.each([
      ["bob", "user disable u-99999999", "User u-99999999 was not found. (UserNotFound)"],
      ["carol", "exclude i-0a9 --project p-none", "Project p-none was not found. (ProjectNotFound)"],
      ["alice", "action show a-99999999", "Action a-99999999 was not found. (ActionNotFound)"],
    ])("%s types “%s”, confirms the unknown id, and sees the service's error", async (who, line, said) => {
      const { text } = await askWithNewId(curfew(), who, line);
      expect(text).toContain(said);
      expect(/nothing was changed/i.test(text)).toBe(!line.startsWith("action show"));
    });

    it("someone in a channel outside their role is refused and sees where they may act", async () => {
      const sent = changesSentTo(curfew());
      const { text, message } = await ask(curfew(), "alice", "exclude staging for 1h", "random");
      expect(text).toContain(
        "You can keep machines running or off only in <#C0OPS>: ask there with `/curfew exclude staging for 1h`.",
      );
      expect(buttonsOn(message)).toContain("Open the channel");
      expect(text).toContain("Ask ");
      expect(sent()).toEqual([]);
    });

    it("someone limited to their own exclusions cannot move another's", async () => {
      const { exclusionId } = await ask(curfew(), "carol", "exclude staging for 2h --another");
      const sent = changesSentTo(curfew());
      const { text } = await ask(curfew(), "alice", `exclusion extend ${exclusionId} for 1h`);
      expect(text).toMatch(/You can .* only if you made it through Curfew\./);
      expect(sent()).toEqual([]);
    });
  },
  { config, startAt },
);
