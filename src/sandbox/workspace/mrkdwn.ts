import { formatInTimeZone } from "date-fns-tz";

/** A segment of mrkdwn, with entities decoded. */
export type Segment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "user" | "channel" | "usergroup"; readonly id: string }
  | { readonly kind: "special"; readonly range: (typeof ranges)[number] }
  | {
      readonly kind: "date";
      readonly seconds: number;
      readonly format: string;
      readonly fallback: string;
      readonly url?: string;
    }
  | { readonly kind: "link"; readonly url: string; readonly label?: string };

/** Parses `text` as Slack does (PLATFORM.md §10). An unknown tag stays text. */
export function parseMrkdwn(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of text.matchAll(tag)) {
    addText(segments, text.slice(end, match.index));
    const segment = parseTag(match[1] ?? "");
    if (segment === undefined) addText(segments, match[0]);
    else segments.push(segment);
    end = match.index + match[0].length;
  }
  addText(segments, text.slice(end));
  return segments;
}

/** Renders mrkdwn for a terminal. */
export function mrkdwnToText(text: string, viewer: Viewer): string {
  return stripControls(
    parseMrkdwn(text)
      .map((segment) => segmentToText(segment, viewer))
      .join(""),
  );
}

const ranges = ["here", "channel", "everyone"] as const;
const tag = /<([^<>]*)>/g;

function addText(segments: Segment[], text: string): void {
  if (text !== "") segments.push({ kind: "text", text: unescaped(text) });
}

/** Decodes in one pass, so that text escaped twice stays escaped once. */
function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
  return text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => characters[entity] ?? entity);
}

function parseTag(inner: string): Segment | undefined {
  const bar = inner.indexOf("|");
  const target = bar === -1 ? inner : inner.slice(0, bar);
  const label = bar === -1 ? undefined : inner.slice(bar + 1);
  const [, sign, id] = /^(@|#|!subteam\^)([A-Z0-9]+)$/.exec(target) ?? [];
  if (id !== undefined) return parseId(sign ?? "", id);
  const range = ranges.find((each) => target === `!${each}`);
  if (range !== undefined) return { kind: "special", range };
  if (target.startsWith("!date^")) return label === undefined ? undefined : parseDate(target, label);
  if (!/^(?:https?:\/\/|mailto:|tel:)/.test(target)) return undefined;
  return { kind: "link", url: unescaped(target), ...(label === undefined ? {} : { label: unescaped(label) }) };
}

function parseId(sign: string, id: string): Segment | undefined {
  if (sign === "@") return /^[UW]/.test(id) ? { kind: "user", id } : undefined;
  if (sign === "#") return /^[CGD]/.test(id) ? { kind: "channel", id } : undefined;
  return id.startsWith("S") ? { kind: "usergroup", id } : undefined;
}

/** An invalid date becomes its fallback text. */
function parseDate(target: string, label: string): Segment {
  const fallback = unescaped(label);
  const [, seconds, format, url] = /^!date\^(-?\d{1,12})\^([^^]+)(?:\^(https?:\/\/[^^]*))?$/.exec(target) ?? [];
  if (seconds === undefined || format === undefined) return { kind: "text", text: fallback };
  const link = url === undefined ? {} : { url: unescaped(url) };
  return { kind: "date", seconds: Number(seconds), format: unescaped(format), fallback, ...link };
}

function segmentToText(segment: Segment, viewer: Viewer): string {
  switch (segment.kind) {
    case "text":
      return drawEmoji(segment.text);
    case "user":
    case "usergroup":
      return `@${viewer.nameOf(segment.id)}`;
    case "channel":
      return `#${viewer.nameOf(segment.id)}`;
    case "special":
      return `@${segment.range}`;
    case "date":
      return formatDate(segment.seconds, segment.format, viewer) ?? segment.fallback;
    case "link":
      return segment.label === undefined || segment.label === segment.url
        ? segment.url
        : `${segment.label} (${segment.url})`;
    default:
      return segment satisfies never;
  }
}

/** Removes terminal control characters: all C0 and C1 except the line break. A tab becomes a space. */
export function stripControls(text: string): string {
  return text.replaceAll("\t", " ").replaceAll(/[^\P{Cc}\n]/gu, "");
}

/** The person for whom a text is rendered. */
export interface Viewer {
  /** The name of a person, channel or user group, without `@` or `#`. */
  readonly nameOf: (id: string) => string;
  /** The IANA zone in which dates are shown. */
  readonly zone: string;
  /** Epoch milliseconds. Without it, "today" becomes a full date. */
  readonly now?: number | undefined;
}

/** Formats a `<!date^…>` tag. Undefined when invalid, so that the fallback shows (PLATFORM.md §10). */
export function formatDate(seconds: number, format: string, viewer: Viewer): string | undefined {
  const at = new Date(seconds * 1000);
  const names = [...format.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
  if (Number.isNaN(at.getTime()) || !names.every((name) => Object.hasOwn(tokens, name))) return undefined;
  return format.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => tokens[name]?.(at, viewer) ?? "");
}

type Token = (at: Date, viewer: Viewer) => string;

const dayMs = 86_400_000;

/** Those that Curfew sends. */
const tokens: Readonly<Record<string, Token>> = {
  date_num: written("yyyy-MM-dd"),
  date_short_pretty: (at, viewer) => relativeDay(at, viewer) ?? written("MMM d, yyyy")(at, viewer),
  time: written("h:mm a"),
};

function written(pattern: string): Token {
  return (at, { zone }) => formatInTimeZone(at, zone, pattern);
}

function relativeDay(at: Date, { now, zone }: Viewer): string | undefined {
  if (now === undefined) return undefined;
  const dayOf = (moment: Date): number => Date.parse(formatInTimeZone(moment, zone, "yyyy-MM-dd"));
  const days = Math.round((dayOf(at) - dayOf(new Date(now))) / dayMs);
  return new Map([
    [-1, "yesterday"],
    [0, "today"],
    [1, "tomorrow"],
  ]).get(days);
}

/** `2026-11-20 18:00`, for inputs of a day and a time. */
export function dateInZone(seconds: number, zone: string): string {
  return formatInTimeZone(new Date(seconds * 1000), zone, "yyyy-MM-dd HH:mm");
}

/** The emoji in Curfew's messages, by Slack's names. Others show as their name. */
const emoji: Readonly<Record<string, string>> = {
  alarm_clock: "⏰",
  arrow_right: "➡️",
  bar_chart: "📊",
  bell: "🔔",
  card_index_dividers: "🗂️",
  checkered_flag: "🏁",
  fast_forward: "⏩",
  grey_question: "❔",
  hourglass: "⌛",
  hourglass_flowing_sand: "⏳",
  information_source: "ℹ️",
  large_blue_circle: "🔵",
  large_blue_square: "🟦",
  large_brown_circle: "🟤",
  large_brown_square: "🟫",
  large_green_circle: "🟢",
  large_green_square: "🟩",
  large_orange_circle: "🟠",
  large_orange_square: "🟧",
  large_purple_circle: "🟣",
  large_purple_square: "🟪",
  large_yellow_circle: "🟡",
  leftwards_arrow_with_hook: "↩️",
  lock: "🔒",
  mute: "🔇",
  new: "🆕",
  no_entry: "⛔",
  pencil2: "✏️",
  spiral_calendar_pad: "🗓️",
  question: "❓",
  raised_hand: "✋",
  repeat: "🔁",
  unlock: "🔓",
  warning: "⚠️",
  wastebasket: "🗑️",
  white_check_mark: "✅",
  white_circle: "⚪",
  wrench: "🔧",
  x: "❌",
};

/** Replaces `:name:` with the character where it is known. */
export function drawEmoji(text: string): string {
  return text.replaceAll(/:([a-z][a-z0-9_]*):/g, (whole, name: string) =>
    Object.hasOwn(emoji, name) ? (emoji[name] ?? whole) : whole,
  );
}
