import { describe, expect, test } from "vitest";
import type { Period } from "../../src/language/periods/resolve-period.ts";
import { findPeriod } from "../../src/language/periods/take-period.ts";
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
    ["on friday until 22:00", "Fri 27 Nov 2026, 00:00 to Fri 27 Nov 2026, 22:00"],
    ["22:00-06:00", "Wed 25 Nov 2026, 22:00 to Thu 26 Nov 2026, 06:00"],
    ["9:00-12:00", "now to Wed 25 Nov 2026, 12:00"],
    ["3:00-5:00", "Thu 26 Nov 2026, 03:00 to Thu 26 Nov 2026, 05:00"],
    ["18:00-22:00 CET", "Wed 25 Nov 2026, 18:00 to Wed 25 Nov 2026, 22:00"],
    ["tomorrow 6-10", "“tomorrow 6 - 10” can be before or after noon. Write the times like 18:00-22:00."],
    ["on wednesday", "now to Thu 26 Nov 2026, 00:00 or Wed 2 Dec 2026, 00:00 to Thu 3 Dec 2026, 00:00"],
    [
      "next weekend",
      "Fri 27 Nov 2026, 18:00 to Mon 30 Nov 2026, 08:00 or Fri 4 Dec 2026, 18:00 to Mon 7 Dec 2026, 08:00",
    ],
    [
      "this weekend 9-17",
      "“this weekend 9 - 17” has times on several days. Ask for each day by itself, or for a series: “every thu and fri 18:00-22:00 until 2026-12-31”.",
    ],
    ["friday and the weekend", "Fri 27 Nov 2026, 00:00 to Mon 30 Nov 2026, 08:00"],
    ["on thu and sat", "Those days do not follow each other. Ask for each by itself, such as for Thu 26 Nov 2026."],
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
    "2 days from monday",
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
