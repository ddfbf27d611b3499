import type { LiveWorkspace } from "../live-workspace.ts";
import { messagesIn, type StoredMessage } from "../state/messages.ts";
import { type Channel, directWith, isBotIn, openDirect, type User } from "../state/workspace-state.ts";
import type { Conversation } from "./conversation.ts";

/** The person's channels, then the app, then everyone else they can message. */
export function conversationsOf(workspace: LiveWorkspace, user: User): readonly Conversation[] {
  const { channels, people, manifest } = workspace;
  const joined = channels.all.flatMap((channel): readonly Conversation[] => {
    const { id, name, kind, memberIds, isShared, isArchived } = channel;
    if (kind === "im" || !memberIds.includes(user.id)) return [];
    const hasApp = isBotIn(workspace, channel);
    return [{ id, where: name, kind, name, members: memberIds.length, isShared, hasApp, isWritable: !isArchived }];
  });
  const others = people.all.filter(({ id, isBot, deleted }) => id !== user.id && !isBot && !deleted);
  const direct = { members: 2, isShared: false, hasApp: false, isWritable: true };
  return [
    ...joined,
    { ...direct, where: "dm", kind: "app", name: manifest.name, hasApp: true, isWritable: acceptsMessages(workspace) },
    ...others.map((other) => ({ ...direct, where: `@${other.handle}`, kind: "person" as const, name: other.realName })),
  ];
}

function acceptsMessages({ manifest: { home } }: LiveWorkspace): boolean {
  return home.hasMessagesTab && !home.isReadOnly;
}

/** Where a person can post: a channel they are in, "dm" (with the app) or "@handle". */
export function channelFor(workspace: LiveWorkspace, user: User, where: string): Channel {
  const { channels, people } = workspace;
  if (where.startsWith("@")) return openDirect(workspace, user.id, people.named(where).id);
  if (where === "dm") {
    if (!acceptsMessages(workspace))
      throw new Error("The app's Messages tab is read-only; enable messages in the manifest.");
    return openDirect(workspace, user.id);
  }
  const channel = channels.named(where);
  if (!channel.memberIds.includes(user.id))
    throw new Error(`${user.handle} is not in #${channel.name}; join it first.`);
  return channel;
}

/** The messages a person sees there, including their own ephemeral ones. */
export function visibleMessages(workspace: LiveWorkspace, user: User, where: string): readonly StoredMessage[] {
  const { channels, people, app } = workspace;
  const other = where === "dm" ? app.botUserId : where.startsWith("@") ? people.named(where).id : undefined;
  const channel = other === undefined ? channels.named(where) : directWith(workspace, user.id, other);
  if (channel === undefined || !channel.memberIds.includes(user.id)) return [];
  return messagesIn(workspace, channel.id).filter(
    ({ ephemeralTo }) => ephemeralTo === undefined || ephemeralTo === user.id,
  );
}
