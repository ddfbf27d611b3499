import type { TimeContext, TimeReading } from "../../src/language/read-time.ts";
import { formatDuration } from "../../src/time/duration.ts";
import { formatDay, formatTime } from "../../src/time/format-moment.ts";
import { wallClockAt } from "../../src/time/wall-clock.ts";

/** Wednesday 25 November 2026, 10:40 in Berlin. */
export const wednesday = Date.UTC(2026, 10, 25, 9, 40);

export function aTimeContext(facts: Partial<TimeContext> = {}): TimeContext {
  const zone = facts.zone ?? "Europe/Berlin";
  return { now: wednesday, zone, dayZone: zone, dayStarts: "08:00", dayEnds: "18:00", ...facts };
}

export const split = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** A reading as one line: `Thu 26 Nov 2026, 08:00 (the start of the day)`. Moments are shown in the zone of the context. */
export function shown(reading: TimeReading | undefined, zone = "Europe/Berlin"): string {
  if (!reading) return "not a time";
  switch (reading.kind) {
    case "moment":
      return `${dayAndTime(reading.at, zone)}${reading.assumed === undefined ? "" : ` (${reading.assumed})`}`;
    case "length":
      return formatDuration(reading.ms);
    case "choice":
      return reading.options.map(({ label }) => label).join(" or ");
    case "invalid":
      return reading.reason;
    default:
      return reading satisfies never;
  }
}

export function dayAndTime(at: number, zone = "Europe/Berlin"): string {
  const clock = wallClockAt(at, zone);
  return `${formatDay(clock)}, ${formatTime(clock)}`;
}
