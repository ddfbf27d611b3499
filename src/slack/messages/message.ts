import type { ContextBlock, KnownBlock } from "@slack/types";
import { isProgram, programName } from "../../permissions/actor.ts";
import { formatMoment } from "../../time/format-moment.ts";

/** A message to post: blocks, and the text for notifications and screen readers. */
export interface Message {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** Small print; `text` is mrkdwn. */
export function contextBlock(text: string): ContextBlock {
  return { type: "context", elements: [mrkdwn(text)] };
}

/** The parts that fit whole, and a change's id: half a date or mention is rubbish. All are mrkdwn. */
export function greyText(parts: readonly string[], changeId: string): string {
  const id = `\`${escapeMrkdwn(changeId)}\``;
  const shown: string[] = [];
  let room = limits.fieldText - id.length;
  for (const part of parts.filter(Boolean)) {
    room -= part.length + separator.length;
    if (room < 0) break;
    shown.push(part);
  }
  return [...shown, id].join(separator);
}

const separator = " · ";

/** Adds plain sentences before the buttons of the message. */
export function withLines({ text, blocks }: Message, lines: readonly string[]): Message {
  if (lines.length === 0) return { text, blocks };
  const note: KnownBlock = { type: "context", elements: [mrkdwn(escapeMrkdwn(clip(lines.join("\n"), 1500)))] };
  const buttons = blocks.filter(({ type }) => type === "actions");
  return { text, blocks: [...blocks.filter(({ type }) => type !== "actions"), note, ...buttons] };
}

/**
 * Lone surrogates (not valid UTF-8), controls, invisible characters (they make two names look the same) and bidi overrides (they
 * reverse the text after them). Joiners stay: emoji need them. So do direction marks: Hebrew and Arabic need them.
 */
const unfit = /[\p{Surrogate}\p{Cc}\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const whiteSpace: readonly string[] = ["\t", "\n", "\r"];

/** The text without unfit characters, for people to read. Nothing is escaped. */
export const legible = (text: string): string =>
  text.replace(unfit, (char) => (whiteSpace.includes(char) ? char : "\ufffd"));

/** For text that must be shown exactly: characters that nobody sees, or takes for others, are written as JSON escapes. */
export const spelledOut = (json: string): string =>
  json.replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu, (char) =>
    char === " " || char === "\n" ? char : char.split("").map(spelled).join(""),
  );

const spelled = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Makes any text harmless in mrkdwn: `<!channel>` in a project's name pings nobody (PLATFORM.md §10: escape these three only). */
export function escapeMrkdwn(text: string): string {
  return legible(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** The same, cut to at most `limit` characters as Slack counts them, and never inside an escape. */
export function escapeWithin(text: string, limit: number): string {
  const escaped = escapeMrkdwn(clip(text, limit));
  return escaped.length <= limit
    ? escaped
    : `${escaped.slice(0, limit - 1).replace(/(?:&[a-z]*|\p{Surrogate})$/u, "")}…`;
}

/** mrkdwn cut to at most `limit` characters, never inside a date, a link, a mention or an escape. */
export function clipMrkdwn(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/(?:<[^>]*|&[a-z]*|\p{Surrogate})$/u, "")}…`;
}

/** A moment (epoch ms) in each reader's own zone. Clients that draw no dates show it in words, in `zone`. */
export function date(at: number, zone: string): string {
  const minute = Math.floor(at / 60_000) * 60_000;
  return `<!date^${minute / 1000}^{date_short_pretty} {time}|${escapeMrkdwn(formatMoment(minute, zone))}>`;
}

/** A person as Slack mentions them; a program by its name, since Slack knows none. */
export function mention(userId: string): string {
  return isProgram(userId) ? escapeWithin(programName(userId), shownName) : `<@${userId}>`;
}

const shownName = 100;

/** `verbatim`: otherwise Slack links names and addresses that it finds in the text (PLATFORM.md §10). */
export function mrkdwn(text: string) {
  return { type: "mrkdwn", text, verbatim: true } as const;
}

/** At most `limit` characters. Never cuts a surrogate pair: half of one is not valid UTF-8, and Slack would refuse the message. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/\p{Surrogate}$/u, "");
}

/** The text, cut to at most `limit` characters with an ellipsis where something was left out; a sign is never cut in two. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit - 1)}…`;
}

/** Slack's limits (PLATFORM.md §0, §8), each named once. */
export const limits = {
  sectionText: 3000,
  fieldText: 2000,
  fieldsInSection: 10,
  headerText: 150,
  buttonText: 75,
  confirmTitle: 100,
  confirmText: 30,
  buttonValue: 2000,
  blocksInMessage: 50,
  /** Slack refuses messages whose blocks hold about 13,200 characters in all; this stays below. */
  messageCharacters: 12_000,
  hint: 2000,
  inputText: 3000,
  selectOptions: 100,
  optionValue: 150,
  menuOptions: 5,
  blockId: 255,
  privateMetadata: 3000,
  viewTitle: 24,
} as const;
