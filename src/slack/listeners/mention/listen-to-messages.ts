import type { App } from "@slack/bolt";
import { z } from "zod";
import { acknowledgementIn } from "../../connection/held-events.ts";
import { arrivalIn } from "../../connection/measured-client.ts";
import { optionalText } from "../../optional-text.ts";
import type { Deps } from "../deps.ts";
import type { Line } from "../line/line.ts";
import { takeLine } from "../line/take-line.ts";
import { addressedLine } from "./addressed-line.ts";
import { createOnce, isRepeatedBySlack } from "./once.ts";

/** Slack may deliver an event late. Later than this, its writer has done it in another way, or does not want it any more. */
const tooLateMs = 15 * 60_000;

/** Listens to mentions in channels and to direct messages, which take the same lines as the slash command. */
export function listenToMessages(app: App, deps: Deps): void {
  const once = createOnce(() => performance.now());
  const take = async (message: MessageToCurfew | undefined, context: Context): Promise<void> => {
    if (!message) return;
    const line = lineIn(message, context, deps);
    if (!line) return;
    const recorded = acknowledgementIn(context);
    const isRepeated = isRepeatedBySlack(context.retryNum);
    const { receipts, actors, access } = deps;
    const known = actors.known(line.userId);
    await once(line.key, async () => {
      // Nothing is recorded for an outsider.
      if (known && access.isOutsider({ actor: known, channelId: line.channelId }))
        return takeLine(deps, line, { recorded, isRepeated });
      // Another instance has heard it first, and answers it.
      if (!(await receipts.hear(line.key))) return recorded();
      await takeLine(deps, line, { recorded, isRepeated }).catch(async (error: unknown) => {
        await receipts.forget(line.key);
        throw error;
      });
      await receipts.answered(line.key);
    });
  };
  app.event("app_mention", ({ event, context }) => take(readMessage("app_mention", event), context));
  app.event("message", ({ event, context }) => take(readMessage("message", event), context));
}

type Context = Readonly<Record<string, unknown>> & {
  readonly botUserId?: string | undefined;
  readonly retryNum?: number | undefined;
};

function lineIn(message: MessageToCurfew, context: Context, deps: Deps): Line | undefined {
  const { userId, channelId, text, isDirect, key, writtenAt, threadTs, isEdited } = message;
  const { slashCommand, now } = deps;
  const { botUserId } = context;
  const isLate = now() - writtenAt > tooLateMs;
  const said = { isDirect, isReply: threadTs !== undefined };
  const addressed = addressedLine(text, said, { botUserId, slashCommand });
  if (!addressed) return undefined;
  const read = isEdited ? edited : isLate ? late : addressed;
  return {
    ...{ userId, channelId, text: read.kind === "line" ? read.text : "" },
    key: isEdited ? `${keyStart}edited:${userId}:${Math.floor(now() / weekMs)}` : key,
    ...(read.kind === "line" ? {} : { split: read }),
    ...{ responseUrl: undefined, triggerId: undefined, arrivedAt: arrivalIn(context) },
    place: { channelId, threadTs, isDirect },
    ...(threadTs && !isDirect ? { askedIn: { channelId, ts: threadTs } } : {}),
    // "For 1h" counts from when it was written.
    askedAt: isLate ? now() : Math.min(writtenAt, now()),
  };
}

const late = {
  kind: "unclear",
  problem:
    "Your message reached Curfew more than 15 minutes late, so it was not read. Nothing was changed now: send it again if you still want it.",
  words: [],
} as const;

const edited = {
  kind: "unclear",
  problem: "Editing a message does nothing: send a new one. Nothing was changed by the edit.",
  words: [],
} as const;

const weekMs = 7 * 24 * 3_600_000;

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
  /** It was changed after it was sent: nothing is done for it, and its writer reads so once a week. */
  readonly isEdited: boolean;
  /** The thread that it is a reply in. Such a thread has replies, so an ephemeral message is shown there (PLATFORM.md §12.3). */
  readonly threadTs: string | undefined;
}

const keyStart = "mention:";
/** Whether a key is that of a message. */
export const isOfMessage = (key: string): boolean => key.startsWith(keyStart);

/** What a person's own new message may be, beside one without a subtype. */
const written: ReadonlySet<string> = new Set(["file_share", "thread_broadcast"]);

/** The used parts of an edit (PLATFORM.md §2.2). A link that Slack shows a preview of also changes a message, without its words. */
const messageChanged = z.looseObject({
  subtype: z.literal("message_changed"),
  channel: z.string(),
  channel_type: optionalText,
  message: z.looseObject({ edited: z.looseObject({}), text: z.string() }),
  previous_message: z.looseObject({ text: optionalText }),
});

function changedIn(event: unknown): unknown {
  const { data } = messageChanged.safeParse(event);
  if (!data || data.message.text === data.previous_message.text) return event;
  return { ...data.message, channel: data.channel, channel_type: data.channel_type };
}

/** Undefined for what asks nothing: deletions, messages of apps and workflows, and messages that are not for Curfew. */
export function readMessage(type: "app_mention" | "message", event: unknown): MessageToCurfew | undefined {
  const parsed = messageEvent.safeParse(changedIn(event));
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
  if (bot_id || app_id || bot_profile) return undefined;
  const isDirect = channel_type === "im" || channel.startsWith("D");
  // A mention in a direct message comes as a message, perhaps as both.
  if (isDirect !== (type === "message")) return undefined;
  return {
    ...{ userId: user, channelId: channel, text, isDirect },
    key: `${keyStart}${channel}:${ts}`,
    writtenAt: Math.floor(Number(ts) * 1000),
    threadTs: thread_ts === ts ? undefined : thread_ts,
    isEdited: edited !== undefined && edited !== null,
  };
}
