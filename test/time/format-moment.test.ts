import { expect, test } from "vitest";
import { readTime } from "../../src/language/read-time.ts";
import { formatMoment } from "../../src/time/format-moment.ts";
import { aTimeContext, split } from "../language/time-readings.ts";
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

test("the text before the zone is read back as the same moment", () => {
  for (let at = AT; at < AT + 400 * DAY; at += 7.3 * DAY) {
    const minute = Math.floor(at / 60_000) * 60_000;
    const [written = ""] = formatMoment(minute, "Asia/Kathmandu").split(" (");
    const context = aTimeContext({ now: AT - DAY, zone: "Asia/Kathmandu" });
    expect(readTime(split(written), context)).toEqual({ kind: "moment", at: minute });
  }
});
