import { describe, expect, test } from "vitest";
import { findPeriod } from "../../src/language/periods/find-period.ts";
import type { Period } from "../../src/language/periods/resolve-period.ts";
import type { TimeContext } from "../../src/language/read-time.ts";
import { aTimeContext, dayAndTime, split } from "./time-readings.ts";

const shown = ({ startsAt, endsAt }: Period, zone: string): string =>
  [startsAt === undefined ? "now" : dayAndTime(startsAt, zone), dayAndTime(endsAt, zone)].join(" to ");

/** The period that a text is wholly, as one line. */
function read(text: string, facts: Partial<TimeContext> = {}): string {
  const context = aTimeContext(facts);
  const words = split(text);
  const run = findPeriod(words, context, true);
  if (run?.end !== words.length) return "not a period";
  const { reading } = run;
  if (reading.kind === "invalid") return reading.reason;
  if (reading.kind === "series") return "a series";
  if (reading.kind === "several") return reading.periods.map((each) => shown(each, context.zone)).join(" and ");
  if (reading.kind === "choice") return reading.options.map((each) => shown(each, context.zone)).join(" or ");
  return shown(reading.period, context.zone);
}

const weekend = "Fri 27 Nov 2026, 18:00 to Mon 30 Nov 2026, 08:00";
const tomorrow = "Thu 26 Nov 2026, 00:00 to Fri 27 Nov 2026, 00:00";
const tomorrowEvening = "Thu 26 Nov 2026, 18:00 to Thu 26 Nov 2026, 22:00";

describe("a period", () => {
  test.each([
    ...["this weekend", "over the weekend", "on sat and sun", "sat-sun"].map((text) => [text, weekend]),
    ...["tomorrow", "all day tomorrow", "tomorrow all day", "on thursday", "for thu", "on 26.11."].map((text) => [
      text,
      tomorrow,
    ]),
    ...["tomorrow 18:00-22:00", "tomorrow from 6pm to 10pm", "18-22 tomorrow", "on thursday between 18 and 22"].map(
      (text) => [text, tomorrowEvening],
    ),
    ["on saturday", "Fri 27 Nov 2026, 18:00 to Sun 29 Nov 2026, 00:00"],
    ["on sunday", "Sun 29 Nov 2026, 00:00 to Mon 30 Nov 2026, 00:00"],
    ["next week", "Mon 30 Nov 2026, 00:00 to Sat 5 Dec 2026, 00:00"],
    ["from monday to friday", "Mon 30 Nov 2026, 00:00 to Sat 5 Dec 2026, 00:00"],
    ["in december", "Tue 1 Dec 2026, 00:00 to Fri 1 Jan 2027, 00:00"],
    ["friday night", "Fri 27 Nov 2026, 18:00 to Sat 28 Nov 2026, 08:00"],
    ["tomorrow evening", "Thu 26 Nov 2026, 18:00 to Fri 27 Nov 2026, 00:00"],
    ["on the 3rd and 4th", "Thu 3 Dec 2026, 00:00 to Sat 5 Dec 2026, 00:00"],
    ["28 and 29", weekend],
    ["on the twenty-third", "Wed 23 Dec 2026, 00:00 to Thu 24 Dec 2026, 00:00"],
    ["on the first of december from six until ten in the evening", "Tue 1 Dec 2026, 18:00 to Tue 1 Dec 2026, 22:00"],
    [
      "next week but thursday",
      "Mon 30 Nov 2026, 00:00 to Thu 3 Dec 2026, 00:00 and Fri 4 Dec 2026, 00:00 to Sat 5 Dec 2026, 00:00",
    ],
    ["from tomorrow 18:00 and during 10 days", "Thu 26 Nov 2026, 18:00 to Sun 6 Dec 2026, 18:00"],
    ["tomorrow and the day after 18-21", "a series"],
    ["3rd and the 4th 8-18", "a series"],
    ["on friday until 22:00", "Fri 27 Nov 2026, 00:00 to Fri 27 Nov 2026, 22:00"],
    ["22:00-06:00", "Wed 25 Nov 2026, 22:00 to Thu 26 Nov 2026, 06:00"],
    ["9:00-12:00", "now to Wed 25 Nov 2026, 12:00"],
    ["3:00-5:00", "Thu 26 Nov 2026, 03:00 to Thu 26 Nov 2026, 05:00"],
    ["18:00-22:00 CET", "Wed 25 Nov 2026, 18:00 to Wed 25 Nov 2026, 22:00"],
    ["tomorrow 6-10", `Thu 26 Nov 2026, 06:00 to Thu 26 Nov 2026, 10:00 or ${tomorrowEvening}`],
    ["on wednesday", "now to Thu 26 Nov 2026, 00:00 or Wed 2 Dec 2026, 00:00 to Thu 3 Dec 2026, 00:00"],
    [
      "next weekend",
      "Fri 27 Nov 2026, 18:00 to Mon 30 Nov 2026, 08:00 or Fri 4 Dec 2026, 18:00 to Mon 7 Dec 2026, 08:00",
    ],
    ...[
      "this weekend 9-17",
      "next week until 22:00",
      "until 21:00 today and tomorrow",
      "dec 1, 8 and 15 from 18 to 23",
      "28/29 nov until 10 pm both days",
      "starting monday, two weeks, workdays only till 21:30",
      "week of dec 14 every workday till 10pm, wednesday not",
    ].map((text) => [text, "a series"]),
    ["2 days from monday", "Mon 30 Nov 2026, 08:00 to Wed 2 Dec 2026, 08:00"],
    ["starting tomorrow 8:00 for two weeks", "Thu 26 Nov 2026, 08:00 to Thu 10 Dec 2026, 08:00"],
    ["3 weeks from monday on", "Mon 30 Nov 2026, 08:00 to Mon 21 Dec 2026, 08:00"],
    ["mon-fri next week", "Mon 30 Nov 2026, 00:00 to Sat 5 Dec 2026, 00:00"],
    ["next week thursday and friday", "Thu 3 Dec 2026, 00:00 to Sat 5 Dec 2026, 00:00"],
    ["mon to fri next week, all night", "Mon 30 Nov 2026, 00:00 to Sat 5 Dec 2026, 00:00"],
    ["the night from friday to saturday", "Fri 27 Nov 2026, 18:00 to Sat 28 Nov 2026, 08:00"],
    ["the night before 8 december 18:00-7:00", "Mon 7 Dec 2026, 18:00 to Tue 8 Dec 2026, 07:00"],
    [
      "thursday evening from half past six straight through to saturday 6 in the morning",
      "Thu 26 Nov 2026, 18:30 to Sat 28 Nov 2026, 06:00",
    ],
    ["friday and the weekend", "Fri 27 Nov 2026, 00:00 to Mon 30 Nov 2026, 08:00"],
    ["on thu and sat", `${tomorrow} and Fri 27 Nov 2026, 18:00 to Sun 29 Nov 2026, 00:00`],
    [
      "next week except thursday",
      "Mon 30 Nov 2026, 00:00 to Thu 3 Dec 2026, 00:00 and Fri 4 Dec 2026, 00:00 to Sat 5 Dec 2026, 00:00",
    ],
    [
      "sat 5 dec 9-17 and sun 6 dec 9-13",
      "Sat 5 Dec 2026, 09:00 to Sat 5 Dec 2026, 17:00 and Sun 6 Dec 2026, 09:00 to Sun 6 Dec 2026, 13:00",
    ],
    ["on 20.11.", "“on 20.11.” is past. Give a time still to come."],
  ])("%j is %s", (text = "", period = "") => {
    expect(read(text)).toBe(period);
  });

  test.each([
    "today",
    "tonight",
    "this week",
    "until friday",
    "for 2h",
    "2h",
    "for 2-3 hours",
    "friday 6pm",
    "tomorrow morning",
    "friday noon",
    "tomorrow eod",
    "friday in the evening",
    "friday 18:00 CET",

    "eod",
  ])("%j is none: it has begun, or is an end or a length", (text) => {
    expect(read(text)).toBe("not a period");
  });

  test.each([
    ["on monday morning", "Mon 30 Nov 2026, 08:00 to Mon 30 Nov 2026, 12:00"],
    ["on friday in the afternoon", "Fri 27 Nov 2026, 12:00 to Fri 27 Nov 2026, 18:00"],
    ["tomorrow until 10 in the evening", "Thu 26 Nov 2026, 00:00 to Thu 26 Nov 2026, 22:00"],
    ["between monday 7 in the morning and friday 8 in the evening", "Mon 30 Nov 2026, 07:00 to Fri 4 Dec 2026, 20:00"],
    ["from 18h to 17h tomorrow", "The end is before the start."],
    ["monday 7:00 to friday 20:00", "Mon 30 Nov 2026, 07:00 to Fri 4 Dec 2026, 20:00"],
    ["from 30 nov 20:00 thru 2 dec 8:00", "Mon 30 Nov 2026, 20:00 to Wed 2 Dec 2026, 08:00"],
    [
      "on friday 28 november until 22:00",
      "Sat 28 Nov 2026, 00:00 to Sat 28 Nov 2026, 22:00 or Fri 4 Dec 2026, 00:00 to Fri 4 Dec 2026, 22:00",
    ],
  ])("%j is no more than %s", (text, period) => {
    expect(read(text)).toBe(period);
  });

  test("of what is kept off has a morning before which it has not been started", () => {
    const morning = "Mon 30 Nov 2026, 00:00 to Mon 30 Nov 2026, 12:00";
    for (const text of ["on monday morning", "monday morning", "monday in the morning"])
      expect(read(text, { isKeptOff: true })).toBe(morning);
    expect(read("tomorrow morning", { isKeptOff: true })).toBe("Thu 26 Nov 2026, 00:00 to Thu 26 Nov 2026, 12:00");
  });

  test.each([
    ["3h past its stop", 3],
    ["another 2 hours longer than usual", 2],
    ["today 30 min beyond the normal shutdown", 0.5],
    ["1h later than usual on friday", 1],
    ["until it starts again in the morning", 0],
    ["until its next start", 0],
  ])("%j counts from a run of the schedule", (text, hours) => {
    const words = split(text);
    const run = findPeriod(words, aTimeContext({}), true);
    expect(run?.end).toBe(words.length);
    expect(run?.reading).toMatchObject({ kind: "invalid", run: { ms: hours * 3_600_000 } });
  });

  test("that has begun is left to its end", () => {
    for (const now of [Date.UTC(2026, 10, 27, 18), Date.UTC(2026, 10, 29, 12)])
      expect(read("this weekend", { now })).toBe("not a period");
  });

  test("is on the team's day, and its times of day are on the person's clock", () => {
    const inNewYork = { dayZone: "America/New_York" };
    expect(read("tomorrow", inNewYork)).toBe("Thu 26 Nov 2026, 06:00 to Fri 27 Nov 2026, 06:00");
    expect(read("tomorrow 18:00-22:00", inNewYork)).toBe(tomorrowEvening);
  });
});
