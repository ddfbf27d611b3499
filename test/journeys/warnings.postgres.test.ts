import { afterEach, expect, it } from "vitest";
import { createClock } from "../support/clock.ts";
import { nowOf, textOf } from "../support/journey.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";
import { only, warningConfig, warningDay, warningStart } from "../support/warnings.ts";

let running: Curfew | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

it("several instances warn once, and another one goes on when the first is gone", async () => {
  const clock = createClock(warningStart);
  const curfew = await startCurfew({ config: warningConfig, now: clock.now, instances: 3 });
  running = curfew;
  const { action, begin, pollAt, at, warnings } = warningDay(() => curfew, clock);
  const all = [curfew, ...curfew.others];
  await begin(action("a-staging", "19:00"));
  await pollAt("18:31");
  await Promise.all(all.map(({ app }) => app.watch()));
  await Promise.all(all.map(({ app }) => app.idle()));
  const warning = only(warnings());
  await curfew.crash();
  clock.advance(at("19:01") - clock.now());
  await Promise.all(curfew.others.map(({ app }) => app.watch()));
  await Promise.all(curfew.others.map(({ app }) => app.idle()));
  await curfew.workspace.waitFor(() => /^:white_circle: <[^>]*>: Stop staging$/.test(textOf(nowOf(curfew, warning))), {
    what: "the end of the warning",
  });
  expect(warnings()).toHaveLength(1);
});
