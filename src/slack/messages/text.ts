import type { LinePart, Sentence } from "../../commands/answer.ts";
import { isGroupId, isProgram, programName } from "../../permissions/actor.ts";
import { formatMoment } from "../../time/format-moment.ts";

/**
 * Text that Slack formats (PLATFORM.md §10). Only what is made here has this type, so no text of people or the service gets into it
 * but as `literal`.
 */
export type Mrkdwn = (string & { readonly [isMrkdwn]: true }) | "";
declare const isMrkdwn: unique symbol;

export type Icon = `:${string}:`;

/** What may stand in mrkdwn as it is: mrkdwn, numbers, signs and the words of the code itself. */
type Ours<T> = T extends Mrkdwn | number | Icon | `${Icon} `
  ? T
  : T extends string
    ? Record<never, never> extends Record<T, unknown>
      ? never
      : T
    : never;

/** Formatted text: md`*${literal(name)}* until ${date(at, zone)}`. */
export function md<const T extends readonly (string | number)[]>(
  parts: TemplateStringsArray,
  ...values: T & { readonly [Key in keyof T]: Ours<T[Key]> }
): Mrkdwn {
  return made(String.raw({ raw: parts }, ...values));
}

const made = (text: string): Mrkdwn => text as Mrkdwn;

export function join<const S extends string>(parts: readonly Mrkdwn[], separator: S & Ours<S>): Mrkdwn {
  return made(parts.join(separator));
}

/**
 * Lone surrogates (not valid UTF-8), controls, invisible characters (they make two names look the same) and bidi overrides (they
 * reverse the text after them). Joiners stay: emoji need them. So do direction marks: Hebrew and Arabic need them.
 */
const unfit =
  /[\p{Surrogate}\p{Cc}\u115f\u1160\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180e|\u180f/gu;

/** The text on one line, without unfit characters, for people to read. Nothing is escaped. */
export const legible = (text: string): string =>
  text.replace(/[\p{White_Space}\u2800]+/gu, " ").replace(unfit, "\ufffd");

/** For text that must be shown exactly: characters that nobody sees, or takes for others, are written as JSON escapes. */
export const spelledOut = (json: string): string =>
  json.replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu, (char) =>
    char === " " || char === "\n" ? char : char.split("").map(spelled).join(""),
  );

const spelled = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Slack knows no escape for its marks, so they give way to signs that look like them. */
const lookalikes: Readonly<Record<string, string>> = { "*": "∗", _: "ˍ", "~": "∼", "`": "ˋ", ":": "∶" };

/** What Slack may take for a mark: underscores inside words stay, as do colons that begin no emoji code and those of times and places. */
const allMarks =
  /[*~`]|(?<![a-z0-9])_|_(?![a-z0-9])|:(?=[\p{L}\p{M}\p{N}_+'-]+(?::|$))(?!(?<=[a-z0-9]:)\d\d?(?::|$))/giu;

/** Begins like a line of Curfew's, or like a quote. */
const isLikeOurs = (text: string): boolean => /^[^\p{L}\p{N}“]*(?:>|\p{So}|\p{Extended_Pictographic})/u.test(text);

/**
 * Any text as one line of plain text, at most `limit` characters as Slack counts them: nothing in it is formatted, linked, notified or
 * drawn as an emoji code. Begins with quotes where it could pass for a line of Curfew's.
 */
export function literal(text: string, limit = Number.POSITIVE_INFINITY): Mrkdwn {
  return clipMrkdwn(escaped(clip(notLikeOurs(text), limit), allMarks), limit);
}

/** The text on one line, in quotes where it could pass for a line of Curfew's. Nothing is escaped. */
export function notLikeOurs(text: string): string {
  const line = legible(text);
  return isLikeOurs(line) ? `“${line}”` : line;
}

const signs = new Map(Object.entries(lookalikes).map(([mark, lookalike]) => [lookalike, mark]));

/** Text that may be copied from a message, with the signs that stood there first. */
export const withoutLookalikes = (text: string): string => text.replace(/[∗ˍ∼ˋ∶]/g, (sign) => signs.get(sign) ?? sign);

/** `marks`: those that count where the text stands. */
function escaped(text: string, marks: RegExp): Mrkdwn {
  const unmarked = text.replace(marks, (mark) => lookalikes[mark] ?? mark);
  return made(unmarked.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;"));
}

/** Rows of letters of one width. */
export function codeBlock(rows: readonly string[], limit: number): Mrkdwn {
  const text = rows.map((row) => escaped(row.replace(unfit, "\ufffd"), /`/g)).join("\n");
  return made(`\`\`\`${clipMrkdwn(made(text), limit - 6)}\`\`\``);
}

/** A name in bold. Slack takes no mark before a space. */
export const bold = (text: string, limit?: number): Mrkdwn => made(`*${literal(text.trim() || "–", limit)}*`);

/** Words and moments that follow each other. */
export const sentence = (parts: Sentence, zone: string, limit?: number): Mrkdwn =>
  join(
    parts.map((part) => partText(part, zone, limit)),
    "",
  );

/** A part of a line or sentence. */
export function partText(part: LinePart, zone: string, limit?: number): Mrkdwn {
  if (typeof part === "string") return literal(part, limit);
  const before = literal(part.before ?? "");
  return "person" in part
    ? md`${before}${mention(part.person)}${literal(part.after ?? "")}`
    : md`${before}${date(part.at, zone)}${literal(part.after ?? "")}`;
}

/** Texts below each other, each as one line. */
export const lines = (texts: readonly string[]): Mrkdwn =>
  join(
    texts.map((text) => literal(text)),
    "\n",
  );

/** An id or a line to type. Only a backtick counts in it. */
export const code = (text: string): Mrkdwn => made(`\`${escaped(legible(text.trim()), /`/g)}\``);

/** mrkdwn cut to at most `limit` characters, never inside a date, a link, a mention or an escape. */
export function clipMrkdwn(text: Mrkdwn, limit: number): Mrkdwn {
  return text.length <= limit
    ? text
    : made(`${text.slice(0, limit - 1).replace(/(?:<[^>]*|&[a-z]*|\p{Surrogate})$/u, "")}…`);
}

/** A moment (epoch ms) in each reader's own zone. Clients that draw no dates show it in words, in `zone`. */
export function date(at: number, zone: string): Mrkdwn {
  const minute = Math.floor(at / 60_000) * 60_000;
  return made(`<!date^${minute / 1000}^{date_short_pretty} {time}|${literal(formatMoment(minute, zone))}>`);
}

/** A person or group as Slack mentions them; a program by its name, since Slack knows none. */
export function mention(id: string): Mrkdwn {
  if (isProgram(id)) return literal(programName(id), shownName);
  return made(isGroupId(id) ? `<!subteam^${id}>` : `<@${id}>`);
}

const shownName = 100;

/** Slack shows a channel's name to those who may know it. */
export const channel = (id: string): Mrkdwn => made(`<#${id}>`);

/** Slack takes these signs for the end of a link or of its address. */
const inAddress: Readonly<Record<string, string>> = { "|": "%7C", "<": "%3C", ">": "%3E", "&": "&amp;" };

export function link(address: string, label: string): Mrkdwn {
  const escaped = address.replace(/[|<>&]/g, (sign) => inAddress[sign] ?? sign);
  return made(`<${escaped}|${literal(label).replaceAll("|", "¦")}>`);
}

/** A name in bold, which leads to an address where there is one. */
export const boldLink = (address: string | undefined, name: string, limit: number): Mrkdwn =>
  address === undefined ? bold(name, limit) : md`*${link(address, clip(name, limit))}*`;

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
  actionId: 255,
  elementsInActions: 25,
  elementsInContext: 10,
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

/** JSON for the value of a button or option, or the id of a block. Slack has nothing in it to escape. */
export const asValue = (json: object): string =>
  JSON.stringify(json).replace(/[&<>]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

/** A value of ours as it was given to Slack, which may give it back escaped (PLATFORM.md §6.3). */
export const unescaped = (value: string): string =>
  value.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
