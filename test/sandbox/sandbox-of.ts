import { type Clock, createClock } from "../../src/sandbox/clock.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import type { Curfew } from "../support/start-curfew.ts";

/** The sandbox of a bot under test. */
export function sandboxOf(
  curfew: Curfew,
  clock: Clock = createClock(Date.now),
  writes: Sandbox["writes"] = [],
): Sandbox {
  const { workspace, service } = curfew;
  return { workspace, service, seed: defaultSeed, clock, idle: () => curfew.app.idle(), writes };
}
