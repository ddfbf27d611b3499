import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { type Clock, createClock } from "./clock.ts";
import { type Curfew, type CurfewOptions, type Mode, startCurfew, unlimitedConfig } from "./start-curfew.ts";
import { isEverything } from "./tiers.ts";

interface OneBotOptions extends CurfewOptions {
  /** Where its clock starts. */
  readonly startAt?: number;
}

/** One bot for all tests of a file; faults, open forms and what is under way last no longer than a test. */
export function oneBot({ startAt, ...options }: OneBotOptions = {}): {
  readonly curfew: () => Curfew;
  readonly clock: Clock;
} {
  const clock = createClock(startAt);
  let running: Curfew | undefined;
  const curfew = (): Curfew => {
    if (running === undefined) throw new Error("The bot has not been started.");
    return running;
  };
  beforeAll(async () => {
    running = await startCurfew({ config: unlimitedConfig, now: clock.now, ...options });
  });
  afterEach(async () => {
    running?.service.faults.clear();
    running?.workspace.faults.clear();
    for (const who of ["alice", "bob", "carol", "dave"]) {
      const person = curfew().workspace.as(who);
      if (person.openView()) await person.cancel(true);
    }
    await curfew().app.idle();
  });
  afterAll(async () => {
    await running?.stop();
  });
  return { curfew, clock };
}

type Tests = (curfew: () => Curfew, clock: Clock) => void;

/** Tests with one bot for them all, which is over HTTP unless told otherwise. */
export function withOneBot(tests: Tests, options: OneBotOptions = {}): void {
  const { curfew, clock } = oneBot(options);
  tests(curfew, clock);
}

/** What is said over HTTP need not be said again in Socket Mode, unless everything is run. */
export const modes: readonly Mode[] = isEverything ? ["http", "socket"] : ["http"];

/** The same tests over HTTP and in Socket Mode, for what could differ: how Slack's requests come and are acknowledged. */
export function inBothModes(tests: Tests): void {
  describe.each(modes)("over %s", (mode) => withOneBot(tests, { mode }));
}

/** The body of the last request of an operation that the service was sent. */
export function lastBody({ service }: Curfew, operation: string): unknown {
  return service.requests.findLast((request) => request.operation === operation)?.body;
}
