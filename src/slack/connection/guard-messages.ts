import type { SocketModeReceiver } from "@slack/bolt";
import { z } from "zod";
import type { Logger } from "../../observability/log.ts";
import { parseJson } from "../../service/read-answer.ts";

/** What the client makes of each message of Slack's. */
const messageEvent = "ws_message";

/** The messages that the client can read. */
const readable = z.union([
  z.object({ type: z.enum(["hello", "disconnect"]) }),
  z.object({
    type: z.enum(["slash_commands", "interactive"]),
    envelope_id: z.string(),
    payload: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal("events_api"),
    envelope_id: z.string(),
    payload: z.object({ event: z.object({ type: z.string() }) }),
  }),
]);

/** Of other messages. An `app_rate_limited` has its type in its payload. */
const typed = z.object({ type: z.unknown(), payload: z.object({ type: z.unknown() }).optional().catch(undefined) });

/**
 * Keeps messages from the client that it does not know or that lack something: it reads fields that are not there, and leaves promises
 * whose rejection nobody handles (PLATFORM.md §16.8).
 */
export function guardMessages(client: SocketModeReceiver["client"], log: Logger): void {
  const read = client.listeners(messageEvent);
  client.removeAllListeners(messageEvent);
  client.on(messageEvent, async (data: unknown, isBinary: unknown) => {
    const message = parseJson(String(data));
    try {
      if (readable.safeParse(message).success) for (const each of read) await each(data, isBinary);
      else warn(message, log);
    } catch (error) {
      log.error({ err: error }, "a message of Slack's could not be handled");
    }
  });
}

function warn(message: unknown, log: Logger): void {
  const { type: ownType, payload } = typed.safeParse(message).data ?? {};
  const type = payload?.type ?? ownType;
  log.warn({ type }, type === eventsLimited ? eventsLeftOut : "Slack sent something that Curfew does not know");
}

/** In both modes. */
export const eventsLimited = "app_rate_limited";
export const eventsLeftOut = "Slack left out events, since it had too many of them within an hour";
