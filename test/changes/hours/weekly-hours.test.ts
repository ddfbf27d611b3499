import { expect, test } from "vitest";
import { weeklyHours } from "../../../src/changes/hours/weekly-hours.ts";
import { inHours, latestEnd, totalMs } from "../../../src/permissions/held-time.ts";

const at = Date.parse;
const resources = [{ key: "p type i-1", id: "i-1" }];
const asked = (from: string, to: string) => ({
  ...{ exclusionId: null, projectId: "p", at: at(from), by: "U1" },
  keeps: { from: 0, to: at(to), resources },
});
const hoursOf = (found: ReturnType<typeof weeklyHours>) => found.map((each) => [each.week, inHours(totalMs(each))]);

test("an exclusion over a week's border counts in both, with the hour that a clock change repeats", () => {
  // The clock in Berlin is set back in that night.
  const found = weeklyHours([], asked("2026-10-24T22:00:00Z", "2026-10-26T01:00:00Z"), "Europe/Berlin");
  expect(hoursOf(found)).toEqual([
    ["this week", 25],
    ["next week", 2],
  ]);
  const inUtc = weeklyHours([], asked("2026-10-24T22:00:00Z", "2026-10-26T01:00:00Z"), "UTC");
  expect(hoursOf(inUtc)).toEqual([
    ["this week", 26],
    ["next week", 1],
  ]);
});

test("the latest end is where the first week that is exceeded is full", () => {
  const found = weeklyHours([], asked("2026-11-28T00:00:00Z", "2026-12-05T00:00:00Z"), "UTC");
  expect(latestEnd(found, 40)).toBe(at("2026-11-29T16:00:00Z"));
  expect(latestEnd(found, 60)).toBe(at("2026-12-02T12:00:00Z"));
  expect(latestEnd(found, 168)).toBeUndefined();
});

test("an exclusion without an end is counted for the weeks of a year", () => {
  const found = weeklyHours(
    [],
    { ...asked("2026-11-23T00:00:00Z", ""), keeps: { from: 0, to: Number.POSITIVE_INFINITY, resources } },
    "UTC",
  );
  expect(found).toHaveLength(53);
  expect(inHours(totalMs(found[1] ?? { week: "", of: undefined, soFarMs: 0, added: [] }))).toBe(168);
});
