import { describe, expect, test } from "vitest";
import { readTime, type TimeContext } from "../../src/language/read-time.ts";
import { aTimeContext, shown, split } from "./time-readings.ts";

const read = (text: string, facts: Partial<TimeContext> = {}) => shown(readTime(split(text), aTimeContext(facts)));
/** Friday 20 November 2026, 12:00 in Berlin. */
const friday = Date.UTC(2026, 10, 20, 11);

describe("a length", () => {
  test.each([
    ["2h", "2 h"],
    ["for 2 hours", "2 h"],
    ["for an hour", "1 h"],
    ["for half an hour", "30 min"],
    ["for an hour and a half", "1 h 30 min"],
    ["for two and a half hours", "2 h 30 min"],
    ["for 2.5 hours", "2 h 30 min"],
    ["for 1½ hours", "1 h 30 min"],
    ["for three quarters of an hour", "45 min"],
    ["for a couple of hours", "2 h"],
    ["for another hour", "1 h"],
    ["for the next 2 days", "2 d"],
    ["90 min", "1 h 30 min"],
    ["for 1h30", "1 h 30 min"],
    ["for 1 hr 30", "1 h 30 min"],
    ["for 1 day, 2 hours and 3 minutes", "1 d 2 h 3 min"],
    ["for forty-five minutes", "45 min"],
    ["for a fortnight", "14 d"],
    ["for a month", "30 d"],
    ["for 18h", "18 h"],
    ["18h", "18 h"],
    ["by 2h", "2 h"],
  ])("%j is %s", (text, length) => {
    expect(read(text)).toBe(length);
  });

  test.each(["in 2 hours", "until 2 hours from now", "until in 2 hours", "until 120 min", "two hours from now"])(
    "%j is the moment two hours from now",
    (text) => {
      expect(read(text)).toBe("Wed 25 Nov 2026, 12:40");
    },
  );

  test.each(["for a few hours", "for 2-3 hours", "for an hour or two", "for several days", "for months"])(
    "%j does not say how long",
    (text) => {
      expect(read(text)).toMatch(/^That does not say how long exactly\./);
    },
  );

  test("is at most 366 days and more than nothing", () => {
    expect(read("for 366 days")).toBe("366 d");
    for (const text of ["for 367 days", "for 2 years", "for 9999999h"]) expect(read(text)).toMatch(/^That is too long/);
    expect(read("for 0h")).toMatch(/more than nothing/);
  });

  test("is no time of day", () => {
    expect(read("for 18:00")).toBe("“18:00” is not a length of time. Write “until 18:00” if that is the end.");
  });
});

describe("a time of day", () => {
  test.each([
    ["18:00", "Wed 25 Nov 2026, 18:00"],
    ["until 6pm", "Wed 25 Nov 2026, 18:00"],
    ["till 6:30 p.m.", "Wed 25 Nov 2026, 18:30"],
    ["until 18.30", "Wed 25 Nov 2026, 18:30"],
    ["until 1800", "Wed 25 Nov 2026, 18:00"],
    ["until 18h", "Wed 25 Nov 2026, 18:00"],
    ["until 15h30", "Wed 25 Nov 2026, 15:30"],
    ["until 18 Uhr", "Wed 25 Nov 2026, 18:00"],
    ["by six pm", "Wed 25 Nov 2026, 18:00"],
    ["til half past 3 pm", "Wed 25 Nov 2026, 15:30"],
    ["until quarter to five pm", "Wed 25 Nov 2026, 16:45"],
    ["until 8 o'clock tonight", "Wed 25 Nov 2026, 20:00"],
    ["tonight until 10pm", "Wed 25 Nov 2026, 22:00"],
    ["to noon", "Wed 25 Nov 2026, 12:00"],
    ["until midnight", "Thu 26 Nov 2026, 00:00"],
    ["until 24:00", "Thu 26 Nov 2026, 00:00"],
    ["until 3 am", "Thu 26 Nov 2026, 03:00"],
    ["until 2 at night", "Thu 26 Nov 2026, 02:00"],
  ])("%j is %s", (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  test("at night is the next one, also after midnight", () => {
    const night = { now: Date.UTC(2026, 10, 25, 1) };
    expect(read("until 3 at night", night)).toBe("Wed 25 Nov 2026, 03:00");
    expect(read("tonight at 3", night)).toBe("Thu 26 Nov 2026, 03:00");
    expect(read("tonight", night)).toBe("Wed 25 Nov 2026, 08:00 or Thu 26 Nov 2026, 08:00");
  });

  test("that has passed means tomorrow, and this is said", () => {
    expect(read("until 09:00")).toBe("Thu 26 Nov 2026, 09:00 (tomorrow, since 09:00 has passed today)");
    expect(read("until 9am")).toBe("Thu 26 Nov 2026, 09:00 (tomorrow, since 09:00 has passed today)");
    expect(read("until 10:00 today")).toMatch(/ is in the past\.$/);
  });

  test("that has passed is a choice when this evening can be meant as well", () => {
    expect(read("until 9:00")).toBe("Wed 25 Nov 2026, 21:00 or Thu 26 Nov 2026, 09:00");
    expect(read("until 3:00")).toBe("Wed 25 Nov 2026, 15:00 (15:00 rather than 03:00)");
    expect(read("until 03:00")).toBe("Thu 26 Nov 2026, 03:00");
    for (const text of ["today 3:00", "until today 3:00"]) expect(read(text)).toMatch(/03:00 .*is in the past\.$/);
    expect(read("11:00", { now: friday })).toBe("Fri 20 Nov 2026, 23:00 or Sat 21 Nov 2026, 11:00");
  });

  test("without am or pm is the next one, unless the other is as likely", () => {
    expect(read("until 6")).toBe("Wed 25 Nov 2026, 18:00 (18:00 rather than 06:00)");
    expect(read("until half past 3")).toBe("Wed 25 Nov 2026, 15:30 (15:30 rather than 03:30)");
    expect(read("until 12")).toBe("Wed 25 Nov 2026, 12:00");
    expect(read("until 9")).toBe("Wed 25 Nov 2026, 21:00 (21:00 rather than 09:00)");
    expect(read("until 11")).toBe("Wed 25 Nov 2026, 11:00 or Wed 25 Nov 2026, 23:00");
    expect(read("until friday at 9")).toBe("Fri 27 Nov 2026, 09:00");
    expect(read("tomorrow at 6")).toBe("Thu 26 Nov 2026, 06:00 or Thu 26 Nov 2026, 18:00");
  });

  test("in hours may be a length after “until”", () => {
    expect(read("until 2h")).toContain("12:40");
    expect(read("until 2h")).toContain(" or Thu 26 Nov 2026, 02:00");
    expect(read("until 18 hours")).toContain(" or Wed 25 Nov 2026, 18:00");
    expect(read("tonight 2h")).toMatch(/does not say at what time it starts/);
  });

  test("must fit the part of the day", () => {
    expect(read("until 18:00 in the morning")).toBe("18:00 is not in the morning.");
    expect(read("until 7 in the evening")).toBe("Wed 25 Nov 2026, 19:00");
  });

  test("where two days meet is a choice on a named day", () => {
    for (const text of ["friday midnight", "midnight on friday", "until friday 12am"])
      expect(read(text)).toBe("Fri 27 Nov 2026, 00:00 or Sat 28 Nov 2026, 00:00");
    expect(read("midnight tonight")).toBe("Thu 26 Nov 2026, 00:00");
  });
});

describe("a day without a time is the start of the team's day", () => {
  test.each([
    ["until tomorrow", "Thu 26 Nov 2026, 08:00 (the start of the day)"],
    ["until tommorow", "Thu 26 Nov 2026, 08:00 (the start of the day)"],
    ["tomorrow morning", "Thu 26 Nov 2026, 08:00 (the start of the day)"],
    ["until monday", "Mon 30 Nov 2026, 08:00 (the start of the day)"],
    ["until mon", "Mon 30 Nov 2026, 08:00 (the start of the day)"],
    ["until mondya", "Mon 30 Nov 2026, 08:00 (the start of the day)"],
    ["until wednesday", "Wed 2 Dec 2026, 08:00 (next week, the start of the day)"],
    ["until next week", "Mon 30 Nov 2026, 08:00 (the start of the day)"],
    ["until wednesday of next week", "Wed 2 Dec 2026, 08:00 (the start of the day)"],
    ["until the day after tomorrow", "Fri 27 Nov 2026, 08:00 (the start of the day)"],
    ["until a week from monday", "Mon 7 Dec 2026, 08:00 (the start of the day)"],
    ["until the 3rd of february", "Wed 3 Feb 2027, 08:00 (the start of the day)"],
    ["until the 30th", "Mon 30 Nov 2026, 08:00 (the start of the day)"],
    ["until 28.11.", "Sat 28 Nov 2026, 08:00 (the start of the day)"],
    ["until last monday of march", "Mon 29 Mar 2027, 08:00 (the start of the day)"],
    ["until 2 days after nov 28", "Mon 30 Nov 2026, 08:00 (the start of the day)"],
    ["until december", "Tue 1 Dec 2026, 08:00 (the start of the day)"],
    ["until the weekend", "Mon 30 Nov 2026, 08:00 (the start of the day after the weekend)"],
    ["over the weekend", "Mon 30 Nov 2026, 08:00 (the start of the day after the weekend)"],
  ])("%j is %s", (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  test.each([
    ["tonight", "Thu 26 Nov 2026, 08:00 (the start of the day)"],
    ["for the night", "Thu 26 Nov 2026, 08:00 (the start of the day)"],
    ["friday night", "Sat 28 Nov 2026, 08:00 (the start of the day)"],
    ["until tonight", "Wed 25 Nov 2026, 18:00 (the end of the day)"],
    ["until tomorrow evening", "Thu 26 Nov 2026, 18:00 (the end of the day)"],
    ["until eod", "Wed 25 Nov 2026, 18:00 (the end of the day)"],
    ["for today", "Wed 25 Nov 2026, 18:00 (the end of the day)"],
    ["until eod friday", "Fri 27 Nov 2026, 18:00 (the end of the day)"],
    ["until the end of the week", "Fri 27 Nov 2026, 18:00 (the end of the day)"],
    ["until end of november", "Mon 30 Nov 2026, 18:00 (the end of the day)"],
    ["through friday", "Fri 27 Nov 2026, 18:00 (the end of the day)"],
    ["this morning", "Wed 25 Nov 2026, 12:00 (the end of the morning)"],
  ])("except %j: %s", (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  test("after the end of the day, its end is midnight", () => {
    const evening = { now: Date.UTC(2026, 10, 25, 19) };
    for (const text of ["until eod", "until tonight", "for today"])
      expect(read(text, evening)).toBe("Thu 26 Nov 2026, 00:00 (midnight in Europe/Berlin, since 18:00 has passed)");
    expect(read("until the end of november", { now: Date.UTC(2026, 10, 30, 19) })).toMatch(/^Tue 1 Dec 2026, 00:00/);
  });

  test("a named day by itself may also be meant whole", () => {
    expect(read("tomorrow")).toBe("Thu 26 Nov 2026, 08:00 or Fri 27 Nov 2026, 00:00");
    expect(read("for monday")).toBe("Mon 30 Nov 2026, 08:00 or Tue 1 Dec 2026, 00:00");
  });

  test("a period is taken whole after “through”, and may be after “for”", () => {
    expect(read("through next week")).toBe("Fri 4 Dec 2026, 18:00 (the end of the day)");
    expect(read("for next week")).toBe("Mon 30 Nov 2026, 08:00 or Fri 4 Dec 2026, 18:00");
    expect(read("for this week")).toBe("Fri 27 Nov 2026, 18:00 (the end of the day)");
  });

  test("the afternoon has no settled beginning", () => {
    expect(read("until tomorrow afternoon")).toBe("Thu 26 Nov 2026, 12:00 or Thu 26 Nov 2026, 15:00");
  });

  test("the day is that of the team's zone, which is said when it is not the person's", () => {
    const inNewYork = { dayZone: "America/New_York", dayStarts: "07:30" };
    expect(read("until monday", inNewYork)).toBe(
      "Mon 30 Nov 2026, 13:30 (the start of the day in America/New_York, 07:30 there)",
    );
    expect(read("until monday 9am", inNewYork)).toBe("Mon 30 Nov 2026, 09:00");
    expect(read("until next friday", inNewYork)).toContain("Fri 27 Nov 2026, 07:30 (America/New_York, UTC-05:00) or ");
  });
});

describe("a day with a time", () => {
  test.each([
    ["fri 18:00", "Fri 20 Nov 2026, 18:00"],
    ["Friday at 6PM", "Fri 20 Nov 2026, 18:00"],
    ["18:00 on mon", "Mon 23 Nov 2026, 18:00"],
    ["next friday 18:00", "Fri 27 Nov 2026, 18:00"],
    ["tomorrow 9am", "Sat 21 Nov 2026, 09:00"],
    ["9am tomorrow", "Sat 21 Nov 2026, 09:00"],
    ["noon tomorrow", "Sat 21 Nov 2026, 12:00"],
    ["today 18:00", "Fri 20 Nov 2026, 18:00"],
    ["this week friday 6pm", "Fri 20 Nov 2026, 18:00"],
    ["2026-11-23 09:00", "Mon 23 Nov 2026, 09:00"],
    ["2026-11-23T09:00:05", "Mon 23 Nov 2026, 09:00:05"],
    ["2026-11-23T09:00:00Z", "Mon 23 Nov 2026, 10:00"],
    ["2026-11-23T09:00+05:30", "Mon 23 Nov 2026, 04:30"],
    ["23 nov 9am", "Mon 23 Nov 2026, 09:00"],
    ["nov 23rd 6pm", "Mon 23 Nov 2026, 18:00"],
    ["mon, november 23rd 2026 at 9:00", "Mon 23 Nov 2026, 09:00"],
    ["2 jan 09:00", "Sat 2 Jan 2027, 09:00"],
    ["until wed 25/11 18:00", "Wed 25 Nov 2026, 18:00"],
    ["25.11. 18 Uhr", "Wed 25 Nov 2026, 18:00"],
    ["wednesday of next week at noon", "Wed 25 Nov 2026, 12:00"],
    ["in 3 days at noon", "Mon 23 Nov 2026, 12:00"],
    ["  fri \t 18:00 ", "Fri 20 Nov 2026, 18:00"],
  ])("%j on Friday 20 November at noon is %s", (text, moment) => {
    expect(read(text, { now: friday })).toBe(moment);
  });

  test("today's weekday with a passed time means next week", () => {
    expect(read("fri 11:00", { now: friday })).toMatch(/^Fri 27 Nov 2026, 11:00 \(next week, since/);
    expect(read("fri 12:01", { now: friday })).toBe("Fri 20 Nov 2026, 12:01");
  });

  test("“next” is a choice while this week's day is ahead", () => {
    expect(read("next friday 6pm")).toBe("Fri 27 Nov 2026, 18:00 or Fri 4 Dec 2026, 18:00");
    expect(read("next monday 6pm")).toBe("Mon 30 Nov 2026, 18:00");
  });

  test("today and tomorrow follow the zone, not UTC", () => {
    const zone = "Pacific/Kiritimati";
    const inKiritimati = { now: friday, zone };
    expect(shown(readTime(split("tomorrow 9am"), aTimeContext(inKiritimati)), zone)).toBe("Sun 22 Nov 2026, 09:00");
    expect(shown(readTime(split("tomorrow 9am Pacific/Kiritimati"), aTimeContext({ now: friday })), zone)).toBe(
      "Sun 22 Nov 2026, 09:00",
    );
  });
});

describe("a date in figures", () => {
  test("is read the only way it fits", () => {
    for (const text of ["until 28/11 9am", "until 11/28 9am", "until 28.11.2026 9am", "until 11/28/26 9am"])
      expect(read(text)).toBe("Sat 28 Nov 2026, 09:00");
  });

  test("is a choice when day and month can be swapped", () => {
    expect(read("until 5/6")).toBe("Thu 6 May 2027, 08:00 or Sat 5 Jun 2027, 08:00");
    expect(read("until 8/10/2027 6pm")).toBe("Tue 10 Aug 2027, 18:00 or Fri 8 Oct 2027, 18:00");
  });

  test("is not left open by a day that has just passed", () => {
    expect(read("until 11/12 9am")).toBe("Fri 11 Dec 2026, 09:00");
  });

  test("may be a time, and is asked about", () => {
    expect(read("until 18.11")).toMatch(/^“18\.11” can be a time or a date\./);
    expect(read("until 11.12 18:00")).toBe("Fri 11 Dec 2026, 18:00");
    expect(read("until 2027")).toMatch(/^That can be a year or a time\./);
    expect(read("until 2030")).toBe("Wed 25 Nov 2026, 20:30");
  });
});

describe("a zone behind it", () => {
  test.each([
    ["18:00 America/New_York", "Thu 26 Nov 2026, 00:00"],
    ["18:00 in america/new_york", "Thu 26 Nov 2026, 00:00"],
    ["fri 18:00 Eastern Standard Time", "Sat 28 Nov 2026, 00:00"],
    ["2026-11-27 09:00 Central Standard Time (Mexico)", "Fri 27 Nov 2026, 16:00"],
    ["18:00 utc", "Wed 25 Nov 2026, 19:00"],
    ["18:00Z", "Wed 25 Nov 2026, 19:00"],
    ["18:00 UTC+2", "Wed 25 Nov 2026, 17:00"],
    ["18:00 GMT -5", "Thu 26 Nov 2026, 00:00"],
    ["18:00 +05:30", "Wed 25 Nov 2026, 13:30"],
    ["until 6pm CET", "Wed 25 Nov 2026, 18:00"],
    ["until 6pm EST", "Thu 26 Nov 2026, 00:00"],
    ["until 9am PT", "Wed 25 Nov 2026, 18:00"],
    ["until 6pm London time", "Wed 25 Nov 2026, 19:00"],
    ["until 9am Pacific time", "Wed 25 Nov 2026, 18:00"],
  ])("%j is %s in Berlin", (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  test("is a choice when several zones have that abbreviation", () => {
    expect(read("until 6pm IST")).toBe(
      "Wed 25 Nov 2026, 18:00 (Asia/Kolkata, UTC+05:30) or Wed 25 Nov 2026, 18:00 (Asia/Jerusalem, UTC+02:00) " +
        "or Wed 25 Nov 2026, 18:00 (Europe/Dublin, UTC+00:00)",
    );
    for (const name of ["CST", "BST", "ist"]) expect(read(`until 6pm ${name}`)).toContain(" or ");
  });

  test("is a choice when its winter name is used in summer, or the reverse", () => {
    const summer = { now: Date.UTC(2027, 6, 1) };
    expect(read("until 6pm EST", summer)).toMatch(/18:00 \(America\/New_York, UTC-04:00\) or .*18:00 \(UTC-05:00\)$/);
    expect(read("until 6pm EDT", summer)).not.toContain(" or ");
    expect(read("until 6pm CEST")).toContain(" or ");
  });

  test.each([
    ["18:00 Berlin", 'I do not know the time zone "Berlin". Did you mean Europe/Berlin?'],
    ["18:00 Europe/Berln", 'I do not know the time zone "Europe/Berln". Did you mean Europe/Berlin?'],
    ["fri 6pm in New York", 'I do not know the time zone "New York". Did you mean America/New_York?'],
    ["18:00 XYZ", 'I do not know the time zone "XYZ". Use a name such as Europe/Berlin, America/New_York or UTC.'],
  ])("%j has an unknown zone", (text, reason) => {
    expect(read(text)).toBe(reason);
  });

  test("a Windows id or an unknown zone of the person", () => {
    expect(read("18:00", { zone: "W. Europe Standard Time" })).toBe("Wed 25 Nov 2026, 18:00");
    expect(read("18:00", { zone: "Mars/Phobos" })).toMatch(/^I do not know the time zone "Mars\/Phobos"\./);
    expect(read("18:00 UTC", { zone: "Mars/Phobos" })).toBe("Wed 25 Nov 2026, 19:00");
    for (const text of ["for a month", "until 2h"])
      expect(read(text, { zone: "Mars/Phobos" })).toMatch(/^(?:30 d|Wed 25 Nov 2026, 12:40)$/);
  });
});

describe("an invalid moment is refused with the reason", () => {
  test.each(["2026-11-20 09:00", "20 nov 9am", "today 11:00", "2 nov 9am", "2025-11-23 09:00", "19 nov", "2026-11-01"])(
    "%j is past",
    (text) => {
      expect(read(`until ${text}`, { now: friday })).toMatch(
        /^\w{3} \d.* \(Europe\/Berlin, UTC\+01:00\) is in the past\.$/,
      );
    },
  );

  test.each(["yesterday", "yesterday 6pm", "last friday", "last friday 6pm", "last night"])("%j is past", (text) => {
    expect(read(text)).toBe("That is past. Give a moment still to come.");
  });

  test("refuses a skipped time with the clock change and the next valid time", () => {
    const reason =
      "On Sun 28 Mar 2027 the clocks in Europe/Berlin jump from 02:00 to 03:00: 02:30 does not exist. " +
      "The next valid time is Sun 28 Mar 2027, 03:00 (Europe/Berlin, UTC+02:00).";
    const before = { now: Date.UTC(2027, 2, 27, 20) };
    expect(read("2027-03-28 02:30")).toBe(reason);
    for (const text of ["02:30", "sun 2:30am", "tomorrow 02:30"]) expect(read(text, before)).toBe(reason);
    expect(read("until tomorrow", { ...before, dayStarts: "02:30" })).toBe(
      "Sun 28 Mar 2027, 03:00 (the start of the day)",
    );
  });

  test("after the skipped hour the same text means the next day or week", () => {
    const now = Date.UTC(2027, 2, 28, 2);
    expect(read("02:30", { now })).toMatch(/^Mon 29 Mar 2027, 02:30/);
    expect(read("sun 02:30", { now })).toMatch(/^Sun 4 Apr 2027, 02:30/);
  });

  test("offers both passes of a repeated time, and the second once the first has passed", () => {
    const first = Date.UTC(2027, 9, 31, 0, 30);
    const both = readTime(["02:30"], aTimeContext({ now: first - 4 * 3_600_000 }));
    expect(both).toMatchObject({ kind: "choice", options: [{ at: first }, { at: first + 3_600_000 }] });
    expect(shown(both)).toContain("02:30 (Europe/Berlin, UTC+02:00) or");
    expect(readTime(["02:30"], aTimeContext({ now: first }))).toMatchObject({ kind: "moment", at: first + 3_600_000 });
  });

  test("refuses a date that does not exist, and asks about one that is not on that weekday", () => {
    for (const text of ["2027-02-30 09:00", "2027-13-01 09:00", "31 nov 09:00", "until 10th wednesday in november"])
      expect(read(text)).toBe("The calendar has no such day.");
    expect(read("tue 24 dec 2026 09:00")).toMatch(/^Thu 24 Dec 2026, 09:00 .* or Tue 29 Dec 2026, 09:00 /);
    expect(read("until this wednesday")).toBe("That is today. Write “today”, or the date.");
  });

  test("refuses what is not exact", () => {
    for (const text of ["until lunch", "until later", "until early tomorrow", "until further notice"])
      expect(read(text)).toMatch(/^That is not an exact time\./);
    expect(read("until next week at 5pm")).toMatch(/^That does not say which day\./);
  });

  test.each(["fri 18:00 or sat 10:00", "6pm to 7pm", "noon 5pm", "tomorrow today 6pm", "for 2h until 18:00"])(
    "%j gives two ends",
    (text) => {
      expect(read(text)).toBe(
        `“${text}” gives two ends. Give only one: a length such as “for 2h”, or a time such as “until 18:00”.`,
      );
    },
  );

  test.each(["25:00", "13am", "until 24:01"])("%j is on no clock", (text) => {
    expect(read(text)).toMatch(/^I could not read ".*" as a moment\. Write it like 18:00/);
  });
});

describe("other words are no time", () => {
  test.each([
    ..."banana 6 1800 may sat to until for UTC web-1 i-0a1 1 second may-6 6pm-7pm 9:00-17:00 18:99".split(" "),
    ...["fri 18:00 please", "6pm ago", "-6pm", "weekday 9am", "nov", "18:00 18", "0050-01-01 09:00"],
    ...[
      "for ever",
      "for the demo",
      "to Dev team",
      "for may",
      "to april",
      "to Sundar",
      "for early access",
      "by augusta",
      "until 06:00 x",
      "until laughing out loud",
    ],
    "",
  ])("%j", (text) => {
    expect(read(text)).toBe("not a time");
  });

  test("a time between other words, a hundred times over", () => {
    expect(read("06:00 x ".repeat(100))).toBe("not a time");
  });
});
