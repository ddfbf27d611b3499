import { casual, type ParsedResult } from "chrono-node/en";
import { formatDay } from "./format-moment.ts";
import { addDays, type CalendarDay, type Weekday, weekdays } from "./wall-clock.ts";

interface Time {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** The words without a clock applied: a time on a day, on the next such weekday, or the next such time. */
export type MomentReading =
  | { kind: "day"; day: CalendarDay; time: Time }
  | { kind: "weekday"; weekday: Weekday; time: Time }
  | { kind: "time"; time: Time }
  | { kind: "invalid"; reason: string };

/** Reads the words of a moment with chrono, and refuses words that chrono would guess at or skip. */
export function readMoment(words: readonly string[], today: CalendarDay): MomentReading {
  const text = words.join(" ");
  const [found, ...others] = casual.parse(text, localNoon(today));
  if (others.length > 0 || found?.end) return invalid(`"${text}" names more than one moment. Give just one.`);
  if (!found || !isWhole(found, text)) return notUnderstood(text);
  if (!words.every(isMomentWord)) return GONE.test(text) ? past(text) : notUnderstood(text);
  if (!found.start.isCertain("hour") || !CLEAR_TIME.test(text)) {
    if (isBefore(found.start, today)) return past(text);
    return invalid(`"${text}" has no clear time of day. Add one such as 18:00 or 6pm.`);
  }
  return readDayAndTime(found.start, text);
}

export function notUnderstood(text: string): MomentReading & { kind: "invalid" } {
  const problem = text === "" ? "There is no time to read." : `I could not read "${text}" as a moment.`;
  return invalid(`${problem} Write it like ${EXAMPLES}.`);
}

const EXAMPLES = "18:00, 6pm, fri 18:00, tomorrow 9am or 2026-11-23 09:00";
/** chrono also reads a bare number as an hour, which leaves morning or evening open. */
const CLEAR_TIME = /\d:\d|\d ?[ap]\.?m|noon|midday|midnight/i;

/** chrono uses the process's own zone. Clock changes never skip noon, and only the day matters here. */
function localNoon({ year, month, day }: CalendarDay): Date {
  return new Date(year, month - 1, day, 12);
}

const GONE = /\bago$|^last\b|\byesterday\b/i;

function past(text: string): MomentReading & { kind: "invalid" } {
  return invalid(`"${text}" is past. Give a moment still to come, like ${EXAMPLES}.`);
}

/** Whether it names a day before today. The time of day does not matter. */
function isBefore(start: ParsedResult["start"], { year, month, day }: CalendarDay): boolean {
  const said = Date.UTC(start.get("year") ?? 0, (start.get("month") ?? 0) - 1, start.get("day") ?? 0);
  return start.isCertain("day") && said < Date.UTC(year, month - 1, day);
}

function isWhole(found: ParsedResult, text: string): boolean {
  return /^[\s,]*$/.test(text.replace(found.text, ""));
}

function readDayAndTime(start: ParsedResult["start"], text: string): MomentReading {
  const time = { hour: start.get("hour") ?? 0, minute: start.get("minute") ?? 0, second: start.get("second") ?? 0 };
  const weekday = start.isCertain("weekday") ? weekdays[start.get("weekday") ?? 0] : undefined;
  const isDay = start.isCertain("day") || /\bnext\b/i.test(text);
  if (!isDay && weekday === undefined) return { kind: "time", time };
  if (/midnight/i.test(text))
    return invalid("Midnight is where two days meet. Write 00:00, or 23:59 of the day before.");
  if (!isDay && weekday !== undefined) return { kind: "weekday", weekday, time };
  const day = { year: start.get("year") ?? 0, month: start.get("month") ?? 0, day: start.get("day") ?? 0 };
  if (!agreesWithIsoDate(day, text)) return notUnderstood(text);
  const named = addDays(day, 0);
  if (weekday !== undefined && weekday !== named.weekday) {
    return invalid(`"${text}" does not fit the calendar: that day is ${formatDay(named)}.`);
  }
  return { kind: "day", day, time };
}

/** Guards against chrono, which swaps day and month in a date such as 2027-13-01. */
function agreesWithIsoDate({ month, day }: CalendarDay, text: string): boolean {
  const [, isoMonth, isoDay] = /\d{4}-(\d{2})-(\d{2})/.exec(text) ?? [];
  return isoMonth === undefined || (Number(isoMonth) === month && Number(isoDay) === day);
}

function invalid(reason: string): MomentReading & { kind: "invalid" } {
  return { kind: "invalid", reason };
}

/** Whether a word may stand in a moment. Other words are refused, because chrono skips or misreads them. */
export function isMomentWord(word: string): boolean {
  return MOMENT_WORDS.some((pattern) => pattern.test(word));
}

const MOMENT_WORDS = [
  /^\d{1,2}(?::\d{2}){0,2}(?:am|pm|a\.m\.|p\.m\.)?$/i,
  /^(?:am|pm|a\.m\.|p\.m\.|noon|midday|midnight)$/i,
  /^(?:yesterday|today|tonight|tomorrow|tmrw?|next|this|at|on|of)$/i,
  /^(?:mon|tue|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?$|^tuesday$/i,
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i,
  /^[1-9]\d{3}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/i,
  /^(?:[1-9]\d{3}|\d{1,2}(?:st|nd|rd|th))$/i,
];
