import { afterEach, expect, it } from "vitest";
import { verify } from "../store/history-file.ts";
import { createClock } from "../support/clock.ts";
import { ask, cardOf, changesSentTo, nowOf, textOf } from "../support/journey.ts";
import { passTo } from "../support/pass-to.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

let curfew: Curfew | undefined;
afterEach(async () => {
  await curfew?.stop();
  curfew = undefined;
});

it("a planned exclusion and a time of a series are made once by two instances, also where one of them is gone", async () => {
  const clock = createClock(Date.parse("2026-11-25T10:40:00Z"));
  const running = await startCurfew({ config: unlimitedConfig, now: clock.now });
  curfew = running;
  const other = await running.addInstance({ heartbeatEveryMs: 20 });
  const sent = changesSentTo(running);
  const { changeId } = await ask(running, "alice", "exclude i-0a1 from fri 18:00 until sat 8:00");
  const card = await cardOf(running, changeId);
  await ask(running, "alice", "keep i-0b1 up every fri 18:00-22:00 until 2026-12-04");
  await running.app.idle();
  await passTo(running, clock, "2026-11-27T17:00:01Z", [running, other]);
  expect(sent()).toEqual(["CreateActionExclusion", "CreateActionExclusion"]);
  expect(textOf(nowOf(running, card))).toContain("is keeping *i-0a1* running until");
  await other.crash();
  await passTo(running, clock, "2026-12-04T17:00:01Z");
  expect(sent()).toHaveLength(3);
  expect(await verify(running.database)).toMatchObject({ kind: "intact" });
});
