import { z } from "zod";
import type { Shortcut } from "./handle-shortcut.ts";

/** The parts of a `shortcut` or `message_action` payload that matter here (platform.md §6.5). */
const shortcutPayload = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  trigger_id: z.string(),
  response_url: z.string().optional(),
  channel: z.looseObject({ id: z.string() }).optional(),
  message: z.unknown().optional(),
});

export function readShortcut(body: unknown): Shortcut | undefined {
  const payload = shortcutPayload.safeParse(body);
  if (!payload.success) return undefined;
  const { user, trigger_id, response_url, channel, message } = payload.data;
  return {
    userId: user.id,
    channelId: channel?.id ?? null,
    responseUrl: response_url,
    triggerId: trigger_id,
    message,
  };
}
