import { merged, type Parts } from "./parts.ts";
import { phrases, skip, type TimeWords } from "./phrases.ts";
import { readClock } from "./read-clock.ts";
import { readDate } from "./read-date.ts";
import { readDay } from "./read-day.ts";
import type { ClockRead } from "./read-digits.ts";
import { readMonth } from "./read-month.ts";
import { readZone } from "./read-zone.ts";

/** Reads day, time and zone in any order, as far as the words go: `monday 9am`, `noon on the 3rd`, `half past 3 tomorrow CET`. */
export function readParts(words: TimeWords, start: number, isAfterKeyword: boolean): ClockRead | undefined {
  let read: ClockRead = { end: start, parts: { isSure: false } };
  for (;;) {
    const { at, hasAt } = afterJoins(words, read.end);
    const isFirst = read.end === start;
    const isBare = hasAt || (isFirst ? isAfterKeyword : hasDay(read.parts)) || skip(words, at + 1, ofDay) > at + 1;
    const next = readPart(words, at, read.parts, isBare);
    const isSure = next && isFirst && at > start && isSaid(next.parts, words.texts[start]);
    const parts = next && merged(read.parts, isSure ? { ...next.parts, isSure } : next.parts);
    if (!next || !parts || (isFirst ? isLength(next) && !isAfterKeyword : mayBeLength(next, isAfterKeyword))) break;
    const unit = next.unit ?? read.unit;
    read = { end: next.end, parts, ...(unit ? { unit } : {}) };
  }
  return read.end === start ? undefined : { ...read, end: skip(words, read.end, trailers) };
}

/** `2h` behind a day is hardly a time of that day, but `until tomorrow 9h` is one. */
function mayBeLength({ unit, parts }: ClockRead, isAfterKeyword: boolean): boolean {
  return unit === "hours" || (unit === "h" && !isAfterKeyword && (parts.clock?.hour ?? 0) <= 12);
}

/** `3 hours tonight` is a length, and `1800 hours` a time. */
const isLength = ({ unit, parts }: ClockRead): boolean => unit === "hours" && (parts.clock?.hour ?? 0) <= 12;

const ofDay = phrases("in the morning|in the afternoon|in the evening|in the night|in the nite|at night");

/** `at 2030`, `in the evening`: nothing but a time. */
const isSaid = ({ clock, dayPart }: Parts, first: string | undefined): boolean =>
  clock
    ? first === "at" || first === "@" || first === "around"
    : dayPart !== undefined && (first === "in" || first === "at");

const trailers = phrases("sharp|exactly|at the latest|at latest|on the dot|or so");

const hasDay = ({ days, weekday, dayPart, edge }: Parts): boolean =>
  days !== undefined || weekday !== undefined || dayPart !== undefined || edge !== undefined;

function readPart(words: TimeWords, at: number, parts: Parts, mayBeBare: boolean): ClockRead | undefined {
  const date = parts.days ? undefined : readDate(words, at);
  const read: ClockRead | undefined =
    date ?? readMonth(words, at) ?? readDay(words, at) ?? readClock(words, at, mayBeBare);
  if (read || !(hasDay(parts) || parts.clock)) return read;
  const zone = readZone(words, at);
  return zone && { end: zone.end, parts: { zones: zone.zones, isSure: false } };
}

const joins = new Set("the on of in , ca".split(" "));
const atJoins = new Set("at @ around about approximately approx by".split(" "));

/** Skips the small words between the parts. Behind some, a plain number is a time. */
function afterJoins({ texts }: TimeWords, start: number): { at: number; hasAt: boolean } {
  let at = start;
  let hasAt = false;
  for (let text = texts[at] ?? ""; joins.has(text) || atJoins.has(text); text = texts[++at] ?? "")
    hasAt ||= atJoins.has(text);
  return { at, hasAt };
}
