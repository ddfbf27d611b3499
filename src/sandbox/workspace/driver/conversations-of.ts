import type { Channel } from "../channels.ts";
import type { Exchange } from "../interactions/exchange.ts";
import type { StoredMessage } from "../messages.ts";
import type { User } from "../people.ts";

/** Where a person can write: a channel they are in, "dm" (with the app) or "@handle". */
export function channelFor({ workspace }: Exchange, user: User, where: string): Channel {
  const { channels, people, app, manifest } = workspace;
  if (where.startsWith("@")) return channels.openDirect(user.id, people.named(where).id);
  if (where === "dm") {
    if (!manifest.home.hasMessagesTab || manifest.home.isReadOnly)
      throw new Error("The app's Messages tab takes no input.");
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
