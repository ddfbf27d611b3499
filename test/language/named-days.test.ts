import { expect, test } from "vitest";
import { withNamedDays } from "../../src/language/sense/named-days.ts";

const days = new Map([
  ["founders' day", "2026-12-03"],
  ["release", "2026-12-10"],
  ["team offsite", "2026-12-11"],
]);

test.each([
  ["skip the start of qa on Founders' Day", "skip the start of qa on 2026-12-03"],
  ["founders day: skip the start of qa", "2026-12-03: skip the start of qa"],
  [
    "keep qa up every thursday 18-20 except the founders’ day, please",
    "keep qa up every thursday 18-20 except the 2026-12-03, please",
  ],
])("the name of a day off is its date: %s", (line, meant) => {
  expect(withNamedDays(line, days)).toBe(meant);
});

test.each([
  "when is founders' day",
  "keep web up till 8 for the release",
  "keep web up till 8, team offsite",
  'keep web up till 8 --reason "it is on founders\' day"',
])("no date: %s", (line) => {
  expect(withNamedDays(line, days)).toBe(line);
});
