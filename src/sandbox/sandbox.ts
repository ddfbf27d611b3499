import type { Clock } from "./clock.ts";
import type { SandboxService } from "./service/start-sandbox-service.ts";
import type { WorkspaceSeed } from "./workspace/default-seed.ts";
import type { Workspace } from "./workspace/start-workspace.ts";

/** The embedded workspace and service with the bot between them, as the prompt, the page and the control endpoint use them. */
export interface Sandbox {
  readonly workspace: Workspace;
  /** The people and channels of the workspace. */
  readonly seed: WorkspaceSeed;
  readonly service: SandboxService;
  readonly clock: Clock;
  /** Resolves when the bot is idle. */
  readonly idle: () => Promise<void>;
}

export function seedPerson({ seed }: Sandbox, handle: string): WorkspaceSeed["people"][number] {
  const name = handle.replace(/^@/, "").toLowerCase();
  const person = seed.people.find((each) => each.handle === name || each.id.toLowerCase() === name);
  if (person) return person;
  throw new Error(`There is no person "${handle}". People: ${seed.people.map((each) => each.handle).join(", ")}.`);
}

/** The names of the channels a person is in. */
export function channelsOf({ seed }: Sandbox, handle: string): readonly string[] {
  return seed.channels.filter(({ members }) => members.includes(handle)).map(({ name }) => name);
}
