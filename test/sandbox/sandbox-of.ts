import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import type { Curfew } from "../support/start-curfew.ts";

/** What the prompt and the control endpoint act on, around a bot under test. */
export function sandboxOf(curfew: Curfew): Sandbox {
  const { workspace, service } = curfew;
  return { workspace, service, seed: defaultSeed, now: Date.now, idle: () => curfew.app.idle() };
}
