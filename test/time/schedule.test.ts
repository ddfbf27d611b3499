import { describe, expect, test } from "vitest";
import { dailyRuns, nextDailyRun } from "../../src/time/schedule.ts";
import { weekdays } from "../../src/time/wall-clock.ts";
import { DAY, HOUR, instantsOf, intlWall, wallsAround, zonesThatDiffer } from "./clock-changes.ts";

/** Friday 20 November 2026, 12:00 in Berlin. */
const NOW = Date.UTC(2026, 10, 20, 11);

const workdays = ["monday", "tuesday", "wednesday", "thursday", "friday"];

function nextRun(schedule: Partial<Parameters<typeof nextDailyRun>[0]>, after = NOW): string | null {
  const at = nextDailyRun({ days: workdays, timeOfDay: "18:00:00", timeZoneId: "Europe/Berlin", ...schedule }, after);
  return at === null ? null : new Date(at).toISOString();
}

describe("the next run of a daily schedule", () => {
  test("is today while its time is ahead, and strictly after the given moment", () => {
    expect(nextRun({})).toBe("2026-11-20T17:00:00.000Z");
    expect(nextRun({}, Date.UTC(2026, 10, 20, 17))).toBe("2026-11-23T17:00:00.000Z");
  });

  test("falls on a listed day only", () => {
    expect(nextRun({ days: ["friday"], timeOfDay: "11:00:00" })).toBe("2026-11-27T10:00:00.000Z");
    expect(nextRun({ days: ["Sunday"] })).toBe("2026-11-22T17:00:00.000Z");
  });

  test("uses the schedule's zone, with either kind of id", () => {
    expect(nextRun({ timeZoneId: "Eastern Standard Time" })).toBe("2026-11-20T23:00:00.000Z");
    expect(nextRun({ timeZoneId: "America/New_York" })).toBe("2026-11-20T23:00:00.000Z");
    expect(nextRun({ timeZoneId: "UTC" })).toBe("2026-11-20T18:00:00.000Z");
    expect(nextRun({ days: ["saturday"], timeOfDay: "00:30", timeZoneId: "Pacific/Auckland" })).toBe(
      "2026-11-20T11:30:00.000Z",
    );
  });

  test("is not before the start date", () => {
    expect(nextRun({ startDate: "2026-11-24" })).toBe("2026-11-24T17:00:00.000Z");
    expect(nextRun({ startDate: "2028-02-29" })).toBe("2028-02-29T17:00:00.000Z");
    expect(nextRun({ startDate: "9999-12-31", days: ["monday"] })).toBe("+010000-01-03T17:00:00.000Z");
    expect(nextRun({ startDate: "2020-01-01" })).toBe("2026-11-20T17:00:00.000Z");
    expect(nextRun({ startDate: "2026-11-24T00:00:00Z" })).toBe("2026-11-24T17:00:00.000Z");
  });

  test("keeps its wall-clock time across a clock change", () => {
    expect(nextRun({}, Date.UTC(2027, 2, 26, 18))).toBe("2027-03-29T16:00:00.000Z");
  });

  test("comes right after the gap when the clock skips its time", () => {
    const skipped = { days: ["sunday"], timeOfDay: "02:30:00" };
    expect(nextRun(skipped, Date.UTC(2027, 2, 27))).toBe("2027-03-28T01:00:00.000Z");
    expect(nextRun(skipped, Date.UTC(2027, 2, 28, 1))).toBe("2027-04-04T00:30:00.000Z");
  });

  test("comes once in a repeated hour", () => {
    const repeated = { days: ["sunday"], timeOfDay: "02:30:00" };
    expect(nextRun(repeated, Date.UTC(2027, 9, 30))).toBe("2027-10-31T00:30:00.000Z");
    expect(nextRun(repeated, Date.UTC(2027, 9, 31, 0, 30))).toBe("2027-11-07T01:30:00.000Z");
  });

  test("may be the run of a day that the zone skipped", () => {
    const friday = { days: ["friday"], timeOfDay: "23:30", timeZoneId: "Pacific/Apia" };
    expect(nextRun(friday, Date.UTC(2011, 11, 30, 9))).toBe("2011-12-30T10:00:00.000Z");
  });

  test.each([
    { timeZoneId: "Mars/Phobos" },
    { timeOfDay: "24:00:00" },
    { timeOfDay: "6pm" },
    { startDate: "soon" },
    { days: [] },
    { days: ["funday"] },
  ])("is unknown for %j", (schedule) => {
    expect(nextRun(schedule)).toBeNull();
  });

  test("is the same whether the runs are followed or looked for anew after each, around every clock change of every zone", () => {
    for (const [zone, changes] of zonesThatDiffer()) {
      for (const change of changes) {
        for (const wall of wallsAround(change).slice(1, 4)) {
          const timeOfDay = new Date(wall).toISOString().slice(11, 19);
          const schedule = { days: ["sunday", "monday", "saturday"], timeOfDay, timeZoneId: zone };
          let last = change.at - 4 * DAY;
          for (const run of dailyRuns(schedule, last)) {
            if (run !== nextDailyRun(schedule, last)) expect.fail(`${zone} ${new Date(last).toISOString()}: ${run}`);
            last = run;
            if (run > change.at + 4 * DAY) break;
          }
          expect(last).toBeGreaterThan(change.at + 4 * DAY);
        }
      }
    }
  });

  test("comes once on every day around every clock change of every zone", () => {
    for (const [zone, changes] of zonesThatDiffer()) {
      for (const change of changes) {
        for (const wall of wallsAround(change).slice(1, 4)) {
          const timeOfDay = new Date(wall).toISOString().slice(11, 19);
          const day = weekdays[new Date(wall).getUTCDay()] ?? "";
          const expected = instantsOf(wall, change)[0] ?? change.at;
          const schedule = { days: [day], timeOfDay, timeZoneId: zone };
          const run = nextDailyRun(schedule, expected - 12 * HOUR);
          const following = nextDailyRun(schedule, expected);
          const inAWeek = following !== null && intlWall(zone, following) === wall + 7 * DAY;
          if (run !== expected || !inAWeek)
            expect.fail(`${zone} ${new Date(wall).toISOString()}: ${run}, ${following}`);
        }
      }
    }
  });
});
