import { expect, test } from "vitest";
import { weekAt, weeksTouched, weekWords } from "../../src/time/week.ts";

const at = (text: string) => Date.parse(text);
const inUtc = ({ from, to }: { from: number; to: number }) => [from, to].map((each) => new Date(each).toISOString());
const hours = ({ from, to }: { from: number; to: number }) => (to - from) / 3_600_000;

test("a week begins on Monday at midnight in its zone", () => {
  expect(inUtc(weekAt(at("2026-11-22T22:59:59Z"), "Europe/Berlin"))).toEqual([
    "2026-11-15T23:00:00.000Z",
    "2026-11-22T23:00:00.000Z",
  ]);
  expect(inUtc(weekAt(at("2026-11-22T23:00:00Z"), "Europe/Berlin"))[0]).toBe("2026-11-22T23:00:00.000Z");
});

test("a week with a clock change is an hour longer or shorter", () => {
  expect(hours(weekAt(at("2026-10-21T12:00:00Z"), "Europe/Berlin"))).toBe(169);
  expect(hours(weekAt(at("2026-03-27T12:00:00Z"), "Europe/Berlin"))).toBe(167);
  // Midnight of Sunday does not exist there.
  expect(hours(weekAt(at("2026-09-03T12:00:00Z"), "America/Santiago"))).toBe(167);
});

test("the weeks that an interval touches are named from now", () => {
  const now = at("2026-11-18T12:00:00Z");
  const weeks = weeksTouched({ from: now, to: at("2026-11-30T00:00:01Z") }, "UTC");
  expect(weeks.map((week) => weekWords(week, now, "UTC"))).toEqual(["this week", "next week", "in the week of 30 Nov"]);
  expect(weeksTouched({ from: now, to: at("2026-11-30T00:00:00Z") }, "UTC")).toHaveLength(2);
});
