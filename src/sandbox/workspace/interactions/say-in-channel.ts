import { randomUUID } from "node:crypto";
import type { JsonObject } from "../json-object.ts";
import type { Channel } from "../state/channels.ts";
import { messagePayload, type StoredMessage } from "../state/messages.ts";
import type { User } from "../state/people.ts";
import { escapeCommandText } from "./escape-command-text.ts";
import type { Exchange } from "./exchange.ts";
import { sendEvent } from "./send-event.ts";

const subscriptions = { public: "message.channels", private: "message.groups", im: "message.im" } as const;
const channelTypes = { public: "channel", private: "group", im: "im" } as const;

/** Posts a person's message. The app gets the event where its bot is a member and it subscribed. */
export async function sayInChannel(
  exchange: Exchange,
  user: User,
  channel: Channel,
  typed: string,
  threadTs?: string,
): Promise<StoredMessage> {
  const { workspace } = exchange;
  const text = escapeCommandText(typed, workspace);
  const thread = threadTs === undefined ? {} : { threadTs };
  const message = workspace.messages.post({ channelId: channel.id, userId: user.id, text, ...thread });
  if (!isHeard(exchange, channel)) return message;
  await sendMention(exchange, user, channel, message);
  await sendMessage(exchange, channel, eventOf(user, message));
  return message;
}

/** Sends the app its own message, as Slack does. */
export async function hearOwn(exchange: Exchange, message: StoredMessage): Promise<void> {
  const { workspace } = exchange;
  const channel = workspace.channels.get(message.channelId);
  if (channel === undefined || !isHeard(exchange, channel)) return;
  await sendMessage(exchange, channel, { ...messagePayload(message, workspace), channel: channel.id });
}

/** Changes a person's own message (PLATFORM.md §2.2). A mention in it is sent again, marked as edited. */
export async function editMessage(
  exchange: Exchange,
  user: User,
  message: StoredMessage,
  typed: string,
): Promise<StoredMessage> {
  const { workspace } = exchange;
  const channel = channelOfOwn(exchange, user, message);
  const changed = { ...message, text: escapeCommandText(typed, workspace), isEdited: true };
  workspace.messages.replace(changed);
  if (!isHeard(exchange, channel)) return changed;
  const edited = { edited: { user: user.id, ts: workspace.ids.timestamp() } };
  await sendMention(exchange, user, channel, changed, edited);
  await sendMessage(exchange, channel, {
    ...{ subtype: "message_changed", hidden: true, ts: workspace.ids.timestamp(), channel: channel.id },
    message: { type: "message", ...eventOf(user, changed), ...edited },
    previous_message: { type: "message", ...eventOf(user, message) },
  });
  return changed;
}

/** Removes a person's own message. */
export async function deleteMessage(exchange: Exchange, user: User, message: StoredMessage): Promise<void> {
  const { workspace } = exchange;
  const channel = channelOfOwn(exchange, user, message);
  workspace.messages.remove(channel.id, message.ts);
  if (!isHeard(exchange, channel)) return;
  await sendMessage(exchange, channel, {
    ...{ subtype: "message_deleted", hidden: true, ts: workspace.ids.timestamp(), channel: channel.id },
    deleted_ts: message.ts,
    previous_message: { type: "message", ...eventOf(user, message) },
  });
}

function channelOfOwn({ workspace }: Exchange, user: User, { channelId, userId, isFromApp }: StoredMessage): Channel {
  const channel = workspace.channels.get(channelId);
  if (channel === undefined || isFromApp || userId !== user.id)
    throw new Error("People can change only their own messages.");
  return channel;
}

const isHeard = ({ workspace }: Exchange, { memberIds }: Channel): boolean =>
  memberIds.includes(workspace.app.botUserId);

function eventOf(user: User, { text, ts, channelId, threadTs }: StoredMessage): JsonObject {
  return {
    ...{ user: user.id, text, ts, channel: channelId, team: user.teamId, client_msg_id: randomUUID() },
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
  };
}

/** A message to the app itself is not sent as a mention. */
async function sendMention(
  exchange: Exchange,
  user: User,
  channel: Channel,
  message: StoredMessage,
  edited: JsonObject = {},
): Promise<void> {
  const isMention = channel.kind !== "im" && message.text.includes(`<@${exchange.workspace.app.botUserId}>`);
  const event = eventOf(user, message);
  if (isMention) await sendEvent(exchange, { type: "app_mention", event_ts: message.ts, ...event, ...edited });
}

async function sendMessage(exchange: Exchange, { kind }: Channel, event: JsonObject): Promise<void> {
  const sent = { type: "message", channel_type: channelTypes[kind], event_ts: event.ts, ...event };
  await sendEvent(exchange, sent, subscriptions[kind]);
}
