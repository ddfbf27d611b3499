import { mayBeginTime } from "../may-begin-time.ts";
import { phrases, skip, type TimeWords } from "../time-words/phrases.ts";
import { readClock } from "../time-words/read-clock.ts";
import { timeWords, weekdayNames } from "../time-words/time-words.ts";
import type { Word } from "../tokenize.ts";
import { readClockRange, separated } from "./clock-range.ts";
import { readDaysOfSeries } from "./recurrence-parts.ts";

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
    const moved = rangeBefore(body, at) ?? boundBefore(typed, at);
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
/** What comes less often, in the words of the series. */
const rarely: ReadonlyMap<string, readonly string[]> = new Map([
  ["weekly", []],
  ["biweekly", ["2", "weeks"]],
  ["fortnightly", ["2", "weeks"]],
  ["monthly", ["month"]],
]);
const isOfMonth =
  /^(?:the )?(?:first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) [a-z]+day (?:of|in) (?:a|each|every) month/;
const partsOfDay = /^(?:evening|night|morning|afternoon)s$/;

function markAt(words: TimeWords, at: number): Mark | undefined {
  const several = severalDays(words, at);
  if (several) return several;
  const every = skip(words, at, everies);
  if (every > at) return { end: every, days: [] };
  const text = words.texts[at] ?? "";
  if (daily.test(text)) return { end: at + 1, days: ["day"] };
  const instead = rarely.get(text);
  if (instead) return { end: skip(words, at + 1, small), days: instead };
  const isWeekday = weekdayNames.has(text) && partsOfDay.test(words.texts[at + 1] ?? "");
  return plurals.test(text) || isWeekday || isOfMonth.test(words.texts.slice(at, at + 7).join(" "))
    ? { end: at, days: [] }
    : undefined;
}

/** `mon-fri 18-22`, `tue and wed next week 8 to 21`, `from 1.12. to 3.12. each evening till 23:00`: the same times on several days. */
function severalDays({ texts }: TimeWords, at: number): Mark | undefined {
  if (!mayBeginTime(texts[at] ?? "")) return undefined;
  const pieces = timeWords(separated(texts.slice(at)).words);
  const days = readDaysOfSeries(pieces.typed);
  if (!days) return undefined;
  const again = skip(pieces, days.end, eachDay);
  const until = again > days.end || days.isOfWeek ? skip(pieces, again, untils) : again;
  const isTimed = readClockRange(pieces, skip(pieces, again, rangeLeads)) !== undefined;
  const isUntil = until > again && readClock(pieces, until, true) !== undefined;
  return isTimed || isUntil ? { end: at, days: [] } : undefined;
}

const rangeLeads = phrases("from|between|,|at");
const eachDay = phrases(
  "each evening|each night|each day|every evening|every night|every day|in the evenings|in the evening|daily",
);
const untils = phrases("until|till|til|to");

/** Where the times of day begin that end right before this word. */
function rangeBefore(body: readonly Word[], end: number): number | undefined {
  for (let at = Math.max(1, end - 6); at < end; at++) {
    const pieces = timeWords(separated(body.slice(at, end).map(({ value }) => value)).words);
    if (readClockRange(pieces, skip(pieces, 0, rangeLeads))?.end === pieces.texts.length) return at;
  }
  return undefined;
}

/** Where the days begin right before this word within which it all is: `next week` in `next week each working day`. */
function boundBefore({ typed }: TimeWords, end: number): number | undefined {
  for (let at = Math.max(2, end - 4); at < end; at++)
    if (mayBeginTime(typed[at] ?? "") && readDaysOfSeries(typed.slice(at, end))?.end === end - at) return at;
  return undefined;
}

/** Without the small words in front: "on", "all the". */
function leadBefore({ texts }: TimeWords, at: number): number {
  let end = at;
  while (end > 1 && /^(?:on|at|all|the|for|of)$/.test(texts[end - 1] ?? "")) end--;
  return end;
}
