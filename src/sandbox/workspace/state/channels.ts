import type { WorkspaceSeed } from "../default-seed.ts";
import type { People } from "./people.ts";

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

export interface Channels {
  all(): readonly Channel[];
  get(id: string): Channel | undefined;
  /** By name (with or without `#`) or id. Finds no direct messages. */
  find(nameOrId: string): Channel | undefined;
  /** Like `find`, but throws when there is none. */
  named(nameOrId: string): Channel;
  /** The direct message between two people, if one was opened. */
  direct(userId: string, otherId: string): Channel | undefined;
  openDirect(userId: string, otherId: string): Channel;
  setMember(channelId: string, userId: string, isMember: boolean): void;
  archive(channelId: string): void;
}

export function createChannels(seed: WorkspaceSeed, people: People, botUserId: string, now: () => number): Channels {
  const channels = new Map<string, Channel>(
    seed.channels.map((channel) => [channel.id, seeded(channel, people, botUserId, now())]),
  );
  const find = (nameOrId: string): Channel | undefined => {
    const name = nameOrId.replace(/^#/, "");
    return (
      channels.get(name) ?? [...channels.values()].find((channel) => channel.kind !== "im" && channel.name === name)
    );
  };
  const named = (nameOrId: string): Channel => {
    const channel = find(nameOrId);
    if (channel === undefined) throw new Error(`There is no channel "${nameOrId}" in the sandbox workspace.`);
    return channel;
  };
  const direct = (userId: string, otherId: string): Channel | undefined =>
    channels.get(directId(userId, otherId, botUserId));
  const change = (id: string, changes: Partial<Channel>): void => {
    channels.set(id, { ...named(id), ...changes });
  };
  return {
    all: () => [...channels.values()],
    get: (id) => channels.get(id),
    find,
    named,
    direct,
    openDirect: (userId, otherId) => {
      const existing = direct(userId, otherId);
      if (existing !== undefined) return existing;
      const id = directId(userId, otherId, botUserId);
      const opened: Channel = { ...emptyChannel, id, kind: "im", memberIds: [userId, otherId], createdAt: now() };
      channels.set(id, opened);
      return opened;
    },
    setMember: (id, userId, isMember) => {
      const others = named(id).memberIds.filter((memberId) => memberId !== userId);
      change(id, { memberIds: isMember ? [...others, userId] : others });
    },
    archive: (id) => change(id, { isArchived: true }),
  };
}

const emptyChannel = { name: "", isShared: false, isArchived: false } as const;

function seeded(
  channel: WorkspaceSeed["channels"][number],
  people: People,
  botUserId: string,
  createdAt: number,
): Channel {
  const memberIds = channel.members.map((handle) => people.named(handle).id);
  return {
    id: channel.id,
    kind: channel.isPrivate === true ? "private" : "public",
    name: channel.name,
    memberIds: channel.hasBot === true ? [...memberIds, botUserId] : memberIds,
    isShared: channel.isShared === true,
    isArchived: channel.isArchived === true,
    createdAt,
  };
}

/** One id per pair. The app's own direct messages contain the person's id, which makes dumps readable. */
function directId(userId: string, otherId: string, botUserId: string): string {
  const rest = [userId, otherId].filter((id) => id !== botUserId).sort();
  return `D${rest.map((id) => id.slice(1)).join("")}`;
}

/** The name in payloads. Private channels and direct messages hide theirs (PLATFORM.md §3.1). */
export function channelName({ kind, name }: Channel): string {
  if (kind === "im") return "directmessage";
  return kind === "private" ? "privategroup" : name;
}
