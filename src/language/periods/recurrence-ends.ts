import { calendarDay, isoDay } from "../../time/recurrence.ts";
import { addDays, wallClockAt } from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import { readTime, type TimeContext } from "../read-time.ts";
import { inPartOfDay } from "../time-meaning/open-clock.ts";
import { clockText } from "../time-meaning/team-day.ts";
import { phraseAt, phrases, phrasesFor, skip, type TimeWords } from "../time-words/phrases.ts";
import { readClock } from "../time-words/read-clock.ts";
import { readDate } from "../time-words/read-date.ts";
import type { ClockRead } from "../time-words/read-digits.ts";
import { readLength } from "../time-words/read-length.ts";
import { readMonth } from "../time-words/read-month.ts";
import { readParts } from "../time-words/read-parts.ts";
import { readClockRange } from "./clock-range.ts";
import { datesMeant } from "./dates-said.ts";
import { readDaysSaid } from "./days-said.ts";
import type { SeriesPartRead, SeriesParts } from "./series-parts.ts";

/* Until when a series goes, and from when until when each of its times does. */

export const ends: ReadonlySet<string> = new Set(["until", "till", "til", "for", "through", "thru"]);
const others: ReadonlySet<string> = new Set(
  "but not except excluding without apart from starting in during then up leave skip skipping each every last final".split(
    " ",
  ),
);
const endLeads = phrases(
  "until and including|up to and including|up to and with|up to|up till|until|till|til|for|through|thru|before",
);
const small = phrases("on|the|,|in|all");

/** Where the next of these words is, or the end. */
export function nextOf({ texts }: TimeWords, from: number, ...wanted: readonly ReadonlySet<string>[]): number {
  const found = texts.findIndex((text, index) => index >= from && wanted.some((each) => each.has(text)));
  return found === -1 ? texts.length : found;
}

/** `until 2026-12-31` includes that day, `for 3 weeks` counts from the first; `until 22:00` is the end of each time. */
export function readEnd(
  words: TimeWords,
  at: number,
  { ends: known, zone, part }: SeriesParts,
  context: TimeContext,
): SeriesPartRead | undefined {
  const first = skip(words, at, endLeads);
  if (first === at) return undefined;
  const days = words.texts[at] === "before" ? readDaysSaid(words, skip(words, first, small), true) : undefined;
  const dates = days && datesMeant(days.days.days, false, context);
  if (days && typeof dates === "object")
    return { end: days.end, parts: { lastDay: isoDay(addDays(calendarDay(dates[0] ?? ""), -1)) } };
  const length = words.texts[at] === "for" ? readLength(words, first) : undefined;
  if (length?.reading.kind === "duration" && length.months === 0)
    return { end: length.end, parts: { forMs: length.reading.ms } };
  const next = nextOf(words, first, ends, others);
  const within = known === undefined ? endInPart(words, first) : undefined;
  if (within) return within;
  const clock = known === undefined ? readClock(words, first, true) : undefined;
  if (clock?.parts.clock && isAlone(words, first, clock, next)) {
    const { hour, minute, isOpen } = clock.parts.clock;
    const isSure = !isOpen || hour > 12 || clock.parts.clock.written === "with a colon";
    const [minutes] = isSure ? [hour * 60 + minute] : part ? inPartOfDay(clock.parts.clock, part, true) : [];
    return {
      end: clock.end,
      parts:
        minutes === undefined
          ? `“${words.typed[first]}” may be before or after noon. Write the times like 18:00-22:00.`
          : { ends: clockText(minutes) },
    };
  }
  const end = known === undefined ? beforeTimes(words, first, next) : next;
  const lead = words.texts[at] === "up" ? "through" : (words.typed[at] ?? "");
  const typed = [lead, ...words.typed.slice(first, end)];
  const read = readTime(typed, context);
  const here = ianaZone(zone ?? context.zone) ?? "UTC";
  const day = (moment: number) => isoDay(wallClockAt(moment, here));
  switch (read?.kind) {
    case "length":
      return { end, parts: { forMs: read.ms } };
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

/** Whether a time of day ends here: nothing follows it, or the days on which it is. */
function isAlone(words: TimeWords, at: number, { end, parts }: ClockRead, next: number): boolean {
  if (end === next || /[:.]\d\d|[ap]m$|\dh$/.test(words.texts.slice(at, end).join(""))) return true;
  if (readMonth(words, at) ?? readDate(words, at)) return false;
  return (parts.clock?.hour ?? 0) > 12 || readDaysSaid(words, skip(words, end, small), true) !== undefined;
}

/** `half past eight in the evening` */
function endInPart(words: TimeWords, at: number): SeriesPartRead | undefined {
  const { end, parts } = readParts(words, at, true) ?? {};
  const { clock, dayPart, days, weekday, edge, zones } = parts ?? {};
  if (end === undefined || !clock || !dayPart || days || weekday || edge || zones) return undefined;
  const [minutes] = inPartOfDay(clock, dayPart, true);
  return minutes === undefined ? undefined : { end, parts: { ends: clockText(minutes) } };
}

const firstOrLast = phrasesFor<"firstDay" | "lastDay">([
  [
    "the last one on|the last one|last one on|last one|last time on|last time|last day|last on|the final one on|the final one|final one on|final one",
    "lastDay",
  ],
  ["the first one on|the first one|first one on|first one|first time on|first time|first day|first on", "firstDay"],
]);

/** `last one dec 10`, `first time 30 november` */
export function readFirstOrLast(
  words: TimeWords,
  at: number,
  known: SeriesParts,
  context: TimeContext,
): SeriesPartRead | undefined {
  const which = phraseAt(words, at, firstOrLast);
  const said = which && !known[which.means] ? readDaysSaid(words, which.end, true) : undefined;
  if (!which || said?.days.days.length !== 1) return undefined;
  const dates = datesMeant(said.days.days, false, context);
  return { end: said.end, parts: typeof dates === "string" ? dates : { [which.means]: dates[0] ?? "" } };
}

/** Where the times of day begin that follow a last day: `until christmas 19:00-20:00`. */
function beforeTimes(words: TimeWords, first: number, end: number): number {
  const times = words.texts.findIndex((_text, at) => at > first && at < end && readTimes(words, at) !== undefined);
  return times === -1 ? end : times;
}

/** `18:00-22:00`, `18:00 to 22:00`, `from 6pm until 10pm` */
export function readTimes(words: TimeWords, at: number): SeriesPartRead | undefined {
  // `1.12. to 3.12.` are days.
  const read = words.texts[at]?.endsWith(".") ? undefined : readClockRange(words, at);
  if (!read) return undefined;
  if (typeof read.range === "string") return { end: read.end, parts: read.range };
  return { end: read.end, parts: { starts: read.range.starts, ends: read.range.ends } };
}
