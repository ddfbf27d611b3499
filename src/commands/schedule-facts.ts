import { type Schedule, weekdays } from "../service/resources.ts";
import { dailyRuns } from "../time/schedule.ts";
import { wallClockAt } from "../time/wall-clock.ts";
import { describeZone, describeZoneId, ianaZone, isWindowsZone, windowsZone } from "../time/zone.ts";
import type { Fact } from "./answer.ts";
import type { PrepareContext } from "./command.ts";

/** A schedule in its own zone; a `daily` one also in the reader's zone. `now` in epoch ms. */
export function scheduleFacts(schedule: Schedule | undefined, now: number, zone: string): readonly Fact[] {
  if (!schedule?.scheduleType) return [];
  const facts: Fact[] = [{ label: "Schedule", value: scheduleWords(schedule, now) }];
  const next = nextScheduledRun(schedule, now);
  if (next === undefined) return facts;
  const { hour, minute } = wallClockAt(next, zone);
  const clock = `${pad(hour)}:${pad(minute)}`;
  return [...facts, { label: "In your zone", value: `${clock}, ${describeZone(zone, next)}` }];
}

/** The runs after a moment, in epoch ms. None of a schedule that is not a `daily` one: the interface shows no other (API.md). */
export function scheduledRuns(schedule: Schedule | null | undefined, after: number): Iterable<number> {
  const { scheduleType, timeOfDay, timeZoneId, startDate, parameters } = schedule ?? {};
  if (scheduleType?.toLowerCase() !== "daily" || !timeOfDay || !timeZoneId) return [];
  const days = parameters?.days ?? [];
  return dailyRuns({ days, timeOfDay, timeZoneId, ...(startDate ? { startDate } : {}) }, after);
}

export function nextScheduledRun(schedule: Schedule | null | undefined, after: number): number | undefined {
  const [next] = scheduledRuns(schedule, after);
  return next;
}

export const isUnscheduled = (schedule: Schedule | null | undefined): boolean =>
  schedule?.scheduleType?.toLowerCase() === "none";

/** A schedule in its own zone: `daily, Mon–Fri, 19:00, Europe/Berlin, UTC+01:00`. `at` in epoch ms. */
export function scheduleWords({ scheduleType, timeOfDay, timeZoneId, parameters }: Schedule, at?: number): string {
  const zone = timeZoneId ? describeZoneId(timeZoneId, at) : undefined;
  return [scheduleType, dayWords(parameters?.days ?? []), timeOfDay?.slice(0, 5), zone].filter(Boolean).join(", ");
}

/** "Mon–Fri", "every day", "Mon, Wed, Fri". Words that are no days of the week stay as they are. */
export function dayWords(days: readonly string[]): string {
  if (days.length === weekdays.length) return "every day";
  const names: readonly string[] = weekdays;
  const places = days.map((day) => names.indexOf(day.toLowerCase()));
  const isRun = places.length > 2 && places.every((place, index) => place >= 0 && place === (places[0] ?? 0) + index);
  const shown = days.map((day, index) => (places[index] === -1 ? day : shortName(day)));
  return isRun ? `${shown[0]}–${shown.at(-1)}` : shown.join(", ");
}

const shortName = (day: string): string => `${day.charAt(0).toUpperCase()}${day.slice(1, 3).toLowerCase()}`;

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

/**
 * A zone by the kind of id that the service uses, IANA or Windows, as its actions' schedules show. Unchanged when they use both kinds
 * or none (API.md, "Left open").
 */
export async function serviceZone(id: string, { read }: PrepareContext): Promise<string> {
  const listed = await read("ListActions", {});
  const actions = listed.kind === "succeeded" ? (listed.answer ?? []) : [];
  const zones = new Set(actions.flatMap(({ schedule }) => schedule?.timeZoneId ?? []));
  const used = [...zones].filter((zone) => zone.trim().toUpperCase() !== "UTC");
  if (used.length === 0) return id;
  if (used.every(isWindowsZone)) return isWindowsZone(id) ? id : (windowsZone(ianaZone(id) ?? "UTC") ?? id);
  return used.some(isWindowsZone) ? id : (ianaZone(id) ?? id);
}
