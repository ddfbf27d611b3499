import type { App } from "@slack/bolt";
import { z } from "zod";
import { withoutFillers, withoutOpening } from "../../../language/fillers.ts";
import { maxLineLength, type UnclearLine } from "../../../language/split-line.ts";
import { tokenize } from "../../../language/tokenize.ts";
import { acknowledgementIn } from "../../connection/held-events.ts";
import { arrivalIn } from "../../connection/measured-client.ts";
import { optionalText } from "../../optional-text.ts";
import type { Deps } from "../deps.ts";
import type { Line } from "../line/line.ts";
import { takeLine } from "../line/take-line.ts";
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

/** The line in a message, or why there is none. */
type Addressed = { readonly kind: "line"; readonly text: string } | UnclearLine;

interface Said {
  readonly isDirect: boolean;
  /** In a thread. */
  readonly isReply: boolean;
}

/**
 * The line after the mention of Curfew. In a direct message that mention may be left out. Undefined for what is not said to Curfew:
 * Slack may also deliver replies that name it elsewhere or not at all.
 */
export function addressedLine(
  text: string,
  { isDirect, isReply }: Said,
  { botUserId, slashCommand }: { readonly botUserId: string | undefined; readonly slashCommand: string },
): Addressed | undefined {
  const found = findMention(text, botUserId);
  const isFirst = found !== undefined && isGreeting(text.slice(0, found.start));
  if (!isFirst && !isDirect) return found && !isReply ? unclear(notFirst) : undefined;
  // It is refused for its length, so nothing more need be read of it.
  if (text.length > 2 * maxLineLength) return { kind: "line", text };
  const said = isFirst ? afterMentions(text.slice(found.end), botUserId) : text;
  const lines = said
    .replaceAll("```", "\n")
    .split(/[\r\n\u2028\u2029]+/)
    .map(asPlain)
    .filter(Boolean);
  // Mere thanks are answered.
  const thanks = lines.find((each) => /\b(?:thanks|thank|thx|cheers)\b/i.test(each));
  const [line = thanks ?? "", ...others] = lines.filter((each) => !isGreeting(each));
  if (others.length > 0) return unclear(severalLines);
  const isCommand = line.toLowerCase() === slashCommand || line.toLowerCase().startsWith(`${slashCommand} `);
  return { kind: "line", text: isCommand ? line.slice(slashCommand.length).trim() : line };
}

const notFirst =
  "Only a message that begins with @Curfew is read as a request. Nothing was changed: write it right after @Curfew, such as “@Curfew keep staging up until 18:00”. “@Curfew help” shows what you can say.";
const severalLines =
  "Your message has several lines, and Curfew reads one request per message. Nothing was changed: send them one by one.";

const unclear = (problem: string): UnclearLine => ({ kind: "unclear", problem, words: [] });

/** The first mention of Curfew. It may have a label. */
function findMention(
  text: string,
  botUserId: string | undefined,
): { readonly start: number; readonly end: number } | undefined {
  if (botUserId === undefined) return undefined;
  const start = text.indexOf(`<@${botUserId}`);
  const end = start === -1 ? -1 : text.indexOf(">", start);
  const after = text.charAt(start + botUserId.length + 2);
  return end === -1 || (after !== ">" && after !== "|") ? undefined : { start, end: end + 1 };
}

/** The text without what goes with the mention: a comma or colon, and the mention once more. */
function afterMentions(text: string, botUserId: string | undefined): string {
  const said = text.replace(/^[\s*_~`]*(?:[,:;.!?]+|[–—-])?(?=\s|$)/, "");
  const again = findMention(said, botUserId);
  return again && said.slice(0, again.start).trim() === "" ? afterMentions(said.slice(again.end), botUserId) : said;
}

/** Whether nothing is said but "hi", "please", "thank you" and the like. */
function isGreeting(text: string): boolean {
  if (text.length > 100) return false;
  const tokens = tokenize(text.replace(/[*_~`]/g, " "));
  return tokens.kind === "words" && withoutFillers(withoutOpening(tokens.words)).length === 0;
}

/** A line without what Slack's editor adds: marks of code, bold, lists and quotations, and links made of plain words. */
function asPlain(line: string): string {
  return line
    .trim()
    .replace(/^(?:(?:[•◦▪‣-]|&gt;|\d{1,2}\.)\s+)+/, "")
    .replace(/<https?:\/\/([^<>|\s]+?)\/?\|([^<>|]+)>/gi, (link, address: string, label: string) =>
      address.toLowerCase() === label.toLowerCase() ? label : link,
    )
    .replace(marked, "$1$3")
    .replace(marked, "$1$3")
    .trim();
}

/** `code`, *bold*, _italic_ and ~struck~ words, where the marks stand at the edges of words. */
const marked = /(^|[\s("'“‘=])([`*_~])(?!\s|\2)((?:(?!\2)[^\n])*(?!\2)\S)\2(?=$|[\s)"'”’,.;:!?])/g;
