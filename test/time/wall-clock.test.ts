import { describe, expect, test } from "vitest";
import { addDays, instantOf, wallClockAt, weekdays } from "../../src/time/wall-clock.ts";
import { isEverything } from "../support/tiers.ts";
import { clockChanges, HOUR, instantsOf, intlWall, partsOf, wallsAround, zones } from "./clock-changes.ts";

const clock = (year: number, month: number, day: number, hour: number, minute: number) => ({
  year,
  month,
  day,
  hour,
  minute,
});

describe("instantOf", () => {
  test("an ordinary time is one instant", () => {
    const at = Date.UTC(2026, 10, 20, 17);
    expect(instantOf(clock(2026, 11, 20, 18, 0), "Europe/Berlin")).toEqual({ kind: "instant", at });
  });

  test("a skipped time gives the instant at which the clock resumes", () => {
    const resumesAt = Date.UTC(2026, 2, 29, 1);
    expect(instantOf(clock(2026, 3, 29, 2, 30), "Europe/Berlin")).toEqual({ kind: "skipped", resumesAt });
    expect(instantOf(clock(2026, 3, 29, 2, 0), "Europe/Berlin")).toEqual({ kind: "skipped", resumesAt });
    expect(instantOf(clock(2026, 3, 29, 3, 0), "Europe/Berlin")).toEqual({ kind: "instant", at: resumesAt });
  });

  test("a repeated time gives the first pass, and the second as `again`", () => {
    const at = Date.UTC(2026, 9, 25, 0, 30);
    expect(instantOf(clock(2026, 10, 25, 2, 30), "Europe/Berlin")).toEqual({ kind: "instant", at, again: at + HOUR });
  });

  test("handles a half-hour change and a day that a zone skipped", () => {
    expect(instantOf(clock(2026, 10, 4, 2, 15), "Australia/Lord_Howe")).toEqual({
      kind: "skipped",
      resumesAt: Date.UTC(2026, 9, 3, 15, 30),
    });
    expect(instantOf(clock(2011, 12, 30, 9, 0), "Pacific/Apia")).toEqual({
      kind: "skipped",
      resumesAt: Date.UTC(2011, 11, 30, 10),
    });
  });

  test("around every clock change of 2024 to 2030 it agrees with Intl", () => {
    let changes = 0;
    for (const zone of zones) {
      for (const change of clockChanges(zone)) {
        changes++;
        for (const wall of wallsAround(change)) {
          const [at, again] = instantsOf(wall, change);
          const found = instantOf(partsOf(wall), zone);
          const right =
            found.kind === "skipped"
              ? at === undefined && found.resumesAt === change.at
              : found.at === at && found.again === again;
          if (!right) expect.fail(`${zone}, ${new Date(wall).toISOString()}: ${JSON.stringify(found)}`);
        }
      }
    }
    expect(changes).toBeGreaterThan(isEverything ? 1500 : 300);
  });
});

describe("wallClockAt", () => {
  test("around every clock change of 2024 to 2030 it agrees with Intl", () => {
    for (const zone of zones) {
      for (const { at } of clockChanges(zone)) {
        for (const instant of [at - HOUR, at - 1000, at, at + HOUR]) {
          const wall = intlWall(zone, instant);
          const { weekday, ...shown } = wallClockAt(instant, zone);
          const right =
            Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second) === wall &&
            weekday === weekdays[new Date(wall).getUTCDay()];
          if (!right) expect.fail(`${zone}, ${new Date(instant).toISOString()}: ${JSON.stringify(shown)}`);
        }
      }
    }
  });
});

test("addDays counts across ends of months and years", () => {
  expect(addDays({ year: 2027, month: 12, day: 31 }, 1)).toEqual({ year: 2028, month: 1, day: 1, weekday: "saturday" });
  expect(addDays({ year: 2028, month: 3, day: 1 }, -1)).toEqual({ year: 2028, month: 2, day: 29, weekday: "tuesday" });
});
