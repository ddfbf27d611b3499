import { afterAll, afterEach, beforeAll, describe } from "vitest";
import type { Person } from "../../src/sandbox/workspace/person.ts";
import { createClock, type SettableClock } from "./clock.ts";
import { isOnPostgres } from "./on-postgres.ts";
import { type Curfew, type CurfewOptions, type Mode, startCurfew, unlimitedConfig } from "./start-curfew.ts";
import { isEverything } from "./tiers.ts";

interface OneBotOptions extends CurfewOptions {
  /** The start time of its clock. */
  readonly startAt?: number;
}

/** One bot for all tests of a file. Faults, open forms and pending work last for one test only. */
export function oneBot({ startAt, ...options }: OneBotOptions = {}): {
  readonly curfew: () => Curfew;
  readonly clock: SettableClock;
  readonly person: (who: string) => Person;
} {
  const clock = createClock(startAt);
  let running: Curfew | undefined;
  const curfew = (): Curfew => {
    if (running === undefined) throw new Error("The bot has not been started.");
    return running;
  };
  beforeAll(async () => {
    running = await startCurfew({ config: unlimitedConfig, now: clock.now, elapsedMs: clock.elapsedMs, ...options });
  });
  afterEach(async () => {
    running?.service.faults.clear();
    running?.workspace.faults.clear();
    for (const who of ["alice", "bob", "carol", "dave"]) {
      const person = curfew().workspace.as(who);
      if (person.openView()) await person.cancel();
    }
    await curfew().app.idle();
  });
  afterAll(async () => {
    await running?.stop();
  });
  return { curfew, clock, person: (who) => curfew().workspace.as(who) };
}

type Tests = (curfew: () => Curfew, clock: SettableClock, person: (who: string) => Person) => void;

/** Tests with one bot for all of them, over HTTP by default. */
export function withOneBot(tests: Tests, options: OneBotOptions = {}): void {
  const { curfew, clock, person } = oneBot(options);
  tests(curfew, clock, person);
}

/** Tests over HTTP need no repetition in Socket Mode, except in the full run, and there not on both databases. */
export const modes: readonly Mode[] = isEverything && !isOnPostgres ? ["http", "socket"] : ["http"];

/** The same tests over HTTP and in Socket Mode, for what may differ: how Slack's requests arrive and are acknowledged. */
export function inBothModes(tests: Tests): void {
  describe.each(modes)("over %s", (mode) => withOneBot(tests, { mode }));
}

/** The body of the last request for an operation that the service got. */
export function lastBody({ service }: Curfew, operation: string): unknown {
  return service.requests.findLast((request) => request.operation === operation)?.body;
}
