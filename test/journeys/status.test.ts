import { beforeEach, describe, expect, it } from "vitest";
import { ask, buttonsOn, type CommandReply, changesSentTo, menusOn, messagesAfter, send } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** A Monday, 09:00 in London: staging stops at 19:00, in ten hours. No clock changes until the end of October. */
const startAt = Date.parse("2027-04-05T08:00:00Z");
const weekMs = 7 * 24 * 3_600_000;
const { curfew, clock } = oneBot({ config: unlimitedConfig, startAt });
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const press = (who: string, label: string, on: CommandReply, actionId?: string) =>
  messagesAfter(curfew(), who, () =>
    curfew()
      .workspace.as(who)
      .press(label, on.message, actionId ? { actionId } : {}),
  );
const formOf = async (who: string, label: string, on: CommandReply) => {
  await curfew().workspace.as(who).press(label, on.message);
  return curfew().workspace.waitFor(() => curfew().workspace.as(who).openView(), { what: `a form for ${who}` });
};

let weeks = 0;
beforeEach(() => {
  // Every exclusion of the test before is over.
  weeks += 1;
  clock.advance(startAt + weeks * weekMs - clock.now());
});

describe("status", () => {
  it("says of a group who excluded it from what, why and until when, and what that holds back", async () => {
    await told("alice", 'exclude staging for 12h --reason "demo at eight"');
    const reply = await ask(curfew(), "alice", "status staging");
    expect(reply.text).toContain("staging: kept running");
    expect(reply.text).toMatch(
      /green_circle: \*staging\* · until <!date\^.*> \(12 h left\) · since .* · you · demo at eight\n/,
    );
    expect(reply.text).toMatch(/Stop staging at 19:00\* · <!date\^\d+[^>]*> · held back by alice: staging/);
    expect(reply.text).toMatch(/Start staging at 07:30\* · <!date/);
    expect(reply.text).not.toContain("may be for others");
    expect(menusOn(reply.message)[0]).toEqual(["Extend 1 h", "Extend…", "Shorten…", "End now…", "Edit…"]);
    expect(buttonsOn(reply.message).at(-1)).toBe("Why?");
    expect(reply.message.ephemeralTo).toBe("U01ALICE");
    expect((await press("alice", "Why?", reply, "run:why:why?")).text).toContain("*staging*: ");
  });

  it("says that a group is not excluded, and opens the form that keeps it running past its next stop", async () => {
    const reply = await ask(curfew(), "alice", "status Staging");
    expect(reply.text).toContain("staging: on schedule, as far as Curfew knows");
    const form = await formOf("alice", "Keep running", reply);
    expect(form.values.What?.value).toBe("i-0a1, i-0a2");
    const atSeven = new Date(clock.now()).setUTCHours(18, 5, 0, 0);
    expect(form.values.Until?.selected_date_time).toBe(atSeven / 1000);
    expect((await send(curfew(), "alice")).text).toContain("Keeping staging running");
  });

  it("takes an ARN as a message shows it", async () => {
    const shown = "arn∶aws∶rds∶eu-west-1∶123456789012∶db∶x";
    const own = await told("alice", `status ${shown.replaceAll("∶", ":")}`);
    expect(await told("alice", `status ${shown}`)).toBe(own);
    expect(await told("alice", "status nothing∶such∶x")).toBe(await told("alice", "status nothing:such:x"));
  });

  it("says which of several resources are excluded", async () => {
    await told("alice", "exclude i-0a1 --project p-dev for 2h");
    expect(await told("alice", "status staging")).toContain("staging: in part kept running");
    expect(await told("alice", "status i-0a1")).toContain("i-0a1: kept running");
    expect(await told("alice", "status i-0a1 and i-0a2")).toContain("i-0a1, i-0a2: in part kept running");
    expect(await told("alice", "status i-0a2")).toContain("i-0a2: on schedule");
  });

  it("of a resource whose actions are not known says what is due there for its kind", async () => {
    await told("alice", "exclude i-0d1 --project p-dev for 2h");
    const text = await told("alice", "status i-0d1");
    expect(text).toContain("*Due in Development, EC2*");
    expect(text).toContain("These may be for other machines.");
    expect(text).not.toMatch(/database|warehouse|held back/);
    expect(await told("alice", "status i-0f9")).toContain("Curfew doesn't know its project");
  });

  it("of a project shows what is excluded there and what runs there next", async () => {
    await told("alice", "exclude staging for 2h");
    const text = await told("alice", "status dev");
    expect(text).toContain("Development: 1 kept running or off");
    expect(text.match(/alarm_clock|mute/g)).toHaveLength(3);
    expect(text).not.toContain("Production");
  });

  it("of an action shows its next run and the exclusions that hold it back", async () => {
    await told("alice", "exclude staging for 12h");
    const text = await told("alice", "status Stop staging at 19:00");
    expect(text).toMatch(/<!date\^.*held back by alice: staging · last: .* · for staging/);
    expect(await told("alice", "status Start the catalogue")).toContain("*Start the catalogue*");
    expect(await told("alice", "status a-00000009")).toContain("These may be other machines");
  });

  it("of an exclusion says what is known of it, also when it is over", async () => {
    const { exclusionId } = await ask(curfew(), "alice", 'exclude staging for 1h --name "Demo" --reason demo');
    expect(await told("alice", "status demo")).toContain("Demo: kept running");
    clock.advance(weekMs / 7);
    const over = await told("alice", `status ${exclusionId}`);
    expect(over).toContain("Demo: over");
    expect(over).toMatch(/white_circle: \*Demo\* · staging · over since <!date.*> · you · demo/);
    expect(over).not.toContain("What runs next");
  });

  it("without a thing shows what is excluded now and the next three runs", async () => {
    await told("carol", "exclude i-0d2 --project p-prod for 2h");
    await told("alice", "exclude staging for 2h --reason demo");
    const reply = await ask(curfew(), "alice", "status");
    expect(reply.text).toContain("1 kept running or off");
    expect(reply.text).toContain(" · you · demo");
    expect(reply.text.match(/alarm_clock|mute/g)).toHaveLength(3);
    expect(reply.text).not.toMatch(/Production|i-0d2/);
    expect((await press("alice", "Next 24 hours", reply)).text).toContain("in the next 24 hours");
    expect(await told("carol", "status")).toContain("2 kept running or off");
  });

  it("still says what is excluded when the service does not say what runs", async () => {
    await told("alice", "exclude staging for 2h");
    await curfew().service.faults.down();
    clock.advance(11_000);
    const text = await told("alice", "status staging").finally(() => curfew().service.faults.up());
    expect(text).toContain("staging: kept running");
    expect(text).toContain("The service could not show this");
  });

  it("is answered from its form", async () => {
    await formOf("alice", "Open the form", await ask(curfew(), "alice", "status --thing"));
    expect((await send(curfew(), "alice", { Thing: "staging" })).text).toContain("staging: on schedule");
  });
});

describe("what is said of things that a person may not see", () => {
  const hiddenThings = [
    ...["p-prod", "Production", "a-00000012", "dave", "u-00000004"].map((thing): [string, string] => [
      thing,
      "zzzzzzzzzz",
    ]),
    ["Start web for the day", "Start zzz for the day"],
    ["Nightly backups", "Zzzzzzz backups"],
  ] as const;
  it("is what is said of something that does not exist", async () => {
    for (const [thing, other] of hiddenThings)
      for (const line of ["status", "why", "next", "please tell me all about", "keep up", "what about"]) {
        const [hidden, none] = [await told("alice", `${line} ${thing}`), await told("alice", `${line} ${other}`)];
        expect(hidden.replace(/“[^”]*”/, "it"), `${line} ${thing}`).toBe(none.replace(/“[^”]*”/, "it"));
      }
  });

  const loosely = [
    ["alice", "would you kindly unlock dave", "would you kindly unlock zorro"],
    ["alice", "dave has lost his phone", "zorro has lost his phone"],
    ["dave", "could you keep staging up for 2h", "could you keep stagzzz up for 2h"],
    ["dave", "what about staging", "what about stagzzz"],
    ["bob", "exclud staging", "exclud zzzzzzz"],
  ] as const;
  it("is in free words what is said of any other word", async () => {
    const plain = (text: string) => text.replace(/“[^”]*”/g, "it");
    for (const [who, hidden, none] of loosely)
      expect(plain(await told(who, hidden)), hidden).toBe(plain(await told(who, none)));
  });

  it("an exclusion in another project is not mentioned for a resource in it", async () => {
    await told("carol", "exclude i-0d2 --project p-prod for 2h");
    for (const line of ["status i-0d2", "why i-0d2", "next i-0d2"])
      expect(await told("alice", line)).not.toMatch(/p-prod|Production|carol|aex-/);
    expect(await told("carol", "status i-0d2")).toContain("i-0d2: kept running");
  });

  it.each(["status", "status staging", "why staging", "next", "projects"])(
    "“%s” is refused without a role",
    async (line) => {
      const sent = curfew().service.requests.length;
      expect(await told("dave", line)).toMatch(/^:no_entry: You can't .*/);
      expect(await told("gina", line)).toContain("Only full members");
      expect(curfew().service.requests).toHaveLength(sent);
    },
  );

  it("a mistyped name is answered with the nearest ones that they may see", async () => {
    const sent = changesSentTo(curfew());
    expect(await told("alice", "status stagng")).toContain("Did you mean “staging”?");
    expect(await told("alice", "status Productoin")).not.toContain("Did you mean");
    expect(await told("carol", "status Productoin")).toContain("Did you mean “Production”?");
    expect(await told("alice", "status flurbs")).toContain("Curfew knows no “flurbs” that you may see. Name a group");
    expect(sent()).toEqual([]);
  });

  it("a word of several names is answered with those names, to choose from", async () => {
    const reply = await ask(curfew(), "alice", "status qa");
    expect(reply.text).toMatch(/“qa” could be the action Start QA \(a-\d+\), the action Stop QA.*Which one\?/);
    const [, stop = ""] = buttonsOn(reply.message);
    expect((await press("alice", stop, reply)).text).toContain("*Stop QA*");
  });
});
