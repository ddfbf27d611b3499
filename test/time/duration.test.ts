import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration } from "../../src/time/duration.ts";
import { anyText } from "./any-text.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("parseDuration", () => {
  test.each([
    ["45m", 45 * MINUTE],
    ["4h", 4 * HOUR],
    ["2h30m", 2.5 * HOUR],
    ["2h 30m", 2.5 * HOUR],
    ["3d", 3 * DAY],
    ["1w", 7 * DAY],
    ["1w 2d", 9 * DAY],
    ["90s", 90_000],
    ["1.5h", 1.5 * HOUR],
    ["4 H", 4 * HOUR],
    ["  4h  ", 4 * HOUR],
    ["1 hour and 5 mins", HOUR + 5 * MINUTE],
    ["1 day, 2 hours and 3 minutes", DAY + 2 * HOUR + 3 * MINUTE],
    ["2 weeks", 14 * DAY],
    ["366d", 366 * DAY],
    ["1\u00a0h", HOUR],
  ])("reads %j", (text, ms) => {
    expect(parseDuration(text)).toEqual({ kind: "duration", ms });
  });

  test.each([
    "",
    " ",
    "5",
    "h",
    "-4h",
    "+4h",
    "4x",
    "1 month",
    "1mo",
    "abc 4h",
    "4h def",
    "4h,",
    "4h and",
    "and 4h",
    "2h2h",
    "30m 2h",
    "4h30",
    "1e3h",
    ".5h",
    "4h.",
    "18:00",
    "for 4h",
    "٤h",
    "4hh",
    "1h and and 5m",
  ])("refuses %j as unreadable", (text) => {
    expect(parseDuration(text)).toEqual({ kind: "invalid", reason: expect.stringContaining("not a length of time") });
  });

  test.each(["0h", "0m", "0d 0h", "0.0000001s"])("rejects %j as zero", (text) => {
    expect(parseDuration(text)).toEqual({ kind: "invalid", reason: expect.stringContaining("more than nothing") });
  });

  test.each(["367d", "53w", "366d 1s", `${"9".repeat(90)}h`])("rejects %j as too long", (text) => {
    expect(parseDuration(text)).toEqual({ kind: "invalid", reason: expect.stringContaining("too long") });
  });

  test("reads any text without throwing, within its limits", () => {
    const durationLike = fc.array(
      fc.constantFrom("1", "30", "0", ".", "h", "m", "d", "w", " ", "and", ",", "mins", "-"),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          durationLike.map((parts) => parts.join("")),
        ),
        (text) => {
          const reading = parseDuration(text);
          if (reading.kind === "duration") return reading.ms > 0 && reading.ms <= 366 * DAY;
          return reading.reason.endsWith(".");
        },
      ),
    );
  });
});

describe("formatDuration", () => {
  test.each([
    [2.5 * HOUR, "2 h 30 min"],
    [45 * MINUTE, "45 min"],
    [3 * DAY, "3 d"],
    [9 * DAY + 4 * HOUR + MINUTE, "9 d 4 h 1 min"],
    [30_000, "30 s"],
    [59_700, "1 min"],
    [4 * HOUR - 2000, "4 h"],
    [0, "0 min"],
    [-5 * MINUTE, "0 min"],
  ])("writes %d ms as %j", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test("parseDuration reads whole minutes back unchanged", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 366 * 24 * 60 }), (minutes) => {
        expect(parseDuration(formatDuration(minutes * MINUTE))).toEqual({ kind: "duration", ms: minutes * MINUTE });
      }),
    );
  });
});
