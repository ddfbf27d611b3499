import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMoment } from "../../src/time/format-moment.ts";
import { parseMoment } from "../../src/time/moment.ts";
import { titled } from "../support/brief.ts";
import { anyText } from "./any-text.ts";
import { HOUR } from "./clock-changes.ts";

/** Friday 20 November 2026, 12:00 in Berlin. */
const NOW = Date.UTC(2026, 10, 20, 11);

function read(text: string, { now = NOW, zone = "Europe/Berlin" } = {}): string {
  const result = parseMoment(text, { now, zone });
  return result.kind === "moment" ? formatMoment(result.at, result.zone) : result.reason;
}

describe("a moment", () => {
  test.each([
    ["18:00", "Fri 20 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)"],
    ["6pm", "Fri 20 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)"],
    ["6:30 p.m.", "Fri 20 Nov 2026, 18:30 (Europe/Berlin, UTC+01:00)"],
    ["fri 18:00", "Fri 20 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)"],
    ["Friday at 6PM", "Fri 20 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)"],
    ["18:00 on mon", "Mon 23 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)"],
    ["wednesday 6pm", "Wed 25 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)"],
    ["next friday 18:00", "Fri 27 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)"],
    ["tomorrow 9am", "Sat 21 Nov 2026, 09:00 (Europe/Berlin, UTC+01:00)"],
    ["9am tomorrow", "Sat 21 Nov 2026, 09:00 (Europe/Berlin, UTC+01:00)"],
    ["today 18:00", "Fri 20 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)"],
    ["2026-11-23 09:00", "Mon 23 Nov 2026, 09:00 (Europe/Berlin, UTC+01:00)"],
    ["2026-11-23T09:00:05", "Mon 23 Nov 2026, 09:00:05 (Europe/Berlin, UTC+01:00)"],
    ["2026-11-23T09:00:00Z", "Mon 23 Nov 2026, 09:00 (UTC)"],
    ["23 nov 9am", "Mon 23 Nov 2026, 09:00 (Europe/Berlin, UTC+01:00)"],
    ["mon, november 23rd 2026 at 9:00", "Mon 23 Nov 2026, 09:00 (Europe/Berlin, UTC+01:00)"],
    ["2 jan 09:00", "Sat 2 Jan 2027, 09:00 (Europe/Berlin, UTC+01:00)"],
    ["midnight", "Sat 21 Nov 2026, 00:00 (Europe/Berlin, UTC+01:00)"],
    ["tomorrow noon", "Sat 21 Nov 2026, 12:00 (Europe/Berlin, UTC+01:00)"],
    ["  fri \t 18:00 ", "Fri 20 Nov 2026, 18:00 (Europe/Berlin, UTC+01:00)"],
  ])("%j is %s", (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  test.each([
    ["18:00 America/New_York", "Fri 20 Nov 2026, 18:00 (America/New_York, UTC-05:00)"],
    ["18:00 in america/new_york", "Fri 20 Nov 2026, 18:00 (America/New_York, UTC-05:00)"],
    ["fri 18:00 Eastern Standard Time", "Fri 20 Nov 2026, 18:00 (America/New_York, UTC-05:00)"],
    ["18:00 utc", "Fri 20 Nov 2026, 18:00 (UTC)"],
    ["2026-11-23 09:00 Central Standard Time (Mexico)", "Mon 23 Nov 2026, 09:00 (America/Mexico_City, UTC-06:00)"],
    ["tomorrow 9am Asia/Kolkata", "Sat 21 Nov 2026, 09:00 (Asia/Kolkata, UTC+05:30)"],
  ])("%j uses the zone it names: %s", (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  test("a bare time that has passed today means tomorrow", () => {
    expect(read("11:00")).toMatch(/^Sat 21 Nov/);
    expect(read("12:00")).toMatch(/^Sat 21 Nov/);
    expect(read("12:01")).toMatch(/^Fri 20 Nov/);
  });

  test("today's weekday with a passed time means next week", () => {
    expect(read("fri 11:00")).toMatch(/^Fri 27 Nov/);
    expect(read("fri 12:01")).toMatch(/^Fri 20 Nov/);
  });

  test("today and tomorrow follow the zone, not UTC", () => {
    expect(read("tomorrow 9am", { zone: "Pacific/Kiritimati" })).toMatch(/^Sun 22 Nov 2026, 09:00/);
    expect(read("tomorrow 9am", { now: Date.UTC(2026, 10, 20, 3), zone: "America/New_York" })).toMatch(/^Fri 20 Nov/);
    expect(read("tomorrow 9am Pacific/Kiritimati")).toMatch(/^Sun 22 Nov 2026, 09:00/);
  });

  test("a time after a clock change is that day's wall-clock time", () => {
    const now = Date.UTC(2027, 2, 26, 11);
    expect(read("sun 9am", { now })).toBe("Sun 28 Mar 2027, 09:00 (Europe/Berlin, UTC+02:00)");
  });

  test("a repeated time means the first pass, then the second once the first has passed", () => {
    const first = Date.UTC(2027, 9, 31, 0, 30);
    expect(parseMoment("02:30", { now: first - 4 * HOUR, zone: "Europe/Berlin" })).toMatchObject({ at: first });
    expect(parseMoment("02:30", { now: first, zone: "Europe/Berlin" })).toMatchObject({ at: first + HOUR });
  });

  test("accepts a Slack zone with a Windows id", () => {
    expect(read("18:00", { zone: "W. Europe Standard Time" })).toMatch(/^Fri 20 Nov 2026, 18:00 \(Europe\/Berlin/);
  });
});

describe("an invalid moment is refused with the reason", () => {
  test.each(["2026-11-20 09:00", "20 nov 9am", "today 11:00", "yesterday 6pm", "2 nov 9am", "2025-11-23 09:00"])(
    "%j is past",
    (text) => {
      expect(read(text)).toMatch(/^\w{3} \d.* \(Europe\/Berlin, UTC\+01:00\) is in the past\.$/);
    },
  );

  test.each([
    "yesterday",
    "yesterday evening",
    "5 minutes ago",
    "2 days ago",
    "last friday",
    "last friday 6pm",
    "2026-11-01",
    "19 nov",
  ])("%j is past at any time of day", (text) => {
    expect(read(text)).toBe(
      `"${text}" is past. Give a moment still to come, like 18:00, 6pm, fri 18:00, tomorrow 9am or 2026-11-23 09:00.`,
    );
  });

  test("refuses a skipped time with the clock change and the next valid time", () => {
    const reason =
      "On Sun 28 Mar 2027 the clocks in Europe/Berlin jump from 02:00 to 03:00, so 02:30 does not exist. " +
      "The next valid time is Sun 28 Mar 2027, 03:00 (Europe/Berlin, UTC+02:00).";
    expect(read("2027-03-28 02:30")).toBe(reason);
    expect(read("02:30", { now: Date.UTC(2027, 2, 27, 20) })).toBe(reason);
    expect(read("sun 2:30am", { now: Date.UTC(2027, 2, 27, 20) })).toBe(reason);
  });

  test("after the skipped hour the same text means the next day or week", () => {
    const now = Date.UTC(2027, 2, 28, 2);
    expect(read("02:30", { now })).toMatch(/^Mon 29 Mar 2027, 02:30/);
    expect(read("sun 02:30", { now })).toMatch(/^Sun 4 Apr 2027, 02:30/);
  });

  test.each(["tomorrow", "fri", "2026-11-23", "23 nov", "tonight", "tomorrow at 6", "at 18"])(
    "%j has no clear time of day",
    (text) => {
      expect(read(text)).toBe(`"${text}" has no clear time of day. Add one such as 18:00 or 6pm.`);
    },
  );

  test.each(["fri 18:00 or sat 10:00", "fri 9:00-17:00", "6pm to 7pm", "noon 5pm", "tomorrow today 6pm"])(
    "%j is more than one",
    (text) => {
      expect(read(text)).toBe(`"${text}" names more than one moment. Give just one.`);
    },
  );

  test.each([
    ["18:00 Berlin", 'I do not know the time zone "Berlin". Did you mean Europe/Berlin?'],
    ["18:00 Europe/Berln", 'I do not know the time zone "Europe/Berln". Did you mean Europe/Berlin?'],
    ["fri 6pm in New York", 'I do not know the time zone "New York". Did you mean America/New_York?'],
    ["18:00 PST", 'I do not know the time zone "PST". Use a name such as Europe/Berlin, America/New_York or UTC.'],
    ["18:00 UTC+2", 'I do not know the time zone "UTC+2". Use a name such as Europe/Berlin, America/New_York or UTC.'],
  ])("%j has an unknown zone", (text, reason) => {
    expect(read(text)).toBe(reason);
  });

  test("reports an unknown zone of the person", () => {
    expect(read("18:00", { zone: "Mars/Phobos" })).toMatch(/^I do not know the time zone "Mars\/Phobos"\./);
    expect(read("18:00 UTC", { zone: "Mars/Phobos" })).toBe("Fri 20 Nov 2026, 18:00 (UTC)");
  });

  test.each(["4h", "2h30m", "18h", "3 days"])("%j is a length of time", (text) => {
    expect(read(text)).toContain("is a length of time, not a moment");
  });

  test("refuses a date that does not exist or is not on that weekday", () => {
    expect(read("2027-02-30 09:00")).toContain("could not read");
    expect(read("2027-13-01 09:00")).toContain("could not read");
    expect(read("31 nov 09:00")).toContain("could not read");
    expect(read("tue 23 nov 09:00")).toContain("that day is Mon 23 Nov 2026");
  });

  test.each(["friday midnight", "midnight tonight", "tomorrow midnight"])(
    "%j could be either end of the day",
    (text) => {
      expect(read(text)).toMatch(/^Midnight is where two days meet/);
    },
  );

  test.each(
    titled([
      ["banana"],
      ["25:00"],
      ["24:00"],
      ["6"],
      ["1800"],
      ["13pm"],
      ["fri 18:00 please"],
      ["11/12/2026 9am"],
      ["6pm ago"],
      ["-6pm"],
      ["weekday 9am"],
      ["this week friday 6pm"],
      ["next year 6pm"],
      ["nov 18:00"],
      ["<!channel> 18:00"],
      ["18:00 +02:00"],
      ["18:00 18"],
      ["0050-01-01 09:00"],
      ["06:00 x".repeat(100)],
    ]),
  )("“%s” cannot be read", (_title, text) => {
    expect(read(text)).toMatch(/^I could not read ".*" as a moment\. Write it like 18:00, 6pm, fri 18:00/);
  });

  test.each(["", "  ", "UTC"])("%j has no time", (text) => {
    expect(read(text)).toMatch(/^There is no time to read\. Write it like/);
  });
});

test("reads any text without throwing, and a moment is always in the future", () => {
  const words = fc.constantFrom(
    "18:00",
    "6pm",
    "02:30",
    "6",
    "am",
    "noon",
    "midnight",
    "fri",
    "sunday",
    "next",
    "this",
    "at",
    "on",
    "of",
    "in",
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "2026-11-23",
    "2027-03-28",
    "2026-02-30",
    "23",
    "nov",
    "2027",
    "1st",
    "9999-12-31",
    "UTC",
    "Europe/Berlin",
    "Asia/Kathmandu",
    "Eastern Standard Time",
    "Berln",
    ",",
    "-",
    "T",
    "Z",
    "4h",
  );
  const momentLike = fc.array(words, { maxLength: 6 }).map((chosen) => chosen.join(" "));
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  const times = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2031, 0, 1) });
  fc.assert(
    fc.property(fc.oneof(anyText, momentLike), times, zones, (text, now, zone) => {
      const result = parseMoment(text, { now, zone });
      return result.kind === "moment" ? result.at > now : result.reason.length > 0;
    }),
    { numRuns: 500 },
  );
});
