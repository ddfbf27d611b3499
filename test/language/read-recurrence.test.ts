import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recurrenceText } from "../../src/commands/exclusion/planned/recurrence-words.ts";
import { readRecurrence } from "../../src/language/read-recurrence.ts";
import { weekdays } from "../../src/service/resources.ts";
import { occurrencesOf, type Recurrence } from "../../src/time/recurrence.ts";
import { aTimeContext, split } from "./time-readings.ts";

/** A Wednesday morning in Berlin. */
const context = aTimeContext();

function read(line: string): string {
  const found = readRecurrence(split(line), context);
  return found.kind === "recurrence" ? recurrenceText(found.recurrence, context.zone) : found.reason;
}

describe("times that come again", () => {
  test.each([
    ["thu 18:00-22:00 until 2026-12-31", "thu 18:00-22:00 until 2026-12-31"],
    ["weekday 18:00-20:00 for 3 weeks", "mon, tue, wed, thu, fri 18:00-20:00 until 2026-12-15"],
    ["thursday from 6pm to 10pm until 31 December", "thu 18:00-22:00 until 2026-12-31"],
    ["mon, wed and fri 18:00 - 20:00 until 2026-12-31", "mon, wed, fri 18:00-20:00 until 2026-12-31"],
    ["mon-fri 6-10pm until 2026-12-31", "mon, tue, wed, thu, fri 18:00-22:00 until 2026-12-31"],
    ["day 22:00-06:00 until friday", "day 22:00-06:00 until 2026-11-27"],
    ["weekend 9-17 until 2026-12-31 not on holidays", "sat, sun 09:00-17:00 until 2026-12-31 not on holidays"],
    [
      "weekday 18:00-20:00 except on holidays and freeze until 2026-12-31",
      "mon, tue, wed, thu, fri 18:00-20:00 until 2026-12-31 not on holidays and freeze",
    ],
    ["thu 18:00-22:00 America/New_York until 2026-12-31", "thu 18:00-22:00 America/New_York until 2026-12-31"],
    ["weekday evening from 18h to 22h until 31.12.", "mon, tue, wed, thu, fri 18:00-22:00 until 2026-12-31"],
    ["18:00-22:00 on thursdays for 2 weeks", "thu 18:00-22:00 until 2026-12-08"],
    ["2 weeks on thu 18:00-22:00 until 2026-12-31", "2 weeks thu 18:00-22:00 from 2026-11-26 until 2026-12-31"],
    ["first monday of a month 19:00-21:00 until 30 june", "first mon of the month 19:00-21:00 until 2027-06-30"],
    ["tuesday and wednesday in december 19:00-21:00", "tue, wed 19:00-21:00 from 2026-12-01 until 2026-12-31"],
    ["tue and wed next week 8 to 21", "tue, wed 08:00-21:00 from 2026-11-30 until 2026-12-06"],
    ["next three evenings 18:00-20:00", "day 18:00-20:00 from 2026-11-25 until 2026-11-27"],
    ["from 1.12. to 3.12. 19:00-23:00", "tue, wed, thu 19:00-23:00 from 2026-12-01 until 2026-12-03"],
    ["1 dec and 8 dec and 22 dec 19:00-23:00", "tue 19:00-23:00 from 2026-12-01 until 2026-12-22 not on 2026-12-15"],
    [
      "working day until christmas 19:00-20:00 not on holidays",
      "mon, tue, wed, thu, fri 19:00-20:00 until 2026-12-24 not on holidays",
    ],
    ["weekday 19:00-21:00 until 2026-12-31 except friday", "mon, tue, wed, thu 19:00-21:00 until 2026-12-31"],
  ])("of “every %s” are “%s”", (line, meant) => {
    expect(read(line)).toBe(meant);
  });

  test.each([
    ["thu 18:00-22:00", "Until when?"],
    ["thu until 2026-12-31", "From when until when?"],
    ["18:00-22:00 until 2026-12-31", "On which days?"],
    ["thu 6-10 until 2026-12-31", "may be before or after noon"],
    ["thu 18:00-22:00 until 2026-12-31 not on", "Not on which calendar's days?"],
    ["thu 18:00-22:00 roughly until 2026-12-31", "I didn't understand “roughly”"],
    ["thu 18:00-22:00 until 2026-12-31 pancakes", "pancakes"],
    ["other thursday 18:00-22:00", "Until when?"],
    ["month 18:00-22:00", "A series has days of the week."],
    ["thu until 10 until 2026-12-31", "may be before or after noon"],
    ["day until 22:00 until 2026-12-31", "From when until when?"],
    ["thu 18:00-18:00 until 2026-12-31", "It would end when it starts."],
  ])("are not taken from “every %s”", (line, why) => {
    const reason = read(line);
    expect(reason).toContain(why);
    expect(reason).toContain("Nothing was changed.");
  });

  const clock = fc
    .tuple(fc.nat({ max: 23 }), fc.nat({ max: 59 }))
    .map(([hour, minute]) => [hour, minute].map((each) => String(each).padStart(2, "0")).join(":"));
  const recurrence = fc
    .record({
      days: fc.subarray([...weekdays], { minLength: 1 }),
      starts: clock,
      ends: clock,
      zone: fc.constantFrom("Europe/Berlin", "America/New_York", "UTC"),
      lastDay: fc.constantFrom("2026-12-31", "2027-04-30"),
      notOn: fc.constantFrom([], ["holidays"], ["holidays", "freeze"], ["2026-12-24"]),
    })
    .chain((given) =>
      fc
        .constantFrom<Partial<Recurrence>>({}, { firstDay: "2026-12-01" }, { firstDay: "2026-12-01", weeks: 2 })
        .map((more) => ({ ...given, ...more })),
    )
    .filter(({ starts, ends }) => starts !== ends);

  test("are read again from how they are shown", () => {
    fc.assert(
      fc.property(recurrence, (given: Recurrence) => {
        const found = readRecurrence(split(recurrenceText(given, context.zone)), context);
        expect(found).toEqual({ kind: "recurrence", recurrence: given });
      }),
    );
  });

  test("follow each other, start after now and show the same wall clock, except where the clocks skip it", () => {
    fc.assert(
      fc.property(recurrence, (given: Recurrence) => {
        const all = occurrencesOf(given, context.now);
        for (const [index, { startsAt, endsAt, day }] of all.entries()) {
          expect(startsAt).toBeGreaterThan(all[index - 1]?.startsAt ?? context.now);
          expect(endsAt).toBeGreaterThan(startsAt);
          expect(endsAt - startsAt).toBeLessThanOrEqual(25 * 3_600_000);
          expect(day <= given.lastDay).toBe(true);
        }
      }),
    );
  });
});
