import { parseDuration } from "./duration.ts";
import { formatDay, formatMoment, formatTime } from "./format-moment.ts";
import { type MomentReading, notUnderstood, readMoment } from "./read-moment.ts";
import { splitZone } from "./split-zone.ts";
import { addDays, type DayOfWeek, instantOf, type WallClock, wallClockAt, weekdays } from "./wall-clock.ts";
import { offsetAt } from "./zone.ts";

export type MomentResult =
  | { kind: "moment"; at: number; zone: string }
  /** `reason` is a whole sentence for the person. It quotes their text unchanged. */
  | { kind: "invalid"; reason: string };

/**
 * Reads a moment as people type it: `18:00`, `6pm`, `fri 18:00`, `tomorrow 9am`, `2026-11-23 09:00`. A time zone may follow; the
 * default is the person's own. A time or weekday alone means the next one. A date is never moved.
 */
export function parseMoment(text: string, { now, zone: ownZone }: { now: number; zone: string }): MomentResult {
  const typed = text.trim();
  if (typed.length > MAX_TEXT_LENGTH) return notUnderstood(`${typed.slice(0, MAX_TEXT_LENGTH)}…`);
  if (parseDuration(typed).kind === "duration") return lengthOfTime(typed);
  const split = splitZone(wordsOf(typed), ownZone);
  if (split.kind === "unknown zone") return { kind: "invalid", reason: split.reason };
  const { words, zone } = split;
  const today = wallClockAt(now, zone);
  const reading = readMoment(words, today);
  if (reading.kind === "invalid") return reading;
  return firstAhead(clocksMeant(reading, today), now, zone);
}

const MAX_TEXT_LENGTH = 100;

/** Splits the text into words. The `Z` of a timestamp becomes `UTC`. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(T\d{2}:\d{2}(?::\d{2})?)Z$/, "$1 UTC")
    .split(/[\s,]+/)
    .filter((word) => word !== "");
}

function lengthOfTime(text: string): MomentResult {
  return {
    kind: "invalid",
    reason: `"${text}" is a length of time, not a moment. Write "for ${text}", or a time such as 18:00.`,
  };
}

/** The wall clocks that the text may mean, earliest first. */
function clocksMeant(reading: Exclude<MomentReading, { kind: "invalid" }>, today: DayOfWeek): WallClock[] {
  switch (reading.kind) {
    case "day":
      return [{ ...reading.day, ...reading.time }];
    case "time":
      return [0, 1].map((count) => ({ ...addDays(today, count), ...reading.time }));
    case "weekday": {
      const ahead = (weekdays.indexOf(reading.weekday) - weekdays.indexOf(today.weekday) + 7) % 7;
      return [ahead, ahead + 7].map((count) => ({ ...addDays(today, count), ...reading.time }));
    }
    default:
      return reading satisfies never;
  }
}

function firstAhead(clocks: readonly WallClock[], now: number, zone: string): MomentResult {
  let latest = now;
  for (const clock of clocks) {
    const found = instantOf(clock, zone);
    if (found.kind === "skipped") {
      if (found.resumesAt > now) return skipped(clock, found.resumesAt, zone);
      latest = found.resumesAt;
      continue;
    }
    const at = found.at > now ? found.at : (found.again ?? found.at);
    if (at > now) return { kind: "moment", at, zone };
    latest = at;
  }
  return { kind: "invalid", reason: `${formatMoment(latest, zone)} is in the past.` };
}

function skipped(clock: WallClock, resumesAt: number, zone: string): MomentResult {
  const offsetBeforeMs = offsetAt(zone, resumesAt - 1) * 60_000;
  const from = formatTime(wallClockAt(resumesAt + offsetBeforeMs, "UTC"));
  const to = formatTime(wallClockAt(resumesAt, zone));
  return {
    kind: "invalid",
    reason:
      `On ${formatDay(addDays(clock, 0))} the clocks in ${zone} jump from ${from} to ${to}, so ${formatTime(clock)} does not exist. ` +
      `The next valid time is ${formatMoment(resumesAt, zone)}.`,
  };
}
