import { describe, expect, it } from "vitest";
import { ask, buttonsOn, type CommandReply, changesSentTo, menusOn, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const more = Array.from(
  { length: 11 },
  (_each, index) => `    - { id: p-more-${10 + index}, name: More ${10 + index} }\n`,
).join("");
const { curfew } = oneBot({ config: unlimitedConfig.replace("  projects:\n", (projects) => `${projects}${more}`) });
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const press = (who: string, label: string, on: CommandReply, value?: string) =>
  messagesAfter(curfew(), who, () =>
    curfew()
      .workspace.as(who)
      .press(label, on.message, value ? { value } : {}),
  );

describe("user show", () => {
  it.each(["user show dave", "user dave@example.com", "user show @dave", "user u-00000004"])(
    "typed as “%s” shows what is known of them and what the help desk may do",
    async (line) => {
      const sent = changesSentTo(curfew());
      const { text, message } = await ask(curfew(), "bob", line);
      for (const part of ["*dave*", "*E-mail*\ndave@example.com", "*User*\nu-00000004"]) expect(text).toContain(part);
      expect(text).toContain("As last known.");
      const buttons = buttonsOn(message);
      expect(buttons).toContain("Change e-mail");
      expect(buttons).not.toContain("Detach policy");
      expect(buttons).not.toContain("Remove MFA");
      expect(message.ephemeralTo).toBe("U02BOB");
      expect(sent()).toEqual([]);
    },
  );

  it("shows what a change told of them, how old that is, and what was done to the account", async () => {
    expect(await told("bob", "user alice")).not.toContain("As of");
    await told("bob", "user disable dave");
    const { text, message } = await ask(curfew(), "bob", "user dave");
    expect(text).toMatch(/\*Status\*\ndisabled/);
    expect(text).not.toContain("Policies");
    expect(text).toMatch(/\*As of\*\n<!date/);
    expect(text).toContain("bob disabled dave");
    expect(buttonsOn(message)).toContain("Enable");
    expect(buttonsOn(message)).not.toContain("Disable");
    await told("bob", "user enable dave");
  });

  it("opens the forms for what may be done, filled with the user", async () => {
    const reply = await ask(curfew(), "bob", "user alice");
    expect(buttonsOn(reply.message)).toEqual(["Disable", "Enable", "Remove MFA", "Change e-mail"]);
    await curfew().workspace.as("bob").press("Remove MFA", reply.message);
    const form = await curfew().workspace.waitFor(() => curfew().workspace.as("bob").openView(), { what: "a form" });
    expect(form.title).toBe("Remove MFA");
    expect(form.values.User?.selected_option).toMatchObject({ value: "u-00000002" });
  });

  it("tells an admin the policies, as an earlier answer did, and offers to detach them", async () => {
    expect(await told("carol", "user bob")).toContain("*Policies*\nnot known");
    await told("carol", "user detach-policy bob mp-00000003");
    await told("carol", "user enable bob");
    const { text, message } = await ask(curfew(), "carol", "user bob");
    expect(text).toContain("*Policies*\nSchedule operators");
    expect(text).toMatch(/\*Policies as of\*\n<!date/);
    expect(buttonsOn(message)).toContain("Detach policy");
  });

  it("leads to older changes of the account", async () => {
    for (let n = 1; n <= 6; n++) await told("bob", `user email u-00000003 carol${n}@example.com`);
    const reply = await ask(curfew(), "bob", "user carol");
    expect((await press("bob", "History", reply)).text).toContain("Changes, of carol");
    await told("bob", "user email u-00000003 carol@example.com");
  });

  it("says so when Curfew does not know the user, with the nearest names", async () => {
    const unknown = await ask(curfew(), "bob", "user dvae");
    expect(unknown.text).toContain("Did you mean dave (u-00000004)?");
    expect((await press("bob", "Use “dvae” as a user id", unknown)).text).toContain("Curfew knows no user “dvae”.");
  });
});

describe("users", () => {
  it("lists those that Curfew knows, by words, and leads to each", async () => {
    const all = await ask(curfew(), "bob", "users");
    for (const name of ["alice", "bob", "carol", "dave"]) expect(all.text).toContain(`*${name}*`);
    const found = await ask(curfew(), "bob", "users example dav");
    expect(found.text).toContain("1 known user matching “example dav”");
    expect((await press("bob", "Show", found)).text).toContain("*User*\nu-00000004");
    await told("bob", "user disable dave");
    expect(await told("bob", "users disabled")).toMatch(/^\*1 known user disabled\*.*\*dave\*/s);
    await told("bob", "user enable dave");
    expect(await told("bob", "users disabled dave")).toContain("No known users disabled, matching “dave”");
  });

  it.each(["users", "user show dave", "user dave"])(
    "“%s” is for those who may do something about users",
    async (line) => {
      for (const who of ["alice", "dave"]) {
        const text = await told(who, line);
        expect(text).toMatch(/^:no_entry: You can't [^:]+/);
        expect(text).not.toMatch(/dave@example|u-0000/);
      }
      expect(await told("gina", line)).toContain("Only full members");
      expect(await told("alice", "help user")).not.toContain("user show");
      expect(await told("alice", "status dave")).toContain("Curfew knows no “dave” that you may see.");
    },
  );
});

describe("projects", () => {
  it("lists those whose actions the requester may see", async () => {
    expect(await told("alice", "projects")).toMatch(/1 known project\*.*Development/s);
    expect(await told("alice", "projects prod")).toMatch(
      /No known projects matching “prod”\*\n“project list” alone shows all of them\./,
    );
    const { text, message } = await ask(curfew(), "carol", "project list");
    expect(text).toMatch(/13 known projects.*Development/s);
    expect(menusOn(message)[0]).toEqual(["Status", "What runs next", "What is kept", "Rename…", "History"]);
    expect(menusOn((await ask(curfew(), "alice", "projects")).message)[0]).not.toContain("Rename…");
    const status = await press("carol", "Status", await ask(curfew(), "carol", "projects prod"));
    expect(status.text).toContain("Production: nothing is kept running or off");
  });

  it("has pages of ten", async () => {
    const reply = await ask(curfew(), "carol", "projects more");
    expect(reply.text).toContain("Page 1 of 2");
    expect((await press("carol", "Next", reply)).text).toContain("More 20");
  });
});

describe("help", () => {
  it.each([
    ["bob", "mfa", "Remove a user's lost multi-factor authentication"],
    ["bob", "how do I disable somebody", "Keep a user from signing in"],
    ["alice", "keep machines running", "/curfew keep"],
    ["alice", "exclusions", "Stop keeping something running or off"],
    ["carol", "second factor authentication", "Remove a user's lost multi-factor authentication"],
    ["carol", "rule", "/curfew can"],
  ])("for %s finds by “%s” the command %s", async (who, words, command) => {
    expect(await told(who, `help ${words}`)).toContain(command);
  });

  it("shows only what the requester may do, and the nearest words where it finds nothing", async () => {
    expect(await told("alice", "help mfa")).toContain("There is no command about “mfa” that you may use here.");
    expect(await told("bob", "help exclude")).not.toContain("/curfew exclude");
    expect(await told("bob", "help disabel")).toMatch(/Did you mean .*“disable”/);
    expect(await told("dave", "help")).toContain("what may I do?");
  });
});
