import { afterEach, describe, expect, it } from "vitest";
import { cardSaying, directMessage, press } from "../support/approval-journey.ts";
import {
  ask,
  buttonsOn,
  cardOf,
  changesSentTo,
  end,
  fillIn,
  messagesAfter,
  openForm,
  textOf,
} from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";
import { aWeekEach } from "../support/week-each.ts";

/** A Wednesday in winter, 13:00 in Berlin, where the channel is. */
const startAt = Date.parse("2037-11-04T12:00:00Z");
const { curfew, clock, person } = oneBot({ startAt });
const { day } = aWeekEach(clock, startAt);

const budget = (entry: string) => reload(curfew(), `${unlimitedConfig}\nbudgets:\n  - { ${entry} }\n`);
const roleLimit = (hours: number) =>
  reload(curfew(), unlimitedConfig.replace("maxExclusion: 24h", `maxExclusion: 5d\n        weeklyHours: ${hours}`));
const waitHours = (hours: number) => clock.advance(hours * 3_600_000);
afterEach(() => reload(curfew(), unlimitedConfig));

describe("a budget that refuses", () => {
  it("refuses what goes beyond it, and offers what is left or to ask", async () => {
    await budget("projects: [p-dev], weeklyHours: 10, then: refuse");
    await ask(curfew(), "alice", "keep staging up for 7h");
    waitHours(7);
    const sent = changesSentTo(curfew());
    const refused = await ask(curfew(), "alice", "keep staging up for 6h");
    expect(refused.text).toContain(
      "You can keep machines running or off for at most 10 h of each in a week. This would be 13 of 10 h this week for i-0a1.",
    );
    expect(buttonsOn(refused.message)).toEqual(["Use 3 h", "Ask carol to allow 6 h"]);
    expect(sent()).toEqual([]);
    await messagesAfter(curfew(), "alice", () => person("alice").press("Use 3 h", refused.message));
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({
      expiryDate: expect.stringContaining(new Date(clock.now() + 3 * 3_600_000).toISOString().slice(0, 15)),
    });
  });

  it("lets somebody else allow more, as far as their own hours go", async () => {
    await budget("weeklyHours: 4, then: refuse");
    await ask(curfew(), "alice", "keep staging up for 4h");
    waitHours(4);
    // Nobody could allow more than the budget of one person.
    const tooMuch = await ask(curfew(), "alice", "keep staging up for 5h");
    expect(buttonsOn(tooMuch.message)).toEqual([]);
    expect(tooMuch.text).not.toContain("Who could");
    const label = "Ask carol to allow 3 h";
    const refused = await ask(curfew(), "alice", "keep staging up for 3h");
    expect(buttonsOn(refused.message)).toEqual([label]);
    const asked = await messagesAfter(curfew(), "alice", () => person("alice").press(label, refused.message));
    const card = await cardOf(curfew(), asked.changeId);
    expect(textOf(card)).toContain("over <@U01ALICE>'s budget of 4 h a week");
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("You approved it.");
    await directMessage(curfew(), "alice", asked.changeId, "Keeping ");
  });

  it("holds for extensions, and offers the latest end that is left", async () => {
    await budget("weeklyHours: 5, then: refuse");
    await ask(curfew(), "alice", "keep staging up for 4h");
    const refused = await ask(curfew(), "alice", "extend staging for 3h");
    expect(refused.text).toContain("This would be 7 of 5 h this week");
    expect(buttonsOn(refused.message)[0]).toBe("End in 5 h");
    const done = await messagesAfter(curfew(), "alice", () => person("alice").press("End in 5 h", refused.message));
    expect(done.text).toContain(": now until");
    expect((await ask(curfew(), "alice", "shorten staging by 1h")).text).toContain(": now until");
  });

  it("counts an extension for the person who asks for it, and an exclusion that was ended until then", async () => {
    await budget("weeklyHours: 4, then: refuse");
    await ask(curfew(), "alice", "keep staging up for 4h");
    expect((await ask(curfew(), "carol", "extend staging 3h")).text).toContain(": now until");
    expect((await ask(curfew(), "carol", "exclude i-0a1 for 12h --another")).text).toContain("This would be 12 of 4 h");
    waitHours(1);
    await end(curfew(), "carol", "staging");
    const again = await ask(curfew(), "alice", "keep staging up for 4h");
    expect(again.text).toContain("This would be 5 of 4 h");
    expect(buttonsOn(again.message)[0]).toBe("Use 3 h");
  });

  it("counts each week for itself, in the zone of the channel", async () => {
    await budget("weeklyHours: 20, then: refuse");
    clock.advance(Date.parse(day("12:00", 4)) - clock.now());
    // Sunday 13:00 in Berlin: 11 hours are of this week.
    const refused = await ask(curfew(), "carol", "keep staging up for 33h");
    expect(refused.text).toContain("This would be 22 of 20 h next week");
    expect(buttonsOn(refused.message)[0]).toBe("Use 1 d 7 h");
    await messagesAfter(curfew(), "carol", () => person("carol").press("Use 1 d 7 h", refused.message));
    clock.advance(36 * 3_600_000);
    expect((await ask(curfew(), "carol", "keep staging up for 1h")).text).toContain(
      "This would be 21 of 20 h this week",
    );
    // Nothing of it is left in the week of the next test.
    waitHours(7 * 24);
  });

  it("holds for edits, and is shown to those who ask what applies", async () => {
    await budget("projects: [p-dev], weeklyHours: 10, then: refuse");
    await ask(curfew(), "alice", "keep staging up for 1h");
    const edited = await ask(curfew(), "alice", 'exclusion edit "alice: staging" until tomorrow 13:00');
    expect(edited.text).toContain("This would be 24 of 10 h this week for i-0a1.");
    const { text } = await ask(curfew(), "carol", "can @alice ModifyActionExclusion");
    expect(text).toContain("more than 10 h of a resource in a week in p-dev is refused (budgets.0)");
  });

  it("counts what starts nothing and other projects not at all", async () => {
    await budget("projects: [p-dev], weeklyHours: 1, then: refuse");
    expect((await ask(curfew(), "carol", "keep staging off for 6h")).text).toContain("Keeping ");
    await budget("projects: [p-prod], weeklyHours: 1, then: refuse");
    expect((await ask(curfew(), "carol", "keep staging up for 6h")).text).toContain("Keeping ");
  });
});

describe("a plan", () => {
  const hours = (after: number, time: string) => Date.parse(day(time, after)) / 1000;

  it("counts from its start, and a series each time", async () => {
    await budget("weeklyHours: 6, then: refuse");
    expect((await ask(curfew(), "carol", "keep staging up in 20 days for 4h")).text).toContain("You plan to keep");
    expect((await ask(curfew(), "carol", "keep staging up in 40 days for 8h")).text).toContain(
      "This would be 8 of 6 h",
    );
    const every = (times: string) => `keep staging up every thu ${times} until ${day("00:00", 16).slice(0, 10)}`;
    expect((await ask(curfew(), "carol", every("08:00-12:00"))).text).toContain("You plan to keep");
    expect((await ask(curfew(), "carol", every("13:00-20:00"))).text).toContain("This would be 7 of 6 h");
  });

  it("is counted from its start in the form", async () => {
    await budget("weeklyHours: 40, then: warn");
    await openForm(curfew(), "carol", "exclude");
    await fillIn(curfew(), "carol", { What: "i-0a1", From: hours(9, "08:00"), Until: hours(9, "12:00") });
    await curfew().workspace.waitFor(() => person("carol").openView()?.text.includes("This would be 4 of 40 h"), {
      what: "the hours in the form",
    });
  });
});

describe("a budget that asks for an approval, or warns", () => {
  it("asks its approvers, and says why to both", async () => {
    await budget("weeklyHours: 4, then: approval, approvers: [admin]");
    await ask(curfew(), "alice", "keep staging up for 4h");
    const sent = changesSentTo(curfew());
    const asked = await ask(curfew(), "alice", "keep staging up for 7h --another");
    expect(asked.text).toContain("This waits for approval. This would be 7 of 4 h this week");
    const card = await cardOf(curfew(), asked.changeId);
    expect(textOf(card).match(/This would be 7 of 4 h this week for i-0a1/g)).toHaveLength(1);
    expect(sent()).toEqual([]);
    await press(curfew(), "carol", "Approve", card);
    expect(sent()).toEqual(["CreateActionExclusion"]);
    await cardSaying(curfew(), card, "is keeping *staging* running");
    await directMessage(curfew(), "alice", asked.changeId, "Keeping ");
  });

  it("warns in the answer", async () => {
    await budget("weeklyHours: 4, then: warn");
    expect((await ask(curfew(), "alice", "keep staging up for 3h")).text).not.toContain("This would be");
    const { text } = await ask(curfew(), "alice", "extend staging for 4h");
    expect(text).toContain(": now until");
    expect(text).toContain("This would be 7 of 4 h this week for i-0a1.");
  });

  it("shows in the form what it would come to, while one fills it in", async () => {
    await budget("weeklyHours: 40, then: warn");
    await openForm(curfew(), "carol", "exclude");
    await fillIn(curfew(), "carol", { What: "i-0a1", Until: day("23:00") });
    await curfew().workspace.waitFor(
      () => person("carol").openView()?.text.includes("This would be 11 of 40 h this week."),
      {
        what: "the hours in the form",
      },
    );
  });
});

describe("a role's weekly hours", () => {
  it("refuse what goes beyond them, and are shown before a form is sent", async () => {
    await roleLimit(6);
    await ask(curfew(), "alice", "keep staging up for 5h");
    const refused = await ask(curfew(), "alice", "extend staging for 3h");
    expect(refused.text).toContain("for at most 6 h of each in a week. This would be 8 of 6 h this week for i-0a1");
    expect(buttonsOn(refused.message)).toEqual(["End in 6 h", "Ask carol to allow 8 h"]);
    expect((await ask(curfew(), "carol", "extend staging for 3h")).text).toContain(": now until");
  });

  it("and the longest exclusion are offered as one way on", async () => {
    await roleLimit(30);
    const refused = await ask(curfew(), "alice", "keep staging up for 6d");
    expect(refused.text).toContain("You can keep machines running or off for at most 5 d");
    expect(buttonsOn(refused.message)[0]).toBe("Use 1 d 6 h");
  });
});

it("lets only one of two requests at the same time have the hours that are left", async () => {
  await budget("weeklyHours: 5, then: refuse");
  await ask(curfew(), "alice", "keep staging up for 4h");
  const sent = changesSentTo(curfew());
  const lines = ["extend staging for 3h", "exclude i-0a1 for 3h --another"];
  await Promise.all(lines.map((line) => person("carol").type(`/curfew ${line}`, "ops")));
  await curfew().app.idle();
  expect(sent()).toHaveLength(1);
});
