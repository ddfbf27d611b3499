import { afterAll, afterEach, beforeAll } from "vitest";
import { type Clock, createClock } from "./clock.ts";
import { unlimitedConfig } from "./in-both-modes.ts";
import { type Curfew, type CurfewOptions, startCurfew } from "./start-curfew.ts";

/** One bot for all tests of a file; faults last no longer than a test, and no form stays open after it. */
export function oneBot(options: CurfewOptions = {}): { readonly curfew: () => Curfew; readonly clock: Clock } {
  const clock = createClock();
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
    for (const who of ["alice", "bob", "carol", "dave"]) {
      const person = curfew().workspace.as(who);
      if (person.openView()) await person.cancel(true);
    }
  });
  afterAll(async () => {
    await running?.stop();
  });
  return { curfew, clock };
}

/** The body of the last request of an operation that the service was sent. */
export function lastBody({ service }: Curfew, operation: string): unknown {
  return service.requests.findLast((request) => request.operation === operation)?.body;
}
