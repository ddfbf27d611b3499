import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTime } from "../../src/language/read-time.ts";
import { instantOf, wallClockAt } from "../../src/time/wall-clock.ts";
import {
  type ClockChange,
  clockChanges,
  DAY,
  HOUR,
  instantsOf,
  intlWall,
  partsOf,
  wallsAround,
  zonesThatDiffer,
} from "../time/clock-changes.ts";
import { aTimeContext, split } from "./time-readings.ts";

const everyZone = zonesThatDiffer();
const someZones = ["Europe/Berlin", "America/New_York", "America/Havana", "Africa/Casablanca"];

/** Process zones with their own clock changes: far west, far east by half an hour, and at midnight. */
describe.each(["America/New_York", "Australia/Lord_Howe", "America/Santiago"])(
  "in a process whose own zone is %s",
  (processZone) => {
    const outside = process.env.TZ ?? "UTC";
    beforeAll(() => {
      process.env.TZ = processZone;
    });
    afterAll(() => {
      process.env.TZ = outside;
    });

    test("the process runs in that zone", () => {
      const at = Date.UTC(2026, 0, 1);
      expect(at - new Date(at).getTimezoneOffset() * 60_000).toBe(intlWall(processZone, at));
    });

    test("dates, weekdays and bare times around clock changes agree with Intl", () => {
      for (const zone of someZones) checkWordsAroundChanges(zone, clockChanges(zone));
    });

    test("tomorrow is the next calendar day at every hour around both zones' clock changes", () => {
      const changes = [...clockChanges(processZone), ...clockChanges("Europe/Berlin")];
      for (const { at } of changes.filter(({ at }) => new Date(at).getUTCFullYear() === 2027)) {
        for (let now = at - DAY; now < at + DAY; now += HOUR) checkTomorrow(now);
      }
    });
  },
);

test("dates, weekdays and bare times around every clock change agree with Intl", () => {
  for (const [zone, changes] of everyZone) checkWordsAroundChanges(zone, changes);
});

function checkWordsAroundChanges(zone: string, changes: readonly ClockChange[]): void {
  for (const change of changes) for (const wall of wallsAround(change)) checkWords(zone, change, wall);
}

function checkWords(zone: string, change: ClockChange, wall: number): void {
  const [date, time] = new Date(wall).toISOString().split(/T|:00\.000Z/);
  const weekday = WEEKDAYS[new Date(wall).getUTCDay()];
  const now = Math.min(change.at, wall - change.after, wall - change.before) - 2 * HOUR;
  const expected = instantsOf(wall, change);
  for (const words of [`${date} ${time}`, `${weekday} ${time} ${zone}`, `${time}`]) {
    const reading = readTime(split(words), aTimeContext({ now, zone }));
    const read = reading?.kind === "moment" ? [reading] : reading?.kind === "choice" ? reading.options : [];
    if (String(read.map(({ at }) => at)) === String(expected)) continue;
    expect.fail(`${words} in ${zone}: ${JSON.stringify(reading)}, not ${expected}`);
  }
  const found = instantOf(partsOf(wall), zone);
  expect(found.kind === "instant" ? found.at : undefined).toBe(expected[0]);
}

function checkTomorrow(now: number): void {
  for (const zone of ["Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati", "UTC"]) {
    const result = readTime(split("tomorrow noon"), aTimeContext({ now, zone }));
    if (result?.kind !== "moment") expect.fail(JSON.stringify(result));
    const today = Math.floor(intlWall(zone, now) / DAY);
    expect(intlWall(zone, result.at), `${zone} at ${new Date(now).toISOString()}`).toBe((today + 1.5) * DAY);
    expect(wallClockAt(result.at, zone)).toMatchObject({ hour: 12, minute: 0 });
  }
}

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
