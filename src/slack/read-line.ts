import { z } from "zod";
import type { Line } from "./handle-line.ts";

/** The parts of a slash command that matter here (platform.md §3.1). */
const commandPayload = z.looseObject({
  user_id: z.string(),
  channel_id: z.string(),
  text: z.string().default(""),
  trigger_id: z.string(),
  response_url: z.string().optional(),
});

/** The typed line in a payload; undefined for anything that Slack would not send. */
export function readLine(command: unknown): Line | undefined {
  const payload = commandPayload.safeParse(command);
  if (!payload.success) return undefined;
  const { user_id, channel_id, text, trigger_id, response_url } = payload.data;
  return { userId: user_id, channelId: channel_id, responseUrl: response_url, text, triggerId: trigger_id };
}
