import { setTimeout as delay } from "node:timers/promises";
import { parseDuration } from "../time/duration.ts";
import type { Clock } from "./clock.ts";
import type { ActionExclusion } from "./service/account.ts";
import { isInForce } from "./service/runs.ts";
import type { SandboxService } from "./service/start-sandbox-service.ts";
import type { SeedPerson, WorkspaceSeed } from "./workspace/default-seed.ts";
import { messageToText, viewToText } from "./workspace/message-to-text.ts";
import type { Viewer } from "./workspace/mrkdwn.ts";
import type { Workspace } from "./workspace/start-workspace.ts";
import type { StoredMessage } from "./workspace/state.ts";

export interface DatabaseWrite {
  readonly at: number;
  readonly table: string;
}

/** The embedded workspace and service with the bot between them, as the prompt and the page use them. */
export interface Sandbox {
  readonly workspace: Workspace;
  /** The people and channels of the workspace. */
  readonly seed: WorkspaceSeed;
  readonly service: SandboxService;
  readonly clock: Clock;
  /** What Curfew wrote to its database, oldest first. */
  readonly writes: readonly DatabaseWrite[];
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

/** Renders texts for a person: names instead of ids, times in their zone. */
export function viewerOf(sandbox: Sandbox, handle: string): Viewer {
  const { seed, workspace, clock } = sandbox;
  const names = new Map<string, string>([
    ...seed.people.map(({ id, handle: name }) => [id, name] as const),
    ...seed.channels.map(({ id, name }) => [id, name] as const),
    ...seed.userGroups.map(({ id, handle: name }) => [id, name] as const),
    [workspace.botUserId, "Curfew"],
    ["USLACK", "Slack"],
  ]);
  return { nameOf: (id) => names.get(id) ?? id, zone: seedPerson(sandbox, handle).tz ?? "UTC", now: clock.now() };
}

/** How a person differs from a regular member, in words for the screen. */
export function membershipOf({ isRestricted, isBot, deleted, teamId }: SeedPerson, home: string): readonly string[] {
  return [
    ...(isRestricted ? ["guest"] : []),
    ...(isBot ? ["bot"] : []),
    ...(deleted ? ["deactivated"] : []),
    ...(teamId !== undefined && teamId !== home ? ["from another organization"] : []),
  ];
}

/** The exclusions in force in the embedded service, the first to end first. */
export function exclusionsInForce({ service, clock }: Sandbox): readonly ActionExclusion[] {
  const at = clock.now();
  return [...service.account.exclusions.values()]
    .filter((exclusion) => isInForce(exclusion, at))
    .sort((one, other) => Date.parse(one.expiryDate) - Date.parse(other.expiryDate));
}

/** Moves the clock forward by a duration such as `2h` and returns the new time as ISO text. Throws on an invalid duration. */
export async function moveClock({ clock }: Sandbox, words: string): Promise<string> {
  const length = parseDuration(words);
  if (length.kind !== "duration") throw new Error(length.reason);
  await clock.moveTo(clock.now() + length.ms);
  return new Date(clock.now()).toISOString();
}

/** Rejects when the promise rejects in time. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = new AbortController();
  const timeout = delay(ms, false, { signal: settled.signal }).catch(() => false);
  const isSettled = await Promise.race([promise.then(() => true), timeout]);
  settled.abort();
  return isSettled;
}

/** A message on a person's screen. */
export interface SeenMessage {
  /** A channel's name, or `dm` for the direct messages with the bot. */
  readonly place: string;
  readonly from: string;
  /** As rendered, with its buttons. */
  readonly text: string;
  readonly stored: StoredMessage;
}

/** The messages a person sees, oldest first: in one place, or in all their channels and direct messages. */
export function messagesSeen(sandbox: Sandbox, handle: string, place?: string): readonly SeenMessage[] {
  const person = sandbox.workspace.as(handle);
  const viewer = viewerOf(sandbox, handle);
  const places = place === undefined ? [...channelsOf(sandbox, handle), "dm"] : [place.replace(/^#/, "")];
  const seen = places.flatMap((name) =>
    person.messages(name).map((stored) => ({
      place: name,
      from: viewer.nameOf(stored.userId),
      text: messageToText(stored, viewer),
      stored,
    })),
  );
  return seen.sort((one, other) => Number(one.stored.ts) - Number(other.stored.ts));
}

/** The form a person has open, rendered with its values and errors. */
export function viewSeen(sandbox: Sandbox, handle: string): string | undefined {
  const view = sandbox.workspace.as(handle).openView();
  return view && viewToText({ ...view, errors: view.blockErrors }, viewerOf(sandbox, handle));
}
