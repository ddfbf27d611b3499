import { drawEmoji } from "./emoji.ts";
import { formatDate, type Viewer } from "./format-date.ts";

/** A segment of mrkdwn, with entities decoded. */
export type Segment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "user" | "channel" | "usergroup"; readonly id: string }
  | { readonly kind: "special"; readonly range: "here" | "channel" | "everyone" }
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

/** The tags in a text that Slack turns into mentions: people, channels, user groups, here, channel, everyone. */
export function liveMentions(text: string): string[] {
  return [...text.matchAll(tag)].filter(([, inner]) => isMention(parseTag(inner ?? ""))).map(([whole]) => whole);
}

/** Renders mrkdwn for a terminal. */
export function mrkdwnToText(text: string, viewer: Viewer): string {
  return stripControls(
    parseMrkdwn(text)
      .map((segment) => segmentToText(segment, viewer))
      .join(""),
  );
}

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
  if (target === "!here" || target === "!channel" || target === "!everyone")
    return { kind: "special", range: special(target) };
  if (target.startsWith("!date^")) return label === undefined ? undefined : parseDate(target, label);
  if (!/^(?:https?:\/\/|mailto:|tel:)/.test(target)) return undefined;
  return { kind: "link", url: unescaped(target), ...(label === undefined ? {} : { label: unescaped(label) }) };
}

function parseId(sign: string, id: string): Segment | undefined {
  if (sign === "@") return /^[UW]/.test(id) ? { kind: "user", id } : undefined;
  if (sign === "#") return /^[CGD]/.test(id) ? { kind: "channel", id } : undefined;
  return id.startsWith("S") ? { kind: "usergroup", id } : undefined;
}

function special(target: "!here" | "!channel" | "!everyone"): "here" | "channel" | "everyone" {
  if (target === "!here") return "here";
  return target === "!channel" ? "channel" : "everyone";
}

/** An invalid date becomes its fallback text. */
function parseDate(target: string, label: string): Segment {
  const fallback = unescaped(label);
  const [, seconds, format, url] = /^!date\^(-?\d{1,12})\^([^^]+)(?:\^(https?:\/\/[^^]*))?$/.exec(target) ?? [];
  if (seconds === undefined || format === undefined) return { kind: "text", text: fallback };
  const link = url === undefined ? {} : { url: unescaped(url) };
  return { kind: "date", seconds: Number(seconds), format: unescaped(format), fallback, ...link };
}

function isMention(segment: Segment | undefined): boolean {
  return segment !== undefined && ["user", "channel", "usergroup", "special"].includes(segment.kind);
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
      return formatDate(segment.seconds, segment.format, viewer, "mrkdwn") ?? segment.fallback;
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
