import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { type Clock, createClock } from "./clock.ts";
import { type Curfew, exampleConfig, startCurfew } from "./start-curfew.ts";

/** The example, without a limit on how much one person may ask. */
export const unlimitedConfig = exampleConfig.replace("perPersonPerMinute: 30", "perPersonPerMinute: 0");

/** Runs the same tests over HTTP and in Socket Mode, each with one bot for them all; faults and open forms last no longer than a test. */
export function inBothModes(
  tests: (curfew: () => Curfew, clock: Clock) => void,
  { config = unlimitedConfig, startAt = Date.now() } = {},
): void {
  describe.each(["http", "socket"] as const)("over %s", (mode) => {
    const clock = createClock(startAt);
    let running: Curfew | undefined;
    const curfew = (): Curfew => {
      if (running === undefined) throw new Error("The bot has not been started.");
      return running;
    };
    beforeAll(async () => {
      running = await startCurfew({ mode, config, now: clock.now });
    });
    afterEach(async () => {
      running?.service.faults.clear();
      running?.workspace.faults.clear();
      for (const who of ["alice", "bob", "carol", "dave"]) {
        const person = running?.workspace.as(who);
        if (person?.openView()) await person.cancel(true);
      }
    });
    afterAll(async () => {
      await running?.stop();
    });
    tests(curfew, clock);
  });
}
