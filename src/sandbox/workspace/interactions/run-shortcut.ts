import { channelName } from "../state/channels.ts";
import { messagePayload, type StoredMessage } from "../state/messages.ts";
import type { User } from "../state/people.ts";
import { type DeliveryOutcome, type Exchange, payloadBase, sendInteraction, settleEmptyAck } from "./exchange.ts";

/** A global shortcut has no channel and no `response_url` (PLATFORM.md §6.5). */
export async function runGlobalShortcut(exchange: Exchange, user: User, name: string): Promise<DeliveryOutcome> {
  const { workspace } = exchange;
  const { api_app_id: _absent, ...base } = payloadBase(exchange, user);
  const payload = {
    type: "shortcut",
    ...base,
    callback_id: declaredCallback(exchange, "global", name),
    action_ts: workspace.ids.timestamp(),
    trigger_id: workspace.triggers.issue({ userId: user.id, viewId: null }),
  };
  return settleEmptyAck(exchange, user.id, null, await sendInteraction(exchange, "interactive", payload));
}

/** The payload contains the message, even where the bot is not a member. */
export async function runMessageShortcut(
  exchange: Exchange,
  user: User,
  name: string,
  message: StoredMessage,
): Promise<DeliveryOutcome> {
  const { workspace } = exchange;
  if (message.ephemeralTo !== undefined) throw new Error("An ephemeral message offers no shortcuts.");
  const { api_app_id: _absent, ...base } = payloadBase(exchange, user);
  const { channelId, ts } = message;
  const payload = {
    type: "message_action",
    ...base,
    callback_id: declaredCallback(exchange, "message", name),
    action_ts: workspace.ids.timestamp(),
    trigger_id: workspace.triggers.issue({ userId: user.id, viewId: null }),
    channel: { id: channelId, name: channelName(workspace.channels.named(channelId)) },
    message_ts: ts,
    message: messagePayload(message, workspace),
    response_url: workspace.responseUrls.issue("app", {
      userId: user.id,
      channelId,
      source: { ts, isEphemeral: false },
    }),
  };
  return settleEmptyAck(exchange, user.id, channelId, await sendInteraction(exchange, "interactive", payload));
}

function declaredCallback({ workspace }: Exchange, type: "global" | "message", name: string): string {
  const { shortcuts } = workspace.manifest;
  const shortcut = shortcuts.find((each) => each.type === type && (each.name === name || each.callbackId === name));
  if (shortcut === undefined) throw new Error(`The manifest declares no ${type} shortcut "${name}".`);
  return shortcut.callbackId;
}
