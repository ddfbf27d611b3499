import { createSignal, type Signal } from "../../signal.ts";
import { type AppManifest, parseAppManifest } from "../app-manifest.ts";
import {
  defaultSeed,
  type Enterprise,
  type SeedPerson,
  type SeedUserGroup,
  type Workflow,
  type WorkspaceSeed,
} from "../default-seed.ts";
import type { JsonObject } from "../json-object.ts";
import { Collection } from "./collection.ts";
import type { Execution } from "./executions.ts";
import { messageKey, type StoredMessage } from "./messages.ts";
import {
  createIds,
  createPermits,
  createRateLimits,
  type Ids,
  type InstalledApp,
  installApp,
  type Permits,
  type RateLimits,
} from "./permits.ts";
import type { ViewRecord } from "./views.ts";

export type User = SeedPerson & { readonly teamId: string; readonly updatedAt: number };

export interface UserGroup extends Omit<SeedUserGroup, "members"> {
  readonly memberIds: readonly string[];
  readonly updatedAt: number;
}

export interface Channel {
  readonly id: string;
  readonly kind: "public" | "private" | "im";
  /** Empty for a direct message. */
  readonly name: string;
  readonly memberIds: readonly string[];
  readonly isShared: boolean;
  readonly isArchived: boolean;
  readonly createdAt: number;
}

export interface ResponseTarget {
  readonly userId: string;
  readonly channelId: string;
  /** The message acted on. A command has none, so there is nothing to replace. */
  readonly source?: { readonly ts: string; readonly isEphemeral: boolean };
}

export interface Trigger {
  readonly userId: string;
}

/** The state of the simulated workspace: people, messages, open views, and the one installed app. */
export interface WorkspaceState {
  readonly team: WorkspaceSeed["team"];
  /** Undefined for a workspace that belongs to none. */
  readonly enterprise: Enterprise | undefined;
  readonly workflows: readonly Workflow[];
  readonly app: InstalledApp;
  readonly manifest: AppManifest;
  readonly now: () => number;
  readonly ids: Ids;
  readonly signal: Signal;
  /** Everyone, including people from other organizations and the app's bot user. */
  readonly people: Collection<User>;
  readonly groups: Collection<UserGroup>;
  readonly channels: Collection<Channel>;
  readonly messages: Collection<StoredMessage>;
  /** The runs of the app's steps. */
  readonly executions: Collection<Execution>;
  readonly views: Collection<ViewRecord>;
  /** Permission to open one view, within three seconds (PLATFORM.md §5). Used up even when the view is then invalid, the stricter reading. */
  readonly triggers: Permits<Trigger>;
  /** The paths of URLs that take five messages within 30 minutes (PLATFORM.md §4). */
  readonly responseUrls: Permits<ResponseTarget>;
  readonly take: RateLimits;
  /** The workspace's own URL, without a trailing slash. */
  readonly baseUrl: () => string;
}

interface StateOptions {
  readonly manifest: unknown;
  readonly seed?: WorkspaceSeed | undefined;
  readonly now: () => number;
  readonly rateLimits: "slack" | "off";
  readonly baseUrl: () => string;
}

export function createWorkspaceState(options: StateOptions): WorkspaceState {
  const { now, baseUrl, seed = defaultSeed } = options;
  const { team, enterprise, workflows = [] } = seed;
  const manifest = parseAppManifest(options.manifest);
  const ids = createIds(now);
  const signal = createSignal();
  const onChange = signal.changed;
  const idOf = ({ id }: { readonly id: string }) => id;
  const app = installApp(team.id, ids);
  const bot: SeedPerson = { id: app.botUserId, handle: "curfew", realName: manifest.name, isBot: true };
  const people = new Collection<User>(
    { idOf, kind: "person", nameOf: ({ handle }) => handle },
    [...seed.people, bot].map((person) => ({ ...person, teamId: person.teamId ?? team.id, updatedAt: now() })),
  );
  const idsOf = (handles: readonly string[]) => handles.map((handle) => people.named(handle).id);
  const groups = seed.userGroups.map(({ members, ...group }) => ({
    ...group,
    memberIds: idsOf(members),
    updatedAt: now(),
  }));
  const channels = seed.channels.map(
    ({ id, name, members, ...channel }): Channel => ({
      id,
      name,
      kind: channel.isPrivate === true ? "private" : "public",
      memberIds: [...idsOf(members), ...(channel.hasBot === true ? [app.botUserId] : [])],
      isShared: channel.isShared === true,
      isArchived: channel.isArchived === true,
      createdAt: now(),
    }),
  );
  return {
    team,
    enterprise,
    workflows,
    app,
    manifest,
    now,
    ids,
    signal,
    people,
    baseUrl,
    groups: new Collection<UserGroup>({ idOf, kind: "user group", nameOf: ({ handle }) => handle }, groups),
    channels: new Collection<Channel>({ idOf, kind: "channel", nameOf: ({ name }) => name }, channels),
    messages: new Collection<StoredMessage>({ idOf: messageKey, onChange }),
    executions: new Collection<Execution>({ idOf, kind: "run", onChange }),
    views: new Collection<ViewRecord>({ idOf, kind: "open view", onChange }),
    triggers: createPermits({ lifetimeMs: 3000, maxUses: 1, now }),
    responseUrls: createPermits({ lifetimeMs: 30 * 60_000, maxUses: 5, now }),
    take: createRateLimits(options.rateLimits, now),
  };
}

export function issueTrigger({ triggers, ids }: WorkspaceState, { id }: User): string {
  return triggers.issue(`${ids.digits()}.${ids.digits()}.${ids.hex(32)}`, { userId: id });
}

export function issueResponseUrl(
  { responseUrls, ids, team, baseUrl }: WorkspaceState,
  kind: "commands" | "actions" | "app",
  target: ResponseTarget,
): string {
  return baseUrl() + responseUrls.issue(`/${kind}/${team.id}/${ids.digits()}/${ids.hex(24)}`, target);
}

/** One id per pair. The app's own direct messages contain the person's id, which makes dumps readable. */
function directId({ app }: WorkspaceState, userId: string, otherId: string): string {
  const rest = [userId, otherId].filter((id) => id !== app.botUserId).sort();
  return `D${rest.map((id) => id.slice(1)).join("")}`;
}

/** The direct message of a person with another or with the app, if one was opened. */
export function directWith(workspace: WorkspaceState, userId: string, otherId: string): Channel | undefined {
  return workspace.channels.get(directId(workspace, userId, otherId));
}

export function openDirect(workspace: WorkspaceState, userId: string, otherId = workspace.app.botUserId): Channel {
  return (
    directWith(workspace, userId, otherId) ??
    workspace.channels.put({
      id: directId(workspace, userId, otherId),
      kind: "im",
      name: "",
      memberIds: [userId, otherId],
      isShared: false,
      isArchived: false,
      createdAt: workspace.now(),
    })
  );
}

/** The channel in payloads. Private channels and direct messages hide their names (PLATFORM.md §3.1). */
export function channelPart({ id, kind, name }: Channel): { readonly id: string; readonly name: string } {
  return { id, name: kind === "public" ? name : kind === "im" ? "directmessage" : "privategroup" };
}

export const isBotIn = ({ app }: WorkspaceState, { memberIds }: Channel): boolean => memberIds.includes(app.botUserId);

/** Whether somebody is of another organization, or of another workspace where there is none. */
export function isForeign({ teamId, teams }: User, { team, enterprise }: WorkspaceState): boolean {
  if (teamId === team.id) return false;
  return enterprise === undefined || (teamId !== enterprise.id && teams === undefined);
}

/** The origin of a payload (PLATFORM.md §6.1). */
export function placeFields({ team: { id, domain }, enterprise }: WorkspaceState): JsonObject {
  if (enterprise === undefined) return { team: { id, domain }, enterprise: null, is_enterprise_install: false };
  const { id: enterprise_id, name: enterprise_name, isOrgWide = false } = enterprise;
  return {
    team: isOrgWide ? null : { id, domain, enterprise_id, enterprise_name },
    enterprise: { id: enterprise_id, name: enterprise_name },
    is_enterprise_install: isOrgWide,
  };
}
