import { createSignal } from "../clock.ts";
import { type AppFunction, parseAppManifest } from "./app-manifest.ts";
import { initialState } from "./blocks.ts";
import { defaultSeed, type SeedPerson, type SeedUserGroup, type WorkspaceSeed } from "./default-seed.ts";
import { isJsonObject, type JsonObject, objectsIn, type StateValues, stringAt } from "./json-object.ts";

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
  readonly source?: { readonly ts: string };
}

interface StateOptions {
  readonly manifest: unknown;
  readonly seed?: WorkspaceSeed;
  readonly now: () => number;
  readonly rateLimits: "slack" | "off";
  /** The workspace's own URL, without a trailing slash. */
  readonly baseUrl: () => string;
}

/** People, messages, open views, and the one installed app. */
export type WorkspaceState = ReturnType<typeof createWorkspaceState>;

export function createWorkspaceState({ now, baseUrl, rateLimits, seed = defaultSeed, ...given }: StateOptions) {
  const { team, enterprise, workflows = [] } = seed;
  const manifest = parseAppManifest(given.manifest);
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
    baseUrl,
    /** Everyone, including people from other organizations and the app's bot user. */
    people,
    groups: new Collection<UserGroup>({ idOf, kind: "user group", nameOf: ({ handle }) => handle }, groups),
    channels: new Collection<Channel>({ idOf, kind: "channel", nameOf: ({ name }) => name }, channels),
    messages: new Collection<StoredMessage>({ idOf: messageKey, onChange }),
    /** The runs of the app's steps. */
    executions: new Collection<Execution>({ idOf, kind: "run", onChange }),
    views: new Collection<ViewRecord>({ idOf, kind: "open view", onChange }),
    /** Permission to open one view, within three seconds (PLATFORM.md §5). Used up even when the view is then invalid, the stricter reading. */
    triggers: createPermits<{ readonly userId: string }>({ lifetimeMs: 3000, maxUses: 1, now }),
    /** The paths of URLs that take five messages within 30 minutes (PLATFORM.md §4). */
    responseUrls: createPermits<ResponseTarget>({ lifetimeMs: 30 * 60_000, maxUses: 5, now }),
    take: createRateLimits(rateLimits, now),
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

interface CollectionOptions<T> {
  readonly idOf: (item: T) => string;
  /** What one is called in an error, and the name that people use for it. */
  readonly kind?: string;
  readonly nameOf?: (item: T) => string | undefined;
  readonly onChange?: () => void;
}

/** Items by id, in the order they came. They are replaced, never edited in place. */
class Collection<T> {
  readonly #items = new Map<string, T>();
  readonly #options: CollectionOptions<T>;

  constructor(options: CollectionOptions<T>, items: readonly T[] = []) {
    this.#options = options;
    for (const item of items) this.#items.set(options.idOf(item), item);
  }

  get all(): readonly T[] {
    return [...this.#items.values()];
  }

  get(id: string): T | undefined {
    return this.#items.get(id);
  }

  find(test: (item: T) => boolean): T | undefined {
    for (const item of this.#items.values()) if (test(item)) return item;
    return undefined;
  }

  /** By id or name, with or without `@` or `#`. */
  lookUp(nameOrId: string): T | undefined {
    const name = nameOrId.replace(/^[@#]/, "");
    return this.get(name) ?? this.find((item) => name !== "" && this.#options.nameOf?.(item) === name);
  }

  /** The same, but throws when there is none. */
  named(nameOrId: string): T {
    const item = this.lookUp(nameOrId);
    if (item === undefined)
      throw new Error(`There is no ${this.#options.kind} "${nameOrId}" in the sandbox workspace.`);
    return item;
  }

  put(item: T): T {
    this.#items.set(this.#options.idOf(item), item);
    this.#options.onChange?.();
    return item;
  }

  change(nameOrId: string, changes: Partial<T>): T {
    return this.put({ ...this.named(nameOrId), ...changes });
  }

  remove(...ids: readonly string[]): void {
    for (const id of ids) this.#items.delete(id);
    this.#options.onChange?.();
  }
}

export interface StoredMessage {
  readonly ts: string;
  readonly channelId: string;
  /** The author: a person, the bot, or `USLACK` for Slack's own notices. */
  readonly userId: string;
  readonly text: string;
  readonly blocks: readonly JsonObject[];
  /** True for the app's own messages. */
  readonly isFromApp: boolean;
  readonly threadTs?: string;
  /** Only this person sees it. */
  readonly ephemeralTo?: string;
  /** Shows "(edited)". */
  readonly isEdited: boolean;
}

type MessageDraft = Pick<StoredMessage, "channelId" | "userId" | "text"> &
  Partial<Omit<StoredMessage, "ts" | "isEdited">>;

export const messageKey = ({ channelId, ts }: Pick<StoredMessage, "channelId" | "ts">): string => `${channelId} ${ts}`;

export function postMessage({ messages, ids }: WorkspaceState, draft: MessageDraft): StoredMessage {
  return messages.put({ blocks: [], isFromApp: false, ...draft, ts: ids.timestamp(), isEdited: false });
}

/** In posting order, including ephemeral ones. */
export function messagesIn({ messages }: WorkspaceState, channelId: string): readonly StoredMessage[] {
  return messages.all.filter((message) => message.channelId === channelId);
}

/** The message as in Slack's answers and payloads. */
export function messagePayload(
  { ts, userId, text, blocks, threadTs, isEdited, isFromApp }: StoredMessage,
  { app, manifest }: WorkspaceState,
): JsonObject {
  const { botId: id, appId: app_id, teamId: team } = app;
  return {
    type: "message",
    user: userId,
    text,
    ts,
    team,
    ...(isFromApp ? { bot_id: id, app_id, bot_profile: { id, app_id, name: manifest.name } } : {}),
    ...(blocks.length === 0 ? {} : { blocks }),
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(isEdited ? { edited: { user: userId, ts } } : {}),
  };
}

/** An open modal or a Home tab. */
export interface ViewRecord {
  readonly id: string;
  readonly userId: string;
  readonly type: "modal" | "home";
  /** As the app sent it, with Slack's defaults filled in. */
  readonly definition: JsonObject;
  readonly state: StateValues;
  readonly hash: string;
  /** The error messages under inputs, by block id. */
  readonly errors: Readonly<Record<string, string>>;
}

/** The one modal or the Home tab of a person. */
export function viewOf({ views }: WorkspaceState, userId: string, type: ViewRecord["type"] = "modal") {
  return views.find((view) => view.userId === userId && view.type === type);
}

/** Shows a view in place of the person's other one of its type. A published Home keeps what was chosen on it. */
export function showView(workspace: WorkspaceState, userId: string, type: ViewRecord["type"], definition: JsonObject) {
  const { views, ids } = workspace;
  const before = viewOf(workspace, userId, type);
  if (before !== undefined && type === "home") return replaceView(workspace, before.id, definition);
  if (before !== undefined) views.remove(before.id);
  const state = initialState(blocksOf(definition));
  return views.put({ id: ids.next("V"), userId, type, definition, state, hash: newHash(workspace), errors: {} });
}

/** Keeps the typed values where `block_id` and `action_id` are the same (PLATFORM.md §7.3). */
export function replaceView(workspace: WorkspaceState, id: string, definition: JsonObject): ViewRecord {
  const { state: typed } = workspace.views.named(id);
  const fresh = Object.entries(initialState(blocksOf(definition))).map(([blockId, elements]) => {
    const kept = Object.entries(elements).map(([actionId, value]) => {
      const before = typed[blockId]?.[actionId];
      return [actionId, before !== undefined && before.type === value.type ? before : value] as const;
    });
    return [blockId, Object.fromEntries(kept)] as const;
  });
  const state = Object.fromEntries(fresh);
  return workspace.views.change(id, { definition, state, hash: newHash(workspace), errors: {} });
}

const newHash = ({ ids, now }: WorkspaceState): string => `${Math.floor(now() / 1000)}.${ids.hex(8)}`;

export function blocksOf(definition: JsonObject): readonly JsonObject[] {
  return objectsIn(definition.blocks);
}

/** The view as in Slack's answers and payloads (PLATFORM.md §7.2). */
export function viewPayload({ id, type, definition, state, hash }: ViewRecord, { app }: WorkspaceState): JsonObject {
  const { teamId, appId, botId } = app;
  return {
    id,
    team_id: teamId,
    type,
    blocks: blocksOf(definition),
    private_metadata: stringAt(definition.private_metadata) ?? "",
    callback_id: stringAt(definition.callback_id) ?? "",
    state: { values: state },
    hash,
    title: isJsonObject(definition.title) ? definition.title : { type: "plain_text", text: "View Title", emoji: true },
    close: definition.close ?? null,
    submit: definition.submit ?? null,
    previous_view_id: null,
    root_view_id: id,
    app_id: appId,
    app_installed_team_id: teamId,
    bot_id: botId,
  };
}

export type ExecutionEnd =
  | { readonly kind: "completed"; readonly outputs: JsonObject }
  | { readonly kind: "failed"; readonly error: string };

/** One run of a step. It stays in progress until the app completes or fails it (PLATFORM.md §18.1). */
export interface Execution {
  readonly id: string;
  readonly workflowId: string;
  readonly step: AppFunction;
  readonly inputs: JsonObject;
  /** Valid until its end. */
  readonly token: string;
  readonly end: ExecutionEnd | undefined;
}

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const mixed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Identifiers in Slack's form. Code may rely only on the first letter (PLATFORM.md §11.1). */
function createIds(now: () => number) {
  let lastMicros = 0;
  const pick = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(Math.random() * alphabet.length))).join("");
  const hex = (length: number) => pick("0123456789abcdef", length);
  return {
    /** A prefix and ten characters, for example `V0A1B2C3D4E`. */
    next: (prefix: string) => `${prefix}0${pick(capitals, 9)}`,
    /** `<seconds>.<six digits>`, unique. */
    timestamp: () => {
      lastMicros = Math.max(now() * 1000, lastMicros + 1);
      return `${Math.floor(lastMicros / 1e6)}.${String(Math.floor(lastMicros % 1e6)).padStart(6, "0")}`;
    },
    /** The id Slack fills in for a missing `block_id` or `action_id`. */
    block: () => pick(mixed, 5),
    hex,
    digits: () => String(Number.parseInt(hex(10), 16) + 1e9),
  };
}

/** The installed app. Its ids are fixed; its secrets are new each time. */
function installApp(teamId: string, ids: ReturnType<typeof createIds>) {
  return {
    teamId,
    appId: "A0CURFEW",
    botId: "B0CURFEW",
    botUserId: "UCURFEW",
    botToken: `xoxb-sandbox-${ids.hex(24)}`,
    appToken: `xapp-1-A0CURFEW-${ids.hex(24)}`,
    signingSecret: ids.hex(32),
    verificationToken: ids.hex(24),
  };
}

export interface Allowance {
  readonly burst: number;
  readonly perMinute: number;
}

export const allowances = {
  tier2: { burst: 20, perMinute: 20 },
  tier3: { burst: 50, perMinute: 50 },
  tier4: { burst: 100, perMinute: 100 },
  /** `auth.test`, `chat.getPermalink`, and posting in the whole workspace: "hundreds a minute". */
  hundreds: { burst: 300, perMinute: 300 },
  /** Posting in one channel: one a second with short bursts. */
  everySecond: { burst: 5, perMinute: 60 },
} as const satisfies Record<string, Allowance>;

/**
 * Takes one call from a token bucket: a full bucket is the burst Slack tolerates (PLATFORM.md §11.3). Returns the seconds to wait, or
 * null when the call may go through.
 */
function createRateLimits(mode: "slack" | "off", now: () => number) {
  const buckets = new Map<string, { level: number; at: number }>();
  return (key: string, { burst, perMinute }: Allowance): number | null => {
    if (mode === "off") return null;
    const perMs = perMinute / 60_000;
    const bucket = buckets.get(key) ?? { level: burst, at: now() };
    const level = Math.min(burst, bucket.level + (now() - bucket.at) * perMs);
    const isAllowed = level >= 1;
    buckets.set(key, { level: isAllowed ? level - 1 : level, at: now() });
    return isAllowed ? null : Math.max(1, Math.ceil((1 - level) / perMs / 1000));
  };
}

interface PermitOptions {
  readonly lifetimeMs: number;
  readonly maxUses: number;
  readonly now: () => number;
}

/** What Slack gives the app to use a few times, within some time. */
function createPermits<T extends object>({ lifetimeMs, maxUses, now }: PermitOptions) {
  const issued = new Map<string, { readonly target: T; readonly issuedAt: number; uses: number }>();
  return {
    issue: (id: string, target: T): string => {
      issued.set(id, { target, issuedAt: now(), uses: 0 });
      return id;
    },
    use: (id: string): T | "unknown" | "expired" | "used" => {
      const permit = issued.get(id);
      if (permit === undefined) return "unknown";
      if (permit.uses >= maxUses) return "used";
      if (now() - permit.issuedAt > lifetimeMs) return "expired";
      permit.uses += 1;
      return permit.target;
    },
  };
}
