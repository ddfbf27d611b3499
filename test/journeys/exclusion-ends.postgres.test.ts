import { afterEach, beforeEach, expect, it } from "vitest";
import { createClock } from "../support/clock.ts";
import { ask, buttonsOn, cardOf, messagesAfter, nowOf, textOf, threadOf } from "../support/journey.ts";
import { type Curfew, type Instance, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

const minuteMs = 60_000;
const clock = createClock();
let curfew: Curfew;
let instances: readonly Instance[];
beforeEach(async () => {
  curfew = await startCurfew({ config: unlimitedConfig, now: clock.now });
  instances = [curfew, await curfew.addInstance()];
});
afterEach(() => curfew.stop());

/** Advances time. Either instance may take the jobs that become due. */
async function pass(ms: number): Promise<void> {
  for (const { app } of instances) await app.idle();
  clock.advance(ms);
  await Promise.all(instances.map(({ app }) => app.idle()));
}

const reminders = async (changeId: string) =>
  threadOf(curfew, await cardOf(curfew, changeId)).filter((each) =>
    /^:alarm_clock: This (?:ends|was to end) /.test(textOf(each)),
  );

it("two instances on one PostgreSQL send one reminder per end and show it on the card", async () => {
  const alice = curfew.workspace.as("alice");
  await alice.type("the demo is at eight", "ops");
  const ts = alice.messages("ops").at(-1)?.ts;
  const made = await messagesAfter(curfew, "alice", () => alice.type("@Curfew exclude staging for 2h", "ops", ts));
  const inThread = () =>
    curfew.workspace
      .channel("ops")
      .messages.filter(({ isFromApp, threadTs, ephemeralTo }) => isFromApp && threadTs === ts && !ephemeralTo);
  const other = await ask(curfew, "carol", "exclude staging for 5h --another");
  await pass(91 * minuteMs);
  expect(await reminders(made.changeId)).toHaveLength(1);
  expect(inThread().map(textOf)).toEqual([expect.stringContaining("<@U01ALICE> is keeping *staging* running")]);
  await ask(curfew, "alice", `exclusion extend ${made.exclusionId} for 1h`);
  await pass(30 * minuteMs);
  const card = await cardOf(curfew, made.changeId);
  expect(textOf(nowOf(curfew, card))).toMatch(/^:large_green_circle:/);
  // Both reminders of the former end, of the card and of the thread where it was asked for, are in one channel.
  const overtaken = [...(await reminders(made.changeId)), ...inThread()];
  expect(overtaken.map(textOf)).toEqual([0, 1].map(() => expect.stringMatching(/^:alarm_clock: This was to end /)));
  expect(overtaken.flatMap(buttonsOn)).toEqual([]);
  await pass(30 * minuteMs);
  expect(await reminders(made.changeId)).toHaveLength(2);
  await pass(30 * minuteMs);
  expect(textOf(nowOf(curfew, card))).toMatch(/^:white_circle: This ended/);
  expect(buttonsOn(nowOf(curfew, card))).toEqual([]);
  expect(await reminders(other.changeId)).toEqual([]);
  // A reminder of each end, and that it is over.
  expect(inThread()).toHaveLength(3);
});
