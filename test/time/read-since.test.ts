import fc from "fast-check";
import { expect, test } from "vitest";
import { readSince } from "../../src/time/read-since.ts";
import { anyText } from "./any-text.ts";

/** A Friday, 13:00 in Berlin. */
const now = Date.parse("2026-11-20T12:00:00Z");
const since = (text: string, zone = "Europe/Berlin", at = now) => {
  const found = readSince(text.split(" "), { now: at, zone });
  return found === undefined ? undefined : new Date(found).toISOString();
};

test.each([
  ["today", "2026-11-19T23:00:00.000Z"],
  ["Yesterday", "2026-11-18T23:00:00.000Z"],
  ["monday", "2026-11-15T23:00:00.000Z"],
  ["on tues", "2026-11-16T23:00:00.000Z"],
  ["friday", "2026-11-19T23:00:00.000Z"],
  ["last friday", "2026-11-12T23:00:00.000Z"],
  ["last monday", "2026-11-15T23:00:00.000Z"],
  ["this week", "2026-11-15T23:00:00.000Z"],
  ["last week", "2026-11-08T23:00:00.000Z"],
  ["this month", "2026-10-31T23:00:00.000Z"],
  ["last month", "2026-09-30T22:00:00.000Z"],
  ["2 days", "2026-11-18T12:00:00.000Z"],
  ["the last 2 days", "2026-11-18T12:00:00.000Z"],
  ["3h", "2026-11-20T09:00:00.000Z"],
  ["an hour ago", "2026-11-20T11:00:00.000Z"],
  ["2026-11-01", "2026-10-31T23:00:00.000Z"],
])("“since %s” begins at %s", (text, at) => {
  expect(since(text)).toBe(at);
});

test.each([
  "",
  "tomorrow",
  "2026-11-21",
  "2026-02-30",
  "2026-13-01",
  "mo",
  "monday week",
  "last",
  "next monday",
  "ago",
  "0h",
])("“since %s” is not understood", (text) => {
  expect(since(text)).toBeUndefined();
});

test("a day starts where its midnight is skipped, and in the person's own zone", () => {
  const beirut = Date.parse("2026-03-29T10:00:00Z");
  expect(since("today", "Asia/Beirut", beirut)).toBe("2026-03-28T22:00:00.000Z");
  expect(since("today", "America/New_York")).toBe("2026-11-20T05:00:00.000Z");
});

test("reads any text without failing, and never finds a future moment", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const found = readSince(text.split(/\s+/), { now, zone: "Europe/Berlin" });
      expect(found ?? now).toBeLessThanOrEqual(now);
    }),
  );
});
