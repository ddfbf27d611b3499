import { isoDay, type Recurrence } from "../time/recurrence.ts";
import { addDays, clockText, instantOf, wallClockAt, weekdays } from "../time/wall-clock.ts";
import { ianaZone } from "../time/zone.ts";
import { separated } from "./periods/clock-range.ts";
import { onceWord, onDates, readSeriesPart, type SeriesPartRead, type SeriesParts } from "./periods/series-parts.ts";
import type { TimeContext } from "./read-time.ts";
import { dayMinutes, teamDay } from "./time-meaning/open-clock.ts";
import { readLength } from "./time-words/lengths.ts";
import { type SaidWords, saidWords, skip, type TimeWords } from "./time-words/words.ts";

export type RecurrenceReading =
  | { readonly kind: "recurrence"; readonly recurrence: Recurrence; readonly assumed?: string | undefined }
  /** All but when each time starts, or the last day, or both. `reason`: what is asked for, in whole sentences. */
  | { readonly kind: "open"; readonly recurrence: OpenRecurrence; readonly reason: string }
  /** In whole sentences. */
  | { readonly kind: "invalid"; readonly reason: string };

export type OpenRecurrence = Omit<Recurrence, "starts" | "lastDay"> & Partial<Pick<Recurrence, "starts" | "lastDay">>;

/** What changes about a series: each of its values that was said. */
export type RecurrencePart = Partial<Recurrence>;

export type PartReading =
  | { readonly kind: "part"; readonly part: RecurrencePart }
  | { readonly kind: "invalid"; readonly reason: string };

/** Reads `thu 18:00-22:00 until 2026-12-31 not on holidays`, its parts in any order. Every word counts. */
export function readRecurrence(typed: readonly string[], context: TimeContext): RecurrenceReading {
  const said = partsOf(typed, context);
  if (typeof said === "string") return invalid(said);
  const dated = onItsDates(said);
  if (typeof dated === "string") return invalid(dated);
  const { assumed, ...parts } = inUsualHours(dated, context);
  const { ends, weeks, nth, notOn = [], without = [], later } = parts;
  const days = (parts.days ?? (parts.forMs ? weekdays.slice() : undefined))?.filter((day) => !without.includes(day));
  if (!days || days.length === 0)
    return invalid("On which days? Write them like “every thu”, “every weekday” or “every mon and fri”.");
  if (ends === undefined) return invalid("From when until when? Write the times like “18:00-22:00”.");
  const { starts, zone, firstDay, lastDay } = withDays(parts, context);
  const recurrence: OpenRecurrence = {
    ...{ days, ends, zone, notOn },
    ...(starts === undefined ? {} : { starts }),
    ...(lastDay === undefined ? {} : { lastDay }),
    ...(nth === undefined ? {} : { nth }),
    ...(later === undefined ? {} : { later }),
    ...(weeks === undefined ? {} : { weeks }),
    ...(weeks === undefined && firstDay === undefined ? {} : { firstDay: firstDay ?? nextDay(days, zone, context) }),
  };
  if (starts !== undefined && lastDay !== undefined)
    return { kind: "recurrence", recurrence: { ...recurrence, starts, lastDay }, assumed };
  const reason =
    starts === undefined
      ? "From when until when? Write the times like “18:00-22:00”."
      : "Until when? Add the last day like “until 2026-12-31”, or “for 3 weeks”.";
  return { kind: "open", recurrence, reason: [assumed, reason, "Nothing was changed."].filter(Boolean).join(" ") };
}

/** “every thursday evening”: the evening of the team's day. */
function inUsualHours(parts: SeriesParts, context: TimeContext): SeriesParts & { readonly assumed?: string } {
  if (parts.ends !== undefined || parts.part === undefined) return parts;
  const [starts = "", ends = ""] = teamDay(context).parts[parts.part].map(({ minutes }) =>
    clockText(minutes % dayMinutes),
  );
  const assumed = `Read “${parts.part}” as ${starts} to ${ends === "00:00" ? "24:00" : ends}.`;
  return { ...parts, starts, ends, zone: parts.zone ?? context.dayZone, assumed };
}

/** Days of the week that were said once, and no more of them: “thursday and friday”. */
function onItsDates(parts: SeriesParts): SeriesParts | string {
  const { coming, isOnce, days, notOn = [] } = parts;
  if (coming === undefined || !isOnce) return parts;
  if (typeof coming === "string") return coming;
  const dates = onDates(coming, days);
  return { ...parts, ...dates, notOn: [...notOn, ...(dates.notOn ?? [])] };
}

/** Reads what is to be another way in a series: `18:30-22:30`, `fri`, `until 14 jan`. */
export function readRecurrencePart(typed: readonly string[], context: TimeContext): PartReading {
  const parts = partsOf(typed[0] === "to" ? typed.slice(1) : typed, context);
  if (typeof parts === "string") return { kind: "invalid", reason: `${parts} Nothing was changed.` };
  const { count: _count, forMs: _forMs, without: _without, zone, ...rest } = parts;
  const { part: _part, coming: _coming, isDated: _isDated, isAgain: _isAgain, isOnce: _isOnce, ...said } = rest;
  const { firstDay, lastDay } = withDays(parts, context);
  const dates = { ...(firstDay === undefined ? {} : { firstDay }), ...(lastDay === undefined ? {} : { lastDay }) };
  return { kind: "part", part: { ...said, ...(zone === undefined ? {} : { zone }), ...dates } };
}

/** What words say of a series, as far as they do. */
function scan(words: SaidWords): SeriesPartRead {
  let parts: SeriesParts = {};
  let end = 0;
  for (let at = 0; at < words.texts.length; at = end) {
    const start = afterJoins(words, at);
    const read = readSeriesPart(words, start, parts);
    if (!read || read.end <= at) break;
    ({ end } = read);
    if (typeof read.parts === "string") return { end, parts: read.parts };
    const isAgain = parts.isAgain ?? (again.test(words.texts.slice(at, end).join(" ")) ? true : undefined);
    const notOn = [...(parts.notOn ?? []), ...(read.parts.notOn ?? [])];
    parts = { ...parts, ...read.parts, ...(notOn.length > 0 ? { notOn } : {}), ...(isAgain ? { isAgain } : {}) };
  }
  // "10-14 each"
  return { end: words.texts[end] === "each" && end + 1 === words.texts.length ? end + 1 : end, parts };
}

const again =
  /\b(?:every|each|daily|weekly|nightly|(?:mon|tues|wednes|thurs|fri|satur|sun|week|work)days|(?:work|working|business) days|weekends|evenings|nights|mornings|of (?:a|the|each|every) month)\b/;

function afterJoins(words: TimeWords, start: number): number {
  let at = start;
  for (let end = skip(words, at, joins); end > at; end = skip(words, at, joins)) at = end;
  return at;
}

function partsOf(typed: readonly string[], context: TimeContext): SeriesParts | string {
  const words = saidWords(separated(typed).words, context);
  const { end, parts } = scan(words);
  if (typeof parts === "string" || end === words.texts.length) return parts;
  return words.texts[end] === "month"
    ? "A series has days of the week. Write them like “every thu” or “every first monday of the month”."
    : notUnderstood(words.typed[afterJoins(words, end)] ?? words.typed[end] ?? "");
}

/**
 * The same times of day on several days, whether they come again or were said by their dates: where they end that begin here. `lead`:
 * what to say in front, behind “every”.
 */
export function seriesAt(words: SaidWords): { readonly end: number; readonly lead: readonly string[] } | undefined {
  const { end, parts } = scan(words);
  if (typeof parts === "string") return again.test(words.texts.slice(0, end).join(" ")) ? { end, lead: [] } : undefined;
  const { days, ends, firstDay, lastDay, forMs, isAgain, coming, count } = parts;
  const isBound = (isAgain ?? firstDay ?? lastDay ?? forMs ?? count) !== undefined;
  const isSeveral = (days?.length ?? 0) > 1 || count !== undefined || (firstDay !== undefined && firstDay !== lastDay);
  if (!(isAgain && days) && !(ends !== undefined && isSeveral)) return undefined;
  const isLength = readLength(words, 0) !== undefined;
  return { end, lead: isLength ? ["for"] : coming && !isBound ? [onceWord] : [] };
}

const invalid = (reason: string): RecurrenceReading => ({ kind: "invalid", reason: `${reason} Nothing was changed.` });

const notUnderstood = (word: string): string =>
  `I didn't understand “${word}”. Write it like “every thu 18:00-22:00 until 2026-12-31”.`;

const joins = ",|on|at|from|starting|beginning|between|each|every|and|&|plus|always";

/** Its first and last day, where they follow from a length or a number of days. */
function withDays(parts: SeriesParts, context: TimeContext) {
  const { starts, ends, count, forMs } = parts;
  const zone = ianaZone(parts.zone ?? context.zone) ?? "UTC";
  const today = wallClockAt(context.now, zone);
  if (count !== undefined) {
    const [hour = 0, minute = 0] = (starts ?? ends ?? "").split(":").map(Number);
    const begins = instantOf({ ...today, hour, minute }, zone);
    const from = addDays(today, begins.kind === "instant" && begins.at <= context.now ? 1 : 0);
    return { starts, zone, firstDay: isoDay(from), lastDay: isoDay(addDays(from, count - 1)) };
  }
  const { firstDay } = parts;
  const from = firstDay === undefined ? context.now : Math.max(context.now, Date.parse(`${firstDay}T12:00:00Z`));
  const lastDay = forMs === undefined ? parts.lastDay : isoDay(addDays(wallClockAt(from + forMs, zone), -1));
  return { starts, zone, firstDay, lastDay };
}

/** From here the weeks are counted. */
function nextDay(days: Recurrence["days"], zone: string, { now }: TimeContext): string {
  const today = wallClockAt(now, zone);
  const ahead = weekdays.map((_each, index) => addDays(today, index)).find(({ weekday }) => days.includes(weekday));
  return isoDay(ahead ?? today);
}
