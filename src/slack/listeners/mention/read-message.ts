import { z } from "zod";
import { optionalText } from "../../optional-text.ts";

/** The used parts of an `app_mention` or `message` event (PLATFORM.md §2.2). */
const messageEvent = z.looseObject({
  user: z.string(),
  channel: z.string(),
  channel_type: optionalText,
  text: optionalText,
  ts: z.string().regex(/^\d{1,12}\.\d{1,9}$/),
  thread_ts: optionalText,
  subtype: optionalText,
  edited: z.unknown().optional(),
  bot_id: z.unknown().optional(),
  app_id: z.unknown().optional(),
  bot_profile: z.unknown().optional(),
});

/** A message of a person to Curfew. */
export interface MessageToCurfew {
  readonly userId: string;
  readonly channelId: string;
  readonly text: string;
  readonly isDirect: boolean;
  /** The same for every delivery of the message. */
  readonly key: string;
  /** When it was written, in epoch ms. */
  readonly writtenAt: number;
  /** The thread that it is a reply in. Such a thread has replies, so an ephemeral message is shown there (PLATFORM.md §12.3). */
  readonly threadTs: string | undefined;
}

const keyStart = "mention:";
/** Whether a key is that of a message. */
export const isOfMessage = (key: string): boolean => key.startsWith(keyStart);

/** What a person's own new message may be, beside one without a subtype. */
const written: ReadonlySet<string> = new Set(["file_share", "thread_broadcast"]);

/** Undefined for what asks nothing: edits, deletions, messages of apps and workflows, and messages that are not for Curfew. */
export function readMessage(type: "app_mention" | "message", event: unknown): MessageToCurfew | undefined {
  const parsed = messageEvent.safeParse(event);
  if (!parsed.success) return undefined;
  const {
    user,
    channel,
    channel_type,
    text = "",
    ts,
    thread_ts,
    subtype,
    edited,
    bot_id,
    app_id,
    bot_profile,
  } = parsed.data;
  if (subtype !== undefined && !written.has(subtype)) return undefined;
  if (edited || bot_id || app_id || bot_profile) return undefined;
  const isDirect = channel_type === "im" || channel.startsWith("D");
  // A mention in a direct message comes as a message, perhaps as both.
  if (isDirect !== (type === "message")) return undefined;
  return {
    ...{ userId: user, channelId: channel, text, isDirect },
    key: `${keyStart}${channel}:${ts}`,
    writtenAt: Math.floor(Number(ts) * 1000),
    threadTs: thread_ts === ts ? undefined : thread_ts,
  };
}
