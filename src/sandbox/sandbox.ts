import type { Clock } from "./clock.ts";
import type { SandboxService } from "./service/start-sandbox-service.ts";
import type { WorkspaceSeed } from "./workspace/default-seed.ts";
import type { Workspace } from "./workspace/start-workspace.ts";

/** What the prompt and the control endpoint act on: the embedded workspace and service, with the bot between them. */
export interface Sandbox {
  readonly workspace: Workspace;
  /** Who and which channels there are in the workspace. */
  readonly seed: WorkspaceSeed;
  readonly service: SandboxService;
  readonly clock: Clock;
  /** Resolves when the bot has nothing under way. */
  readonly idle: () => Promise<void>;
}

export function seedPerson({ seed }: Sandbox, handle: string): WorkspaceSeed["people"][number] {
  const name = handle.replace(/^@/, "").toLowerCase();
  const person = seed.people.find((each) => each.handle === name || each.id.toLowerCase() === name);
  if (person) return person;
  throw new Error(`Nobody is called "${handle}". There are ${seed.people.map((each) => each.handle).join(", ")}.`);
}

/** The channels a person is in. */
export function channelsOf({ seed }: Sandbox, handle: string): readonly string[] {
  return seed.channels.filter(({ members }) => members.includes(handle)).map(({ name }) => name);
}
