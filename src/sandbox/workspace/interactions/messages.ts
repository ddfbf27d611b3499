import { randomUUID } from "node:crypto";
import type { JsonObject } from "../json-object.ts";
import type { LiveWorkspace } from "../live-workspace.ts";
import { messageKey, messagePayload, postMessage, type StoredMessage } from "../state/messages.ts";
import { type Channel, isBotIn, type User, type WorkspaceState } from "../state/workspace-state.ts";
import { sendEvent } from "./events.ts";

/** Posts a person's message. The app gets the event where its bot is a member and it subscribed. */
export async function sayInChannel(
  workspace: LiveWorkspace,
  user: User,
  channel: Channel,
  typed: string,
  threadTs?: string,
): Promise<StoredMessage> {
  const text = escapeTyped(typed, workspace);
  const thread = threadTs === undefined ? {} : { threadTs };
  const message = postMessage(workspace, { channelId: channel.id, userId: user.id, text, ...thread });
  await sendMention(workspace, user, channel, message);
  await sendMessage(workspace, channel, eventOf(user, message));
  return message;
}

/** Sends the app its own message, as Slack does. */
export async function hearOwn(workspace: LiveWorkspace, message: StoredMessage): Promise<void> {
  const channel = workspace.channels.named(message.channelId);
  await sendMessage(workspace, channel, { ...messagePayload(message, workspace), channel: channel.id });
}

/** Changes a person's own message (PLATFORM.md §2.2). A mention in it is sent again, marked as edited. */
export async function editMessage(
  workspace: LiveWorkspace,
  user: User,
  message: StoredMessage,
  typed: string,
): Promise<StoredMessage> {
  const { ids, messages } = workspace;
  const channel = channelOfOwn(workspace, user, message);
  const changed = messages.put({ ...message, text: escapeTyped(typed, workspace), isEdited: true });
  const edited = { edited: { user: user.id, ts: ids.timestamp() } };
  await sendMention(workspace, user, channel, changed, edited);
  await sendMessage(workspace, channel, {
    ...hiddenEvent(workspace, channel, "message_changed"),
    message: { type: "message", ...eventOf(user, changed), ...edited },
    previous_message: { type: "message", ...eventOf(user, message) },
  });
  return changed;
}

/** Removes a person's own message. */
export async function deleteMessage(workspace: LiveWorkspace, user: User, message: StoredMessage): Promise<void> {
  const channel = channelOfOwn(workspace, user, message);
  workspace.messages.remove(messageKey(message));
  await sendMessage(workspace, channel, {
    ...hiddenEvent(workspace, channel, "message_deleted"),
    deleted_ts: message.ts,
    previous_message: { type: "message", ...eventOf(user, message) },
  });
}

const hiddenEvent = ({ ids }: LiveWorkspace, channel: Channel, subtype: string): JsonObject => ({
  subtype,
  hidden: true,
  ts: ids.timestamp(),
  channel: channel.id,
});

function channelOfOwn({ channels }: LiveWorkspace, user: User, { channelId, userId }: StoredMessage): Channel {
  if (userId !== user.id) throw new Error("People can change only their own messages.");
  return channels.named(channelId);
}

function eventOf(user: User, { text, ts, channelId, threadTs }: StoredMessage): JsonObject {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const client_msg_id = randomUUID();
  return { user: user.id, text, ts, channel: channelId, team: user.teamId, client_msg_id, ...thread };
}

/** A message to the app itself is not sent as a mention. */
async function sendMention(
  workspace: LiveWorkspace,
  user: User,
  channel: Channel,
  message: StoredMessage,
  edited: JsonObject = {},
): Promise<void> {
  const isMention = channel.kind !== "im" && message.text.includes(`<@${workspace.app.botUserId}>`);
  if (!isMention || !isBotIn(workspace, channel)) return;
  await sendEvent(workspace, { type: "app_mention", event_ts: message.ts, ...eventOf(user, message), ...edited });
}

const subscriptions = { public: "message.channels", private: "message.groups", im: "message.im" } as const;
const channelTypes = { public: "channel", private: "group", im: "im" } as const;

async function sendMessage(workspace: LiveWorkspace, channel: Channel, event: JsonObject): Promise<void> {
  if (!isBotIn(workspace, channel)) return;
  const { kind } = channel;
  const sent = { type: "message", channel_type: channelTypes[kind], event_ts: event.ts, ...event };
  await sendEvent(workspace, sent, subscriptions[kind]);
}

/** How Slack rewrites what a person types, and the text of a command with `should_escape` (PLATFORM.md §3.3). */
export function escapeTyped(text: string, workspace: WorkspaceState): string {
  return escapeMarkup(text)
    .replace(/\bhttps?:\/\/[^\s<>|]+/g, (url) => `<${url}>`)
    .replace(/(?<![\w<|/])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, (mail) => `<mailto:${mail}|${mail}>`)
    .replace(/(?<![\w.+<|/-])@([\w.-]*\w)/g, (typed, handle: string) => mention(handle, workspace) ?? typed)
    .replace(/(?<![\w&<|/])#([\w-]+)/g, (typed, name: string) => channelLink(name, workspace) ?? typed);
}

export function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function mention(handle: string, { people, groups }: WorkspaceState): string | undefined {
  const user = people.find((each) => each.handle === handle.toLowerCase());
  if (user !== undefined) return `<@${user.id}>`;
  const group = groups.find((each) => each.handle === handle);
  return group === undefined ? undefined : `<!subteam^${group.id}>`;
}

function channelLink(name: string, { channels }: WorkspaceState): string | undefined {
  const channel = channels.find((each) => each.name === name);
  return channel && `<#${channel.id}|${channel.kind === "private" ? "" : channel.name}>`;
}
