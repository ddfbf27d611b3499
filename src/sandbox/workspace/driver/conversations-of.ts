import type { Channel } from "../channels.ts";
import type { Exchange } from "../interactions/exchange.ts";
import type { StoredMessage } from "../messages.ts";
import type { User } from "../people.ts";
import type { Conversation } from "./conversation.ts";

/** Every channel the person is in, then the app, then the others they could write to. */
export function conversationsOf({ workspace }: Exchange, user: User): readonly Conversation[] {
  const { channels, people, app, manifest } = workspace;
  const joined = channels.all().filter(({ kind, memberIds }) => kind !== "im" && memberIds.includes(user.id));
  const others = people.all().filter(({ id, isBot, deleted }) => id !== user.id && isBot !== true && deleted !== true);
  const direct = { members: 2, isShared: false, hasApp: false, isWritable: true };
  return [
    ...joined.map((channel) => conversation(channel, app.botUserId)),
    { ...direct, where: "dm", kind: "app", name: manifest.name, hasApp: true, isWritable: takesMessages(manifest) },
    ...others.map((other) => ({ ...direct, where: `@${other.handle}`, kind: "person" as const, name: other.realName })),
  ];
}

function conversation({ name, kind, memberIds, isShared, isArchived }: Channel, botUserId: string): Conversation {
  const shown = kind === "private" ? kind : "public";
  const hasApp = memberIds.includes(botUserId);
  return { where: name, kind: shown, name, members: memberIds.length, isShared, hasApp, isWritable: !isArchived };
}

function takesMessages({ home }: Exchange["workspace"]["manifest"]): boolean {
  return home.hasMessagesTab && !home.isReadOnly;
}

/** Where a person can write: a channel they are in, "dm" (with the app) or "@handle". */
export function channelFor({ workspace }: Exchange, user: User, where: string): Channel {
  const { channels, people, app, manifest } = workspace;
  if (where.startsWith("@")) return channels.openDirect(user.id, people.named(where).id);
  if (where === "dm") {
    if (!takesMessages(manifest)) throw new Error("The app's Messages tab takes no input.");
    return channels.openDirect(user.id, app.botUserId);
  }
  const channel = channels.named(where);
  if (!channel.memberIds.includes(user.id)) throw new Error(`${user.handle} is not in #${channel.name}.`);
  return channel;
}

/** What a person sees there, their own ephemeral messages among the rest. */
export function visibleMessages({ workspace }: Exchange, user: User, where: string): readonly StoredMessage[] {
  const { channels, people, app, messages } = workspace;
  const other = where === "dm" ? app.botUserId : where.startsWith("@") ? people.named(where).id : undefined;
  const channel = other === undefined ? channels.named(where) : channels.direct(user.id, other);
  if (channel === undefined || !channel.memberIds.includes(user.id)) return [];
  return messages.in(channel.id).filter(({ ephemeralTo }) => ephemeralTo === undefined || ephemeralTo === user.id);
}
