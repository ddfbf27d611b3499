import type { Exchange } from "../interactions/exchange.ts";
import type { Channel } from "../state/channels.ts";
import type { StoredMessage } from "../state/messages.ts";
import type { User } from "../state/people.ts";
import type { Conversation } from "./conversation.ts";

/** The person's channels, then the app, then everyone else they can message. */
export function conversationsOf({ workspace }: Exchange, user: User): readonly Conversation[] {
  const { channels, people, app, manifest } = workspace;
  const joined = channels.all().filter(({ kind, memberIds }) => kind !== "im" && memberIds.includes(user.id));
  const others = people.all().filter(({ id, isBot, deleted }) => id !== user.id && isBot !== true && deleted !== true);
  const direct = { members: 2, isShared: false, hasApp: false, isWritable: true };
  return [
    ...joined.map((channel) => conversation(channel, app.botUserId)),
    { ...direct, where: "dm", kind: "app", name: manifest.name, hasApp: true, isWritable: acceptsMessages(manifest) },
    ...others.map((other) => ({ ...direct, where: `@${other.handle}`, kind: "person" as const, name: other.realName })),
  ];
}

function conversation({ name, kind, memberIds, isShared, isArchived }: Channel, botUserId: string): Conversation {
  const visibleKind = kind === "private" ? kind : "public";
  const hasApp = memberIds.includes(botUserId);
  return { where: name, kind: visibleKind, name, members: memberIds.length, isShared, hasApp, isWritable: !isArchived };
}

function acceptsMessages({ home }: Exchange["workspace"]["manifest"]): boolean {
  return home.hasMessagesTab && !home.isReadOnly;
}

/** Where a person can post: a channel they are in, "dm" (with the app) or "@handle". */
export function channelFor({ workspace }: Exchange, user: User, where: string): Channel {
  const { channels, people, app, manifest } = workspace;
  if (where.startsWith("@")) return channels.openDirect(user.id, people.named(where).id);
  if (where === "dm") {
    if (!acceptsMessages(manifest))
      throw new Error("The app's Messages tab is read-only; enable messages in the manifest.");
    return channels.openDirect(user.id, app.botUserId);
  }
  const channel = channels.named(where);
  if (!channel.memberIds.includes(user.id))
    throw new Error(`${user.handle} is not in #${channel.name}; join it first.`);
  return channel;
}

/** The messages a person sees there, including their own ephemeral ones. */
export function visibleMessages({ workspace }: Exchange, user: User, where: string): readonly StoredMessage[] {
  const { channels, people, app, messages } = workspace;
  const other = where === "dm" ? app.botUserId : where.startsWith("@") ? people.named(where).id : undefined;
  const channel = other === undefined ? channels.named(where) : channels.direct(user.id, other);
  if (channel === undefined || !channel.memberIds.includes(user.id)) return [];
  return messages.in(channel.id).filter(({ ephemeralTo }) => ephemeralTo === undefined || ephemeralTo === user.id);
}
