import { readClock } from "./clocks.ts";
import { readDate, readDay } from "./dates.ts";
import { merged, type Parts, type PartsRead } from "./parts.ts";
import { once, skip, type TimeWords } from "./words.ts";
import { readZone } from "./zones.ts";

/** Reads day, time and zone in any order, as far as the words go: `monday 9am`, `noon on the 3rd`, `half past 3 tomorrow CET`. */
export const readParts = once((words, start, isAfterKeyword: boolean): PartsRead | undefined => {
  let read: PartsRead = { end: start, parts: { isSure: false } };
  for (;;) {
    const { at, hasAt } = afterJoins(words, read.end);
    const isFirst = read.end === start;
    const isBare = hasAt || (isFirst ? isAfterKeyword : hasDay(read.parts)) || skip(words, at + 1, ofDay) > at + 1;
    const next = readPart(words, at, read.parts, isBare);
    const isSure = next && isFirst && at > start && isSaid(next.parts, words.texts[start]);
    const parts = next && merged(read.parts, isSure ? { ...next.parts, isSure } : next.parts);
    if (!next || !parts || mayBeLength(next, isFirst, isAfterKeyword)) break;
    const unit = next.unit ?? read.unit;
    read = { end: next.end, parts, ...(unit ? { unit } : {}) };
  }
  if (read.end === start) return undefined;
  return { ...read, end: skip(words, read.end, "sharp|exactly|at the latest|at latest|on the dot|or so") };
});

const ofDay = "in the morning|in the afternoon|in the evening|in the night|in the nite|at night";

/** `10 in the evening`, with nothing else. */
export function readClockInPart(words: TimeWords, at: number) {
  const { end = at, parts } = readParts(words, at, true) ?? {};
  const { clock, dayPart, days, weekday, edge, zones } = parts ?? {};
  return clock && dayPart && !days && !weekday && !edge && !zones ? { end, parts: { clock, dayPart } } : undefined;
}

/** `3 hours tonight` is a length, and `1800 hours` a time. `2h` behind a day is hardly a time, but `until tomorrow 9h` is one. */
function mayBeLength({ unit, parts }: PartsRead, isFirst: boolean, isAfterKeyword: boolean): boolean {
  const isSmall = (parts.clock?.hour ?? 0) <= 12;
  if (isFirst) return unit === "hours" && isSmall && !isAfterKeyword;
  return unit === "hours" || (unit === "h" && !isAfterKeyword && isSmall);
}

/** `at 2030`, `in the evening`: nothing but a time. */
function isSaid({ clock, dayPart }: Parts, first = ""): boolean {
  return clock ? /^(?:at|@|around)$/.test(first) : dayPart !== undefined && /^(?:in|at)$/.test(first);
}

const hasDay = ({ days, weekday, dayPart, edge }: Parts): boolean => (days ?? weekday ?? dayPart ?? edge) !== undefined;

function readPart(words: TimeWords, at: number, parts: Parts, mayBeBare: boolean): PartsRead | undefined {
  const day = readDay(words, at);
  const isSecondDate = parts.days && day && readDate(words, at);
  const read = (isSecondDate ? undefined : day) ?? readClock(words, at, mayBeBare);
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
