import { beforeEach, describe, expect, it } from "vitest";
import { configWith, press } from "../support/approval-journey.ts";
import { ask, buttonsOn, cardOf, changesSentTo, openForm, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { passTo } from "../support/pass-to.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";
import { loseAnswers } from "../support/unknown-outcome.ts";
import { aWeekEach } from "../support/week-each.ts";

/** A Monday, 9:00 in Berlin, where the channel is. Alice may exclude a machine for at most 24 h. */
const startAt = Date.parse("2037-11-02T08:00:00Z");
const { curfew, clock } = oneBot({ startAt });
const { day } = aWeekEach(clock, startAt);

beforeEach(() => reload(curfew(), unlimitedConfig));
const alice = (line: string) => ask(curfew(), "alice", line);
const until = () => day("00:00", 12).slice(0, 10);

describe("the longest that a role may hold a machine", () => {
  it("counts series that follow each other as one", async () => {
    const times = ["8:00-12:00", "12:00-16:00", "16:30-20:00", "20:30-24:00", "0:30-4:00"];
    for (const each of times)
      expect((await alice(`keep i-0b1 up every day ${each} until ${until()}`)).text).toContain("You plan to keep");
    const last = await alice(`keep i-0b1 up every day 4:30-7:30 until ${until()}`);
    expect(last.text).toContain("for at most 1 d from its start. Together with what you keep");
    expect(buttonsOn(last.message).join()).toMatch(/^Ask carol to allow/);
    const pause = await alice(`keep i-0b1 up every day 5:00-7:00 until ${until()}`);
    expect(pause.text).toContain("You plan to keep");
  });

  it("counts what follows an exclusion, whatever it holds back, and offers what is left", async () => {
    await alice("keep i-0b2 up for 20h");
    const next = await alice("keep i-0b2 off in 20h for 6h");
    expect(next.text).toContain("Together with what you keep before and after, this would be 1 d 2 h");
    expect(buttonsOn(next.message)).toEqual(["Use 4 h", "Ask carol to allow 6 h"]);
    expect((await alice("keep i-0b2 off in 21h for 6h")).text).toContain("You plan to keep");
    const between = await alice("extend i-0b2 for 30min");
    expect(between.text).toContain("this would be 1 d 3 h");
    expect(buttonsOn(between.message)).toEqual(["Ask carol to allow 20 h 30 min"]);
  });

  it("goes on over an exclusion's end", async () => {
    await alice("keep i-0b3 up for 23h");
    clock.advance(23.5 * 3_600_000);
    expect((await alice("keep i-0b3 up for 1h")).text).toContain("this would be 1 d 30 min");
    clock.advance(0.6 * 3_600_000);
    expect((await alice("keep i-0b3 up for 1h")).text).toContain("Keeping ");
  });

  it("counts neither what others hold nor what was withdrawn, replaced or left out", async () => {
    await ask(curfew(), "carol", "keep i-0b4 up for 20h");
    const plan = await alice("keep i-0b4 up in 20h for 20h");
    expect(plan.text).toContain("You plan to keep");
    expect((await alice(`withdraw ${plan.changeId}`)).text).toContain("You withdrew it");
    const second = await alice("keep i-0b4 up in 22h for 20h");
    expect(second.text).toContain("You plan to keep");
    await openForm(curfew(), "alice", `exclusion edit ${second.changeId}`);
    const [From, Until] = [day("14:00", 1), day("10:00", 2)].map((at) => Date.parse(at) / 1000);
    const edited = await send(curfew(), "alice", { From: From ?? 0, Until: Until ?? 0 });
    expect(edited.text).toContain("You plan to keep");
  });
});

it("holds for admins as the longest that anybody may hold a machine", async () => {
  await reload(curfew(), unlimitedConfig.replace("longest: 14d", "longest: 2d"));
  const carol = (line: string) => ask(curfew(), "carol", line);
  expect((await carol("keep i-0b5 up in 2h for 30h")).text).toContain("You plan to keep");
  const next = await carol("keep i-0b5 up in 32h for 30h");
  expect(next.text).toContain("A machine may be held for 2 d at most without a pause of an hour.");
  expect(buttonsOn(next.message)).toEqual(["Use 18 h"]);
  const shorter = await press(curfew(), "carol", "Use 18 h", next.message);
  expect(shorter.text).toContain("You plan to keep");
});

it("is what an approval by length looks at, and stands when it is due", async () => {
  const longOnes =
    "{ operations: [CreateActionExclusion, ModifyActionExclusion], approvers: [admin], when: { longerThan: 8h } }";
  await reload(curfew(), configWith(longOnes));
  expect((await alice("keep i-0b6 up in 2h for 6h")).text).toContain("You plan to keep");
  const asked = await alice("keep i-0b6 up in 8h for 6h");
  expect(asked.text).toContain("This waits for approval. With other requests of the same person, it would be 12 h.");
  const card = await cardOf(curfew(), asked.changeId);
  expect(textOf(card)).toContain("With other requests of the same person, it would be 12 h.");
  expect((await press(curfew(), "carol", "Approve", card)).text).toContain("You approved it");
  const sent = changesSentTo(curfew());
  for (const hours of [3, 6]) await passTo(curfew(), clock, new Date(clock.now() + hours * 3_600_000).toISOString());
  expect(sent()).toEqual(["CreateActionExclusion", "CreateActionExclusion"]);
});

it.each([
  ["two plans", ["keep i-0b7 up in 2h for 20h", "keep i-0b7 up in 22h for 20h"]],
  ["an exclusion and a plan", ["keep i-0b8 up for 20h", "keep i-0b8 up in 20h for 20h"]],
])("lets only one of %s at the same time be made that are too long together", async (_which, lines) => {
  const sent = changesSentTo(curfew());
  await Promise.all(lines.map((line) => curfew().workspace.as("alice").type(`/curfew ${line}`, "ops")));
  await curfew().app.idle();
  for (const hours of [3, 20]) await passTo(curfew(), clock, new Date(clock.now() + hours * 3_600_000).toISOString());
  expect(sent()).toEqual(["CreateActionExclusion"]);
});

describe("a time that is put back into its series", () => {
  const minute = (time: string, after: number) => day(time, after).slice(0, 16).replace("T", " ");
  const put = async (id: string, left: string) => {
    const { message } = await alice(`leave out ${id} on ${left.slice(0, 10)}`);
    return { again: () => press(curfew(), "alice", "Undo", message) };
  };

  it("is judged with what was planned since", async () => {
    await alice(`keep i-0c1 up every day 8:00-20:00 until ${until()}`);
    expect((await (await put("i-0c1", day("00:00", 2))).again()).text).toContain("is planned again");
    const left = await put("i-0c1", day("00:00", 2));
    const between = await alice(`keep i-0c1 up from ${minute("20:00", 1)} until ${minute("07:30", 2)}`);
    expect(between.text).toContain("You plan to keep");
    const back = await left.again();
    expect(back.text).toContain("08:00–20:00 can't be put back.");
    expect(back.text).toContain("this would be 1 d 12 h");
    expect(back.text).toContain("Nothing was changed: plan that time anew.");
    expect(buttonsOn(back.message)).toEqual(["Plan that time…"]);
  });

  it("needs no approval but one for a longer time than its series was approved for", async () => {
    const longOnes =
      "{ operations: [CreateActionExclusion, ModifyActionExclusion], approvers: [admin], when: { longerThan: 8h } }";
    await reload(curfew(), configWith(longOnes));
    const asked = await alice(`keep i-0c2 up every day 8:00-18:00 until ${until()}`);
    await press(curfew(), "carol", "Approve", await cardOf(curfew(), asked.changeId));
    expect((await (await put("i-0c2", day("00:00", 2))).again()).text).toContain("is planned again");
    await alice(`keep i-0c3 up every day 8:00-15:00 until ${until()}`);
    const left = await put("i-0c3", day("00:00", 2));
    expect((await left.again()).text).toContain("is planned again");
    const leftAgain = await put("i-0c3", day("00:00", 2));
    await alice(`keep i-0c3 up from ${minute("15:00", 2)} until ${minute("20:00", 2)}`);
    expect((await leftAgain.again()).text).toContain("it needs an approval. Nothing was changed");
  });
});

describe("what may have been made", () => {
  it("counts while an exclusion's outcome is unknown, and when somebody saw it, and not when it is not there", async () => {
    loseAnswers(curfew(), "CreateActionExclusion", "reset-after");
    const { message } = await alice("keep i-0c4 up for 20h");
    const next = "keep i-0c4 up in 20h for 20h";
    expect((await alice(next)).text).toContain("this would be 1 d 16 h");
    await press(curfew(), "alice", "It's there", message);
    expect((await alice(next)).text).toContain("this would be 1 d 16 h");
    loseAnswers(curfew(), "CreateActionExclusion", "reset-before");
    const failed = await alice("keep i-0c5 up for 20h");
    await press(curfew(), "alice", "It isn't", failed.message);
    expect((await alice("keep i-0c5 up in 20h for 20h")).text).toContain("You plan to keep");
  });

  it("counts where the outcome of a longer end is unknown", async () => {
    await alice("keep i-0c6 up for 2h");
    loseAnswers(curfew(), "ModifyActionExclusion", "reset-after");
    await alice("extend i-0c6 for 18h");
    expect((await alice("keep i-0c6 up in 20h for 20h")).text).toContain("this would be 1 d 16 h");
  });
});
