import { phrases, skip, type TimeWords } from "../time-words/phrases.ts";
import { timeWords, weekdayNames } from "../time-words/time-words.ts";
import type { Word } from "../tokenize.ts";
import { readClockRange, separated } from "./clock-range.ts";
import { readDaysSaid } from "./days-said.ts";

/** A longer line is no request for a series. */
const mostWords = 40;

/**
 * Says a series as the grammar has it, with "every" in front of its days and times: "keep staging up on thursdays 18:00-22:00",
 * "… daily 18:00-22:00", "… 18:00-20:00 every weekday". Undefined when the line names none.
 */
export function withEveryFirst(words: readonly Word[]): readonly Word[] | undefined {
  const open = words.findIndex(({ value, isQuoted }) => !isQuoted && /^(?:because|bc|--.*)$/i.test(value));
  const body = open === -1 ? words : words.slice(0, open);
  if (body.length > mostWords) return undefined;
  const typed = timeWords(body.map(({ value, isQuoted }) => (isQuoted ? "" : value)));
  for (let at = 1; at < body.length; at++) {
    const mark = markAt(typed, at);
    if (!mark) continue;
    const moved = rangeBefore(body, at);
    const every = (value: string): Word => ({ value, isQuoted: false, start: body[at]?.start ?? 0 });
    return [
      ...body.slice(0, leadBefore(typed, moved ?? at)),
      every("every"),
      ...(moved === undefined ? [] : body.slice(moved, at)),
      ...mark.days.map(every),
      ...body.slice(mark.end),
      ...words.slice(body.length),
    ];
  }
  return undefined;
}

interface Mark {
  /** Where the words go on that are kept. */
  readonly end: number;
  readonly days: readonly string[];
}

const small = phrases("on");
const everies = phrases("every single|every|each");
const plurals = /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:week|work|business)days|weekends)$/;
const daily = /^(?:daily|nightly|everyday|evenings|nights)$/;
/** What comes less often is refused in the words of the series. */
const rarely: ReadonlyMap<string, readonly string[]> = new Map([
  ["weekly", []],
  ["biweekly", ["2", "weeks"]],
  ["fortnightly", ["2", "weeks"]],
  ["monthly", ["month"]],
]);
const partsOfDay = /^(?:evening|night|morning|afternoon)s$/;

function markAt(words: TimeWords, at: number): Mark | undefined {
  const every = skip(words, at, everies);
  if (every > at) return { end: every, days: [] };
  const text = words.texts[at] ?? "";
  if (daily.test(text)) return { end: at + 1, days: ["day"] };
  const instead = rarely.get(text);
  if (instead) return { end: skip(words, at + 1, small), days: instead };
  const isWeekday = weekdayNames.has(text) && partsOfDay.test(words.texts[at + 1] ?? "");
  if (plurals.test(text) || isWeekday) return { end: at, days: [] };
  return severalDays(words, at);
}

/** `mon-fri 18-22`, `thu and fri 18:00-22:00`: the same times on several days. */
function severalDays({ texts }: TimeWords, at: number): Mark | undefined {
  const pieces = timeWords(separated(texts.slice(at)).words);
  const read = readDaysSaid(pieces, 0, true);
  const isOfWeek = read?.days.days.every((parts) => parts.weekday !== undefined && !parts.days && !parts.dayPart);
  if (!read || !isOfWeek || read.days.days.length < 2) return undefined;
  return readClockRange(pieces, skip(pieces, read.end, rangeLeads)) ? { end: at, days: [] } : undefined;
}

const rangeLeads = phrases("from|between|,|at");

/** Where the times of day begin that end right before this word. */
function rangeBefore(body: readonly Word[], end: number): number | undefined {
  for (let at = Math.max(1, end - 6); at < end; at++) {
    const pieces = timeWords(separated(body.slice(at, end).map(({ value }) => value)).words);
    if (readClockRange(pieces, skip(pieces, 0, rangeLeads))?.end === pieces.texts.length) return at;
  }
  return undefined;
}

/** Without the small words in front: "on", "all the". */
function leadBefore({ texts }: TimeWords, at: number): number {
  let end = at;
  while (end > 1 && /^(?:on|at|all|the|for|of)$/.test(texts[end - 1] ?? "")) end--;
  return end;
}
