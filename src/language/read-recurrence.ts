import type { Recurrence } from "../time/recurrence.ts";
import { isoDay } from "../time/recurrence.ts";
import { addDays, type Weekday, wallClockAt } from "../time/wall-clock.ts";
import { ianaZone } from "../time/zone.ts";
import { isOfDays, readDays } from "./day-list.ts";
import { readClockRange, separated } from "./periods/clock-range.ts";
import { readTime, type TimeContext } from "./read-time.ts";
import { phrases, skip, type TimeWords } from "./time-words/phrases.ts";
import { readZone } from "./time-words/read-zone.ts";
import { timeWords } from "./time-words/time-words.ts";

export type RecurrenceReading =
  | { readonly kind: "recurrence"; readonly recurrence: Recurrence }
  /** In whole sentences. */
  | {
      readonly kind: "invalid";
      readonly reason: string;
      /** The nearest one that Curfew can plan. */
      readonly instead?: Recurrence;
    };

interface Parts {
  readonly days?: readonly Weekday[];
  readonly times?: { readonly starts: string; readonly ends: string };
  readonly zone?: string;
  readonly lastDay?: string;
  readonly notOn?: readonly string[];
}

interface Read {
  readonly end: number;
  readonly parts: Parts | string;
}

/** Reads `thu 18:00-22:00 until 2026-12-31 not on holidays`, its parts in any order. Every word counts. */
export function readRecurrence(typed: readonly string[], context: TimeContext): RecurrenceReading {
  const words = timeWords(typed);
  const often = rarer(words);
  if (often === 0) return readWeekly(typed, context);
  const rest = words.typed.slice(skip(words, often, joins));
  const weekly = readWeekly(rest, context);
  const said = words.typed.slice(0, often).join(" ");
  const reason = `A series comes every week, not every “${said}”. Nothing was changed. Write “every ${rest.join(" ") || "thu 18:00-22:00"}”, or ask for each day by itself.`;
  return { kind: "invalid", reason, ...(weekly.kind === "recurrence" ? { instead: weekly.recurrence } : {}) };
}

/** How many words at the beginning say that it comes less often than weekly: `2 weeks`, `other`, `month`. */
function rarer({ texts }: TimeWords): number {
  const [first = "", second = ""] = texts;
  if (/^(?:fortnight|month)$/.test(first)) return 1;
  if (/^weeks?$/.test(second) && /^(?:[2-9]|two|three|four|other|second|2nd|third|3rd)$/.test(first)) return 2;
  return /^(?:other|second|2nd|third|3rd)$/.test(first) ? 1 : 0;
}

function readWeekly(typed: readonly string[], context: TimeContext): RecurrenceReading {
  const words = timeWords(separated(typed).words);
  let parts: Parts = {};
  for (let at = 0; at < words.texts.length; ) {
    const start = skip(words, at, joins);
    const read = readPart(words, start, parts, context);
    if (!read || read.end <= at) return invalid(notUnderstood(words.typed[at] ?? ""));
    if (typeof read.parts === "string") return invalid(read.parts);
    parts = { ...parts, ...read.parts };
    at = read.end;
  }
  return whole(parts, context);
}

function whole({ days, times, lastDay, notOn = [], zone }: Parts, context: TimeContext): RecurrenceReading {
  if (!days) return invalid("On which days? Write them like “every thu”, “every weekday” or “every mon and fri”.");
  if (!times) return invalid("From when until when? Write the times like “18:00-22:00”.");
  if (lastDay === undefined) return invalid("Until when? Add the last day like “until 2026-12-31”, or “for 3 weeks”.");
  const own = ianaZone(zone ?? context.zone) ?? "UTC";
  return { kind: "recurrence", recurrence: { days, ...times, zone: own, lastDay, notOn } };
}

const invalid = (reason: string): RecurrenceReading => ({ kind: "invalid", reason: `${reason} Nothing was changed.` });

const notUnderstood = (word: string): string =>
  `I didn't understand “${word}”. Write it like “every thu 18:00-22:00 until 2026-12-31”.`;

const joins = phrases(",|on|at|from|between|each|every");

function readPart(words: TimeWords, at: number, parts: Parts, context: TimeContext): Read | undefined {
  return (
    (parts.notOn ? undefined : readNotOn(words, at)) ??
    (parts.lastDay ? undefined : readEnd(words, at, context, parts.zone)) ??
    (parts.times ? undefined : readTimes(words, at)) ??
    (parts.days ? undefined : readDayWords(words, at)) ??
    (parts.zone ? undefined : readZoneWords(words, at))
  );
}

const exceptWords = phrases("but not on|but not|not on|not during|not|except on|except for|except|excluding|without");
const ends: ReadonlySet<string> = new Set(["until", "till", "til", "for", "through", "thru"]);
const excepts: ReadonlySet<string> = new Set(["but", "not", "except", "excluding", "without"]);

/** `not on holidays` */
function readNotOn(words: TimeWords, at: number): Read | undefined {
  const first = skip(words, at, exceptWords);
  if (first === at) return undefined;
  const end = nextOf(words, first, ends);
  const names = words.typed
    .slice(first, end)
    .flatMap((word) => word.split(","))
    .map((word) => word.toLowerCase())
    .filter((word) => word !== "" && word !== "and" && word !== "the");
  if (names.length === 0)
    return { end: end + 1, parts: "Not on which calendar's days? Name it like “not on holidays”." };
  return { end, parts: { notOn: [...new Set(names)] } };
}

/** Where the next of these words is, or the end. */
function nextOf({ texts }: TimeWords, from: number, wanted: ReadonlySet<string>): number {
  const found = texts.findIndex((text, index) => index >= from && wanted.has(text));
  return found === -1 ? texts.length : found;
}

/** `until 2026-12-31` includes that day, `for 3 weeks` counts from now. */
function readEnd(words: TimeWords, at: number, context: TimeContext, zone: string | undefined): Read | undefined {
  if (!ends.has(words.texts[at] ?? "")) return undefined;
  const end = nextOf(words, at + 1, excepts);
  const typed = words.typed.slice(at, end);
  const read = readTime(typed, context);
  const here = ianaZone(zone ?? context.zone) ?? "UTC";
  const day = (moment: number) => isoDay(wallClockAt(moment, here));
  switch (read?.kind) {
    case "length":
      return { end, parts: { lastDay: isoDay(addDays(wallClockAt(context.now + read.ms, here), -1)) } };
    case "moment":
      return { end, parts: { lastDay: day(read.at) } };
    case "choice": {
      const days = new Set(read.options.map((option) => day(option.at)));
      const [only] = days;
      return { end, parts: only && days.size === 1 ? { lastDay: only } : read.reason };
    }
    case "invalid":
      return { end, parts: read.reason };
    default:
      return { end, parts: `I could not read “${typed.join(" ")}” as the last day. Write it like “until 2026-12-31”.` };
  }
}

/** `18:00-22:00`, `18:00 to 22:00`, `from 6pm until 10pm` */
function readTimes(words: TimeWords, at: number): Read | undefined {
  const read = readClockRange(words, at);
  return read && { end: read.end, parts: typeof read.range === "string" ? read.range : { times: read.range } };
}

const dayParts: ReadonlySet<string> = new Set(
  "evening night morning afternoon evenings nights mornings afternoons".split(" "),
);

/** `thu`, `weekday`, `mon and fri`, `mon-fri` */
function readDayWords({ texts, typed }: TimeWords, at: number): Read | undefined {
  if (texts[at] === "day" || dayParts.has(texts[at] ?? "")) return daysRead("daily", at + 1);
  let end = at;
  while (end < typed.length && isOfDays(singular(texts[end] ?? ""))) end++;
  // What joins the days to something else is no part of them.
  while (end > at && /^(?:-|–|—|to|through|and|&|,)$/.test(texts[end - 1] ?? "")) end--;
  // The times of day follow: “every weekday evening from 18:00 to 22:00”.
  const after = dayParts.has(texts[end] ?? "") ? end + 1 : end;
  return end === at ? undefined : daysRead(texts.slice(at, end).map(singular).join(" "), after);
}

function daysRead(text: string, end: number): Read | undefined {
  const read = readDays(text);
  return "unknown" in read || read.days.length === 0 ? undefined : { end, parts: { days: read.days } };
}

const singular = (word: string): string => (/^(?:week|work|business)day$/.test(word) ? "weekdays" : word);

function readZoneWords(words: TimeWords, at: number): Read | undefined {
  const read = readZone(words, at);
  const [only, ...others] = read?.zones ?? [];
  return read && only && others.length === 0 && only.aheadMs === 0
    ? { end: read.end, parts: { zone: only.zone } }
    : undefined;
}
