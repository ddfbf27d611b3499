import type { Channel } from "../state/channels.ts";
import type { StoredMessage } from "../state/messages.ts";
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
  const { botUserId } = workspace.app;
  if (!channel.memberIds.includes(botUserId)) return message;
  const event = { user: user.id, text, ts: message.ts, channel: channel.id, team: user.teamId, event_ts: message.ts };
  const isMention = channel.kind !== "im" && text.includes(`<@${botUserId}>`);
  if (isMention) await sendEvent(exchange, { type: "app_mention", ...event });
  const asMessage = { type: "message", channel_type: channelTypes[channel.kind], ...event };
  await sendEvent(exchange, asMessage, subscriptions[channel.kind]);
  return message;
}
