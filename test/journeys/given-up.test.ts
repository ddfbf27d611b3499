import { afterEach, beforeEach, expect, it } from "vitest";
import { verify } from "../store/history-file.ts";
import { createClock } from "../support/clock.ts";
import { execute } from "../support/execute.ts";
import { ask, cardOf, changesSentTo, nowOf, textOf } from "../support/journey.ts";
import { passTo } from "../support/pass-to.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

/** A Wednesday, 11:40 in Berlin. */
const wednesday = Date.parse("2026-11-25T10:40:00Z");
let clock = createClock(wednesday);
let curfew: Curfew;
beforeEach(async () => {
  clock = createClock(wednesday);
  curfew = await startCurfew({ config: unlimitedConfig, now: clock.now });
});
afterEach(async () => {
  expect(await verify(curfew.database)).toMatchObject({ kind: "intact" });
  await curfew.stop();
});

/** The waiting jobs were taken by two instances that are gone. */
const loseTwice = () => execute(curfew.database, "update job set tries = 2");

it.each([
  [
    "exclude staging from fri 18:00 until sat 8:00",
    "Curfew was interrupted each time it began this. Nothing was done: ask again.",
  ],
  [
    "exclude staging every weekday from 18:00 to 20:00 until 2026-12-04",
    "Curfew was interrupted each time it began the next of its times.",
  ],
])("what was to be done later and ended the process twice is not begun again: %s", async (line, why) => {
  const sent = changesSentTo(curfew);
  const { changeId } = await ask(curfew, "alice", line);
  const card = await cardOf(curfew, changeId);
  await curfew.app.idle();
  await loseTwice();
  await passTo(curfew, clock, "2026-11-27T17:00:01Z");
  expect(sent()).toEqual([]);
  expect((await ask(curfew, "alice", `history ${changeId}`)).text).toContain("failed");
  expect(textOf(nowOf(curfew, card))).toContain(why);
  expect(curfew.workspace.as("alice").messages("dm").map(textOf).at(-1)).toContain(why);
});
