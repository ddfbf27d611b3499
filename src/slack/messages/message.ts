import type { ContextBlock, KnownBlock } from "@slack/types";
import { formatMoment, formatTime } from "../../time/format-moment.ts";
import { wallClockAt } from "../../time/wall-clock.ts";

/** What is posted: blocks, and the text that notifications and screen readers use. */
export interface Message {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** Small print; `text` is mrkdwn. */
export function contextBlock(text: string): ContextBlock {
  return { type: "context", elements: [mrkdwn(text)] };
}

/** The message with plain sentences before its buttons. */
export function withLines({ text, blocks }: Message, lines: readonly string[]): Message {
  if (lines.length === 0) return { text, blocks };
  const note: KnownBlock = { type: "context", elements: [mrkdwn(escapeMrkdwn(clip(lines.join("\n"), 1500)))] };
  const buttons = blocks.filter(({ type }) => type === "actions");
  return { text, blocks: [...blocks.filter(({ type }) => type !== "actions"), note, ...buttons] };
}

/**
 * Half a sign, which cannot be sent in UTF-8; signs that turn around how what follows them reads; signs that nobody sees, by which two
 * names look the same; and controls other than white space. The joiners stay, which emoji are made with, and the marks of a
 * direction, which people write in Hebrew and Arabic: they turn nothing around.
 */
const unfit = /[\p{Surrogate}\p{Cc}\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const whiteSpace: readonly string[] = ["\t", "\n", "\r"];

/** The text as it may be shown to people; nothing that they are to read is escaped. */
export const legible = (text: string): string =>
  text.replace(unfit, (sign) => (whiteSpace.includes(sign) ? sign : "\ufffd"));

/**
 * Makes any text harmless in mrkdwn: `<!channel>` in a project's name pings nobody (platform.md §10: escape these three only), half a
 * sign does not keep the whole message from being sent, and no name or reason makes the words after it read backwards.
 */
export function escapeMrkdwn(text: string): string {
  return legible(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** The same, cut so that Slack counts at most `limit` characters, and never within an escaped one. */
export function escapeWithin(text: string, limit: number): string {
  const escaped = escapeMrkdwn(clip(text, limit));
  return escaped.length <= limit
    ? escaped
    : `${escaped.slice(0, limit - 1).replace(/(?:&[a-z]*|\p{Surrogate})$/u, "")}…`;
}

/**
 * A moment (epoch ms) as each reader's Slack shows it, and beside it the clock in the zone of the person it is about. The moment in
 * words is what is shown where Slack draws no dates.
 */
export function date(at: number, zone: string): string {
  const minute = Math.floor(at / 60_000) * 60_000;
  const { hour, minute: past } = wallClockAt(minute, zone);
  const words = escapeMrkdwn(formatMoment(minute, zone));
  const clock = `${formatTime({ hour, minute: past })} ${zone}`;
  return `<!date^${minute / 1000}^{date_short_pretty}, {time}|${words}> (${escapeMrkdwn(clock)})`;
}

export function mention(userId: string): string {
  return `<@${userId}>`;
}

/** `verbatim`, since Slack would otherwise link names and addresses that it finds in the text (platform.md §10). */
export function mrkdwn(text: string) {
  return { type: "mrkdwn", text, verbatim: true } as const;
}

/** At most `limit` characters of the text; a sign is never cut in two, since half of one cannot be written in UTF-8 and the whole message could not be sent. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/\p{Surrogate}$/u, "");
}

/** The text, cut to at most `limit` characters with an ellipsis where something was left out; a sign is never cut in two. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit - 1)}…`;
}

/** Slack's limits (platform.md §0, §8), each named once. */
export const limits = {
  sectionText: 3000,
  fieldText: 2000,
  fieldsInSection: 10,
  headerText: 150,
  buttonText: 75,
  buttonValue: 2000,
  blocksInMessage: 50,
  /** Slack refuses messages whose blocks hold about 13,200 characters in all; this stays clear of it. */
  messageCharacters: 10_000,
  hint: 2000,
  inputText: 3000,
  selectOptions: 100,
  optionValue: 150,
  privateMetadata: 3000,
  viewTitle: 24,
} as const;
