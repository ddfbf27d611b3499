import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findTime, readTime } from "../../src/language/read-time.ts";
import { mayBeginTime } from "../../src/language/time-words/words.ts";
import { pieces } from "../hostile/shapes.ts";
import { cpuMsOf, leastMs } from "../support/cpu-time.ts";
import { anyText } from "../time/any-text.ts";
import { aTimeContext, shown, split } from "./time-readings.ts";

const context = aTimeContext();

function found(line: string): string {
  const words = split(line);
  const time = findTime(words, context);
  return time ? `${words.slice(time.start, time.end).join(" ")}: ${shown(time.reading)}` : "none";
}

describe("the time in a line", () => {
  test.each([
    ["exclude staging until friday 6pm please", "until friday 6pm: Fri 27 Nov 2026, 18:00"],
    ["exclude web servers tonight", "tonight: Thu 26 Nov 2026, 08:00 (the start of the day)"],
    ["keep staging up until tomorrow 9am", "until tomorrow 9am: Thu 26 Nov 2026, 09:00"],
    ["exclude staging 2h", "2h: 2 h"],
    ["exclude staging for 2h --reason demo at eight", "for 2h: 2 h"],
    ["exclude i-0a1, i-0a2 till tomorrow noon because of it", "till tomorrow noon: Thu 26 Nov 2026, 12:00"],
    ["exclude staging for the next 2 hours", "for the next 2 hours: 2 h"],
    [
      "exclude staging until half past 3 tomorrow afternoon",
      "until half past 3 tomorrow afternoon: Thu 26 Nov 2026, 15:30",
    ],
    ["exclude staging 6pm", "6pm: Wed 25 Nov 2026, 18:00"],
    ["for the demo, exclude staging until 18:00", "until 18:00: Wed 25 Nov 2026, 18:00"],
  ])("of “%s” is “%s”", (line, time) => {
    expect(found(line)).toBe(time);
  });

  test.each([
    "exclude may sat mar 1800 6 25/11 second a one noonday mon",
    "project rename Development to Dev team",
    "exclude staging for may",
    "exclude staging in dev on aws",
    "exclude morning half quarter past week",
    "user disable april",
  ])("is not found in “%s”, whose words may be names", (line) => {
    expect(found(line)).toBe("none");
  });

  test("that may be the start is not taken for the end", () => {
    for (const time of ["at 18:00", "on monday", "in 2 hours"])
      expect(found(`exclude staging ${time}`)).toMatch(new RegExp(`^${time}: “${time}” could be the start`));
  });

  test("takes in a second end, since both cannot be meant", () => {
    expect(found("exclude staging for 2h until friday")).toMatch(/^for 2h until friday: .* gives two ends/);
  });

  test("may be sought further on", () => {
    const words = split("exclude staging for 2h because it runs until 18:00");
    expect(findTime(words, context, { from: 4 })).toMatchObject({ start: 7, end: 9 });
    expect(findTime(words, context, { from: 8 })).toMatchObject({ start: 8, end: 9 });
    expect(findTime(words, context, { from: 9 })).toBeUndefined();
  });
});

const timeWord = fc.constantFrom(
  ..."for until till to by through over 18:00 6pm 02:30 6 18h 1h30 2h 90 min hours hour an a half quarter past to noon".split(
    " ",
  ),
  ..."midnight fri sunday next this last at on of in the today tomorrow tonight yesterday morning evening weekend week".split(
    " ",
  ),
  ..."month eod end after from now and or couple few two thirty 2026-11-23 2027-03-28 2026-02-30 5/6 25.11. 23 nov 2027".split(
    " ",
  ),
  ..."1st third 9999-12-31 UTC UTC+2 IST Europe/Berlin London time Eastern Standard Time Berln , - Z".split(" "),
);
const name = fc.constantFrom(..."staging web-1 i-0a1 please bob because prod --reason zebra Dev team".split(" "));
const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"), "W. Europe Standard Time", "Mars/Phobos");
const moments = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2031, 0, 1) });
const anyContext = fc.record({ now: moments, zone: zones, dayZone: zones }).map(aTimeContext);

describe("for any words", () => {
  const lines = fc.array(fc.oneof({ weight: 4, arbitrary: timeWord }, name, anyText), { maxLength: 20 });

  test("a time is ahead, and its run is one that is a time by itself", () => {
    fc.assert(
      fc.property(lines, anyContext, (words, context) => {
        const time = findTime(words, context);
        if (!time) return;
        expect(time.end).toBeGreaterThan(time.start);
        expect(time.end - time.start).toBeLessThanOrEqual(12);
        for (const at of momentsOf(time.reading, context.now)) expect(at).toBeGreaterThan(context.now);
        if (time.reading.kind !== "invalid")
          expect(readTime(words.slice(time.start, time.end), context)).toEqual(time.reading);
      }),
      { numRuns: 3000 },
    );
  });

  test("a time begins with a word that the first look lets through", () => {
    fc.assert(
      fc.property(fc.array(timeWord, { minLength: 1, maxLength: 6 }), (words) => {
        if (readTime(words, context)) expect(mayBeginTime(words, 0)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  test("no word that the grammar does not know is inside it", () => {
    const known = fc.array(fc.oneof({ weight: 4, arbitrary: timeWord }, name), { maxLength: 20 });
    const names = new Set([
      "staging",
      "web-1",
      "i-0a1",
      "please",
      "bob",
      "because",
      "prod",
      "--reason",
      "zebra",
      "Dev",
      "team",
    ]);
    fc.assert(
      fc.property(known, anyContext, (words, context) => {
        const time = findTime(words, context);
        const inside = time ? words.slice(time.start, time.end) : [];
        expect(inside.filter((word) => names.has(word))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  test("reading them never fails", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 12 }), anyContext, (words, context) => {
        readTime(words, context);
        readTime(["until", ...words], context);
      }),
    );
  });
});

function momentsOf(reading: ReturnType<typeof readTime>, now: number): readonly number[] {
  if (reading?.kind === "moment") return [reading.at];
  if (reading?.kind === "length") return [now + reading.ms];
  return reading?.kind === "choice" ? reading.options.map(({ at }) => at) : [];
}

describe("a line is read fast", () => {
  const usual = [
    "exclude staging until friday 6pm",
    "exclude web-1 web-2 i-0a1 for 2h because of a demo",
    "keep staging up until tomorrow 9am",
    "exclude staging tonight",
    "exclude staging until half past 3 tomorrow afternoon Europe/London",
    "exclude staging until 5/6",
    "project rename Development to Dev team",
  ].map(split);
  /** A line from a new second each time, so that nothing is remembered. */
  const readAll = (from: number, times: number) => {
    for (let count = 0; count < times; count++)
      for (const words of usual) findTime(words, aTimeContext({ now: Date.UTC(2026, 10, 1) + (from + count) * 1000 }));
  };

  test("in some 50 µs, with room for a busy machine", async () => {
    readAll(0, 300);
    const times = [1, 2, 3, 4, 5].values();
    const ms = await cpuMsOf(() => readAll(1000 * (times.next().value ?? 0), 300), 5);
    expect((ms * 1000) / (300 * usual.length)).toBeLessThan(150);
  });

  test.each([
    ...pieces,
    "until x ",
    "to half past ",
    "for 2 ",
    "5/6 of ",
    "monday ",
    "until tomorrrx ",
    "twenty ",
    "in the ",
  ])("in a time that grows with its length only: %j", async (piece) => {
    const line = (length: number) => split(piece.repeat(length).slice(0, length));
    const readAll = (words: readonly string[]) => () => {
      for (let from = 0; from < words.length; from += words.length / 4)
        findTime(words, context, { from: Math.floor(from) });
    };
    const [short, long] = [readAll(line(1000)), readAll(line(8000))];
    // Once before measuring, since a function is slow until it is compiled.
    long();
    const shortMs = await cpuMsOf(short, 5);
    const longMs = await cpuMsOf(long, 5);
    expect(longMs).toBeLessThan(24 * Math.max(shortMs, leastMs));
  });
});
