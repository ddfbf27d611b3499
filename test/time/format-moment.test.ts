import { expect, test } from "vitest";
import { formatMoment } from "../../src/time/format-moment.ts";
import { parseMoment } from "../../src/time/moment.ts";
import { DAY } from "./clock-changes.ts";

const AT = Date.UTC(2026, 10, 20, 17);

test.each([
  [AT, "Europe/Berlin", "Fri 20 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)"],
  [AT, "UTC", "Fri 20 Nov 2026, 17:00 (UTC)"],
  [AT, "Asia/Tokyo", "Sat 21 Nov 2026, 02:00 (Asia/Tokyo, UTC+09:00)"],
  [AT + 5000, "America/St_Johns", "Fri 20 Nov 2026, 13:30:05 (America/St_Johns, UTC-03:30)"],
  [Date.UTC(2026, 0, 1), "UTC", "Thu 1 Jan 2026, 00:00 (UTC)"],
])("%d in %s is %j", (at, zone, text) => {
  expect(formatMoment(at, zone)).toBe(text);
});

test("parseMoment reads the text before the zone back as the same moment", () => {
  for (let at = AT; at < AT + 400 * DAY; at += 7.3 * DAY) {
    const minute = Math.floor(at / 60_000) * 60_000;
    const [written = ""] = formatMoment(minute, "Asia/Kathmandu").split(" (");
    expect(parseMoment(written, { now: AT - DAY, zone: "Asia/Kathmandu" })).toMatchObject({ at: minute });
  }
});
