import { z } from "zod";
import type { Press } from "./handle-press.ts";

/** The parts of a `block_actions` payload that a button's press needs (platform.md §6.3). */
const pressPayload = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  trigger_id: z.string(),
  response_url: z.string().optional(),
  channel: z.looseObject({ id: z.string() }).optional(),
  container: z.looseObject({
    message_ts: z.string().optional(),
    channel_id: z.string().optional(),
    is_ephemeral: z.boolean().optional(),
  }),
  actions: z.tuple(
    [z.looseObject({ type: z.literal("button"), action_id: z.string(), value: z.string() })],
    z.unknown(),
  ),
});

/** The press in a payload; undefined for anything that is no button of ours. */
export function readPress(body: unknown): Press | undefined {
  const payload = pressPayload.safeParse(body);
  if (!payload.success) return undefined;
  const { user, trigger_id, response_url, channel, container, actions } = payload.data;
  const [action] = actions;
  return {
    userId: user.id,
    channelId: channel?.id ?? container.channel_id ?? null,
    responseUrl: response_url,
    actionId: action.action_id,
    value: action.value,
    triggerId: trigger_id,
    messageTs: container.message_ts,
    isEphemeral: container.is_ephemeral ?? false,
  };
}
