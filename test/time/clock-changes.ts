import { isEverything } from "../support/tiers.ts";

/** Every zone, or every fourth in a short run. */
export const zones = Intl.supportedValuesOf("timeZone").filter((_zone, index) => isEverything || index % 4 === 0);

/** An instant at which a zone's clocks change. Offsets are in ms east of UTC. */
export interface ClockChange {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The wall clock according to Intl, as ms of a UTC clock that shows the same. The tests compare with it. */
export function intlWall(zone: string, at: number): number {
  return Date.parse(`${formatterOf(zone).format(at).replace(" ", "T")}Z`);
}

/** Every clock change of a zone in the years 2024 to 2030. */
export function clockChanges(zone: string): readonly ClockChange[] {
  const changes = known.get(zone) ?? findClockChanges(zone);
  known.set(zone, changes);
  return changes;
}

const known = new Map<string, readonly ClockChange[]>();

function findClockChanges(zone: string): ClockChange[] {
  const changes: ClockChange[] = [];
  let before = offset(zone, FIRST);
  for (let at = FIRST; at < LAST; at += STEP) {
    const after = offset(zone, at + STEP);
    if (after !== before) changes.push({ at: changeBetween(zone, at, at + STEP), before, after });
    before = after;
  }
  return changes;
}

/** One zone for each set of zones with the same clock changes. Zones without changes are left out. */
export function zonesThatDiffer(): Map<string, readonly ClockChange[]> {
  const seen = new Map<string, [string, readonly ClockChange[]]>();
  for (const zone of zones) {
    const changes = clockChanges(zone);
    const key = JSON.stringify(changes);
    if (changes.length > 0 && !seen.has(key)) seen.set(key, [zone, changes]);
  }
  return new Map(seen.values());
}

/** The instants of a wall clock near one change: none, one, or two. */
export function instantsOf(wall: number, { at, before, after }: ClockChange): number[] {
  return [...(wall - before < at ? [wall - before] : []), ...(wall - after >= at ? [wall - after] : [])];
}

/** Wall clocks at, beside and inside a change. */
export function wallsAround({ at, before, after }: ClockChange): number[] {
  const [low, high] = [at + Math.min(before, after), at + Math.max(before, after)];
  const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE;
  return [low - MINUTE, low, middle, high - MINUTE, high];
}

export function partsOf(wall: number) {
  const shown = new Date(wall);
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    second: shown.getUTCSeconds(),
  };
}

const FIRST = Date.UTC(2024, 0, 1);
const LAST = Date.UTC(2031, 0, 1);
const STEP = 12 * DAY;

function offset(zone: string, at: number): number {
  return intlWall(zone, at) - at;
}

function changeBetween(zone: string, from: number, to: number): number {
  const before = offset(zone, from);
  let [low, high] = [from, to];
  while (high - low > MINUTE) {
    const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE;
    if (offset(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const formatter =
    formatters.get(zone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  formatters.set(zone, formatter);
  return formatter;
}
