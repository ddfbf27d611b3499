export type DurationReading = { kind: "duration"; ms: number } | { kind: "invalid"; reason: string };

/** Reads a length of time as people type it: `45m`, `2h30m`, `1 hour and 5 mins`. It must be the whole text, largest unit first. */
export function parseDuration(text: string): DurationReading {
  const trimmed = text.trim();
  const ms = trimmed.length <= MAX_TEXT_LENGTH ? millisecondsOf(trimmed) : undefined;
  if (ms === undefined) return invalid(`That is not a length of time. Write one such as 45m, 4h, 2h30m, 3d or 1w.`);
  if (ms === 0) return invalid("A length of time must be more than nothing. Write one such as 45m, 4h or 3d.");
  if (ms > MAX_MS) return invalid("That is too long: more than 366 days.");
  return { kind: "duration", ms };
}

/** Short text for people: `2 h 30 min`. Rounds to the minute, and below a minute to the second. */
export function formatDuration(ms: number): string {
  const step = ms < MINUTE - 500 ? SECOND : MINUTE;
  let rest = Math.max(0, Math.round(ms / step) * step);
  const parts: string[] = [];
  for (const [name, size] of SHOWN_UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(" ") || "0 min";
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MAX_MS = 366 * DAY;
const MAX_TEXT_LENGTH = 100;

const SHOWN_UNITS = [
  ["d", DAY],
  ["h", HOUR],
  ["min", MINUTE],
  ["s", SECOND],
] as const;

const UNITS: Readonly<Record<string, number>> = { w: WEEK, d: DAY, h: HOUR, m: MINUTE, s: SECOND };
const PART =
  /(\d+(?:\.\d+)?)\s*(weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])(\s*,\s*|\s+and\s+|\s*)/iy;

function millisecondsOf(text: string): number | undefined {
  let total = 0;
  let position = 0;
  let smallest = Number.POSITIVE_INFINITY;
  let separator = ",";
  while (position < text.length) {
    PART.lastIndex = position;
    const [matched = "", count = "", unit = "", between = ""] = PART.exec(text) ?? [];
    const size = UNITS[unit.charAt(0).toLowerCase()];
    if (size === undefined || size >= smallest) return undefined;
    total += Number(count) * size;
    smallest = size;
    separator = between.trim();
    position += matched.length;
  }
  return separator === "" ? Math.round(total) : undefined;
}

function invalid(reason: string): DurationReading {
  return { kind: "invalid", reason };
}
