import { describe, expect, it } from "vitest";
import { ask, buttonsOn, changesSentTo, menusOn, messagesAfter, openForm } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { aWeekEach } from "../support/week-each.ts";

/** A Monday, 09:00 in London: staging stops at 19:00. */
const startAt = Date.parse("2027-04-05T08:00:00Z");
const { curfew, clock } = oneBot({ config: unlimitedConfig, startAt });
aWeekEach(clock, startAt);
const menuOf = async (who: string, line: string, number = 0) =>
  menusOn((await ask(curfew(), who, line)).message)[number];
const press = async (who: string, label: string, line: string) => {
  const { message } = await ask(curfew(), who, line);
  return messagesAfter(curfew(), who, () => curfew().workspace.as(who).press(label, message));
};

describe("a list", () => {
  it("of exclusions has one line each, with end, time left, owner and reason, and a menu of what its reader may do", async () => {
    await ask(curfew(), "carol", "exclude staging for 2h --reason “demo at eight”");
    await ask(curfew(), "carol", 'exclude i-0e1 --project p-prod --process start --name "Fair" for 5h');
    const { text } = await ask(curfew(), "carol", "exclusions");
    expect(text).toMatch(/^\*2 kept running or off\*\n/);
    expect(text).toMatch(
      /green_circle: \*staging\* · until <!date.*> \(2 h left\) · you · demo at eight · Development\n/,
    );
    expect(text).toMatch(
      /green_circle: \*Fair\* · i-0e1 · kept off · until <!date.*> \(5 h left\) · you · Production\n/,
    );
    const own = await ask(curfew(), "alice", "exclusions in Development by carol");
    expect(own.text).toMatch(/^\*1 kept running or off in Development by carol\*\n/);
    expect(own.text).toMatch(/\*staging\* .* · <@U03CAROL> · demo at eight\n/);
    expect(menusOn(own.message), "she may only alter her own").toEqual([]);
    expect(buttonsOn(own.message)).toEqual(["History"]);
    expect(menusOn((await ask(curfew(), "carol", "exclusions Fair")).message)).toEqual([
      ["Extend 1 h", "Extend…", "Shorten…", "End now…", "Edit…"],
    ]);
  });

  it("cuts long names and reasons, so that a line stays a line", async () => {
    const reason = `because ${"of this and that ".repeat(25)}`;
    await ask(
      curfew(),
      "carol",
      `exclude i-0e2 --project p-prod --name "${"Long ".repeat(30)}" --reason "${reason}" for 3h`,
    );
    const { message } = await ask(curfew(), "carol", "exclusions i-0e2");
    const [, section] = message.blocks;
    expect(JSON.stringify(section?.text).length).toBeLessThan(600);
    expect(JSON.stringify(section?.text)).toContain("Long Lo");
  });

  it.each([
    [
      "carol",
      "exclusions i-0f9",
      "*Nothing is kept running or off of i-0f9*",
      "“exclusion list” alone shows all of them.",
    ],
    ["alice", "users", "You can't", "Ask "],
    ["carol", "plans nothing", "*No known plans matching “nothing”*", "“plan list” alone shows all of them."],
    ["carol", "groups nothing", "*No resource groups matching “nothing”*", "“group list” alone shows all of them."],
    ["carol", "history failed", "There are no such changes", "“history” alone shows all of them."],
    ["carol", "approvals", "*No change waits that you may see*", "“history” shows what was decided."],
  ])("for %s, “%s” says that it is empty, and what to do next", async (who, line, title, next) => {
    const { text } = await ask(curfew(), who, line);
    expect(text).toContain(title);
    expect(text).toContain(next);
  });

  it.each([
    [
      "plans",
      /\*2 known plans\*.*\*Development office hours\* · .*in Development · plan-00000001/s,
      ["Selectors", "What runs next", "History"],
    ],
    ["selectors", /\*Staging databases\* · of Development office hours · sel-00000002/, ["Show", "Edit…", "History"]],
    ["selectors plan-00000001", /\*2 known selectors matching “plan-00000001”\*/, ["Show", "Edit…", "History"]],
    ["credentials", /\*AWS main account\* · .*cred-00000001/, ["Edit…", "Delete…", "History"]],
    ["groups", /\*staging\* · 2 × EC2 in Development · i-0a1, i-0a2/, ["Status", "What runs next", "Show"]],
    [
      "users",
      /\*alice\* · alice@example\.com · MFA google-auth · u-00000002/,
      ["Show", "Disable…", "Enable…", "Remove MFA…", "Change e-mail…"],
    ],
    [
      "actions QA",
      /:alarm_clock: \*Stop QA\* · <!date[^>]*> · EC2 in Development · a-00000011/,
      ["Details", "Status", "Why?"],
    ],
  ])("“%s” has a line for each, with its commands", async (line, shown, menu) => {
    expect((await ask(curfew(), "carol", line)).text).toMatch(shown);
    expect(await menuOf("carol", line)).toEqual(menu);
  });

  it("of policies leads to each", async () => {
    expect((await press("carol", "Details", "policies Billing")).text).toContain("Managed policy Billing");
    expect((await ask(curfew(), "alice", "plans")).text).toContain("*1 known plan*");
    expect(await menuOf("alice", "selectors")).not.toContain("Edit…");
  });
});

describe("find", () => {
  it("shows how the one thing is doing that fits, and each of several with its questions", async () => {
    expect((await ask(curfew(), "alice", "find stagng")).text).toContain("Did you mean “staging”?");
    expect((await ask(curfew(), "alice", "find staging")).text).toMatch(/^\*staging: /);
    expect((await ask(curfew(), "bob", "find dave")).text).toContain("*dave*");
    expect((await ask(curfew(), "carol", "find nightly backups")).text).toContain("*Nightly backups* · ");
    expect((await ask(curfew(), "carol", "find AWS")).text).toContain("1 thing matches “AWS”");
    expect((await ask(curfew(), "carol", "find Administrators")).text).toContain("mp-00000001");
    expect((await ask(curfew(), "bob", "find Administrators")).text, "he may not see policies").not.toContain("mp-");
    const { text, message } = await ask(curfew(), "alice", "find qa");
    expect(text).toContain("*2 things match “qa”*");
    expect(menusOn(message)).toEqual([
      ["Status", "What runs next", "Why?"],
      ["Status", "What runs next", "Why?"],
    ]);
    expect((await ask(curfew(), "alice", "find AWS")).text).toContain("Curfew knows no “AWS” that you may see.");
  });
});

describe("an action", () => {
  it("said to be kept running stands for the group that names it", async () => {
    clock.advance(10 * 3_600_000);
    await ask(curfew(), "alice", 'keep "Stop staging at 19:00" running for 2h');
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({
      resourceIds: ["i-0a1", "i-0a2"],
      projectId: "p-dev",
    });
    for (const line of ['keep "Stop build machines" running for 2h', "keep build machines up"]) {
      const { text, message } = await ask(curfew(), "alice", line);
      expect(text).toContain("No group names the machines of Stop build machines");
      expect(buttonsOn(message)).toEqual(["Keep running…", "Name its machines…"]);
    }
  });

  it("that no group names is not skipped, but leads on", async () => {
    const sent = changesSentTo(curfew());
    const { text, message } = await ask(curfew(), "alice", "skip a-00000009");
    expect(text).toMatch(/^:warning: No group names the machines of Stop build machines.* Nothing was changed\./);
    expect(buttonsOn(message)).toEqual(["Keep running…", "Name its machines…"]);
    await curfew().workspace.as("alice").press("Name its machines…", message);
    const form = await curfew().workspace.waitFor(() => curfew().workspace.as("alice").openView(), {
      what: "the form",
    });
    expect(form.title).toBe("Save resource group");
    expect(JSON.stringify(form.values.Actions)).toContain("a-00000009");
    await curfew().workspace.as("alice").cancel();
    const several = await ask(curfew(), "alice", "skip qa");
    expect(buttonsOn(several.message)).toEqual(["Start QA (a-00000010)", "Stop QA (a-00000011)"]);
    expect(sent()).toEqual([]);
  });
});

it("exclusions of one name are told apart in a form by end and owner, and else by their ids", async () => {
  for (const [who, hours] of [
    ["alice", 2],
    ["carol", 2],
    ["carol", 2],
  ] as const)
    await ask(curfew(), who, `exclude i-0e5 --project p-dev --name Twin --another for ${hours}h`);
  await openForm(curfew(), "carol", "exclusion end");
  const shown = (await curfew().workspace.as("carol").suggest("What", "twin")).map(({ text }) => text);
  expect(shown.filter((text) => /^Twin — until (?:today|tomorrow) \d\d:\d\d · alice$/.test(text))).toHaveLength(1);
  expect(shown.filter((text) => /^Twin — until .* · you · aex-\d+$/.test(text))).toHaveLength(2);
});
