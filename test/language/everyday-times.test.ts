import { describe, expect, test } from "vitest";
import { findPeriod } from "../../src/language/periods/find-period.ts";
import type { Period } from "../../src/language/periods/resolve-period.ts";
import { findTime, readTime } from "../../src/language/read-time.ts";
import { mayBeginTime } from "../../src/language/time-words/words.ts";
import { cpuMsOf } from "../support/cpu-time.ts";
import { aTimeContext, dayAndTime, shown, split } from "./time-readings.ts";

/** Wednesday 25 November 2026, 14:10 in Berlin. */
const now = Date.UTC(2026, 10, 25, 13, 10);
const hourMs = 3_600_000;
const context = aTimeContext({ now });

/** What the words mean as a time, where each of them belongs to it. */
function timeOf(text: string, facts = {}): string {
  const words = split(text);
  const found = findTime(words, { ...context, ...facts });
  return found?.start === 0 && found.end === words.length ? shown(found.reading) : "left over";
}

function periodOf(text: string): string {
  const words = split(text);
  const run = findPeriod(words, context, true);
  if (run?.end !== words.length) return "left over";
  const of = ({ startsAt, endsAt }: Period) =>
    `${startsAt === undefined ? "now" : dayAndTime(startsAt)} to ${dayAndTime(endsAt)}`;
  if (run.reading.kind === "period") return of(run.reading.period);
  if (run.reading.kind === "series") return "a series";
  if (run.reading.kind === "several") return run.reading.periods.map(of).join(" and ");
  return run.reading.kind === "choice" ? run.reading.options.map(of).join(" or ") : run.reading.reason;
}

const past = "That is past. Give a moment still to come.";

/** Each line has a meaning, and the words for it. */
const times: readonly (readonly [string, string])[] = [
  [
    "Wed 25 Nov 2026, 20:00 (20:00 rather than 08:00)",
    "till 8|til 8|'till 8|untill 8|till 8ish|till 8 today|make it 8",
  ],
  ["Wed 25 Nov 2026, 20:00", "tonight till 8|till 8 tonight|til 8 tonite|till 20 o'clock"],
  ["Thu 26 Nov 2026, 08:00", "till 8 tomorrow|till 8 tmrw morning|till 8am tomoz"],
  ["Wed 25 Nov 2026, 20:30 (20:30 rather than 19:30)", "till half 8"],
  ["Wed 25 Nov 2026, 21:30 (21:30 rather than 09:30)", "until half past nine"],
  ["Wed 25 Nov 2026, 20:45 (20:45 rather than 08:45)", "till quarter to 9"],
  ["Wed 25 Nov 2026, 23:00 (23:00 rather than 11:00)", "till around 11"],
  ["Wed 25 Nov 2026, 22:00", "till 22h|till 22 uhr|till 22 o'clock"],
  ["Wed 25 Nov 2026, 20:30", "till 2030|make it 2030|until at 2030"],
  ["Thu 26 Nov 2026, 10:00 (tomorrow, since 10:00 has passed today)", "till 10 am"],
  ["Thu 26 Nov 2026, 12:00 (tomorrow, since 12:00 has passed today)", "noon|till noon"],
  ["Thu 26 Nov 2026, 00:00", "midnight|till midnight|midnight tonight"],
  ["Thu 26 Nov 2026, 02:00", "2 in the morning|till 2 in the morning"],
  ["Wed 25 Nov 2026, 23:00", "till 11 in the nite"],
  [
    "Thu 26 Nov 2026, 08:00 (the start of the day)",
    "tonight|tonite|2nite|overnight|the whole night|all night|for the night|at night|till tmrw|till tmr|till tomorow|till tomoz|until next morning|till the morning",
  ],
  [
    "Wed 25 Nov 2026, 18:00 (the end of the day)",
    "all day|the rest of the day|eod|till end of business|cob|till close of business",
  ],
  ["Thu 26 Nov 2026, 00:00 (the end of the evening)", "in the evening|this evening"],
  ["Thu 26 Nov 2026, 12:00 (the end of the morning)", "in the morning"],
  ["Mon 30 Nov 2026, 08:00 (the start of the day after the weekend)", "the whole weekend|over the weekend"],
  ["Fri 27 Nov 2026, 18:00 (the end of the day)", "till the end of the week|till friday evening"],
  ["Sun 29 Nov 2026, 18:00 (the end of the day)", "till sunday nite"],
  ["Mon 30 Nov 2026, 08:00 (the start of the day)", "sunday nite"],
  ["Thu 3 Dec 2026, 08:00 (the start of the day)", "till the 3rd"],
  ["Sat 5 Dec 2026, 18:00 (the end of the day)", "dec 5 eod"],
  ["Tue 1 Dec 2026, 08:00 (the start of the day)", "till 1.12.|till next tuesday"],
  ["Thu 26 Nov 2026, 08:00 (the start of the day)", "till this thursday"],
  ["Thu 24 Dec 2026, 08:00 (the start of the day)", "till christmas eve"],
  ["Thu 24 Dec 2026, 08:00 (the start of the day)", "until christmas|till xmas"],
  ["Fri 1 Jan 2027, 08:00 (the start of the day)", "till new year|until new year's day"],
  ["Sun 31 Jan 2027, 18:00 (the end of the day)", "end of january|till end of january"],
  ["30 min", "half an hour|30 mins|an extra 30 mins"],
  ["45 min", "45 more min"],
  ["1 h", "for another hour|one more hour|an extra hour|1 hour more|an hour longer"],
  ["1 h 30 min", "another 90 min|an hour and a half"],
  ["2 h", "2h|2 h|2 hr|2 hrs|2 more hrs|two hours longer|a couple of hours|next two hours|2 additional hours"],
  ["2 h 30 min", "two and a half hours|2 and half hours more"],
  ["Wed 25 Nov 2026, 15:10", "until in an hour"],
  [past, "since yesterday lunch|last night|last week|since monday"],
  ["Wed 25 Nov 2026, 12:00 (Europe/Berlin, UTC+01:00) is in the past.", "this morning"],
];

const periods: readonly (readonly [string, string])[] = [
  ["Fri 27 Nov 2026, 18:00 to Mon 30 Nov 2026, 08:00", "the whole weekend|over the weekend"],
  ["Fri 27 Nov 2026, 18:00 to Mon 30 Nov 2026, 06:00", "from friday evening till monday morning 6"],
  ["Thu 24 Dec 2026, 18:00 to Mon 4 Jan 2027, 08:00", "24 dec evening til 4 jan morning"],
  ["Thu 26 Nov 2026, 18:00 to Fri 27 Nov 2026, 00:00", "thursday evening|on thursday evening"],
  ["Thu 3 Dec 2026, 00:00 to Fri 4 Dec 2026, 00:00", "the 3rd|on the 3rd"],
  ["Tue 1 Dec 2026, 00:00 to Wed 2 Dec 2026, 00:00", "1.12.|next tuesday"],
  ["Thu 26 Nov 2026, 00:00 to Fri 27 Nov 2026, 00:00", "this thursday"],
  ["Sun 29 Nov 2026, 18:00 to Mon 30 Nov 2026, 08:00", "sunday nite"],
  ["Thu 24 Dec 2026, 00:00 to Fri 25 Dec 2026, 00:00", "christmas eve"],
  ["Fri 1 Jan 2027, 00:00 to Sat 2 Jan 2027, 00:00", "new year"],
  ["Sat 28 Nov 2026, 04:00 to Sat 28 Nov 2026, 06:00", "from 4am to 6am on saturday"],
  ["Thu 26 Nov 2026, 06:00 to Thu 26 Nov 2026, 08:00", "6-8 tmrw morning|tomorrow morning 6-8"],
  ["Wed 25 Nov 2026, 19:00 to Wed 25 Nov 2026, 21:00", "7 to 9 tonight"],
  ["Wed 25 Nov 2026, 22:00 to Thu 26 Nov 2026, 02:00", "10 to 2 tonight"],
  [
    "Wed 25 Nov 2026, 19:00 to Wed 25 Nov 2026, 21:00 or Thu 26 Nov 2026, 07:00 to Thu 26 Nov 2026, 09:00",
    "between 7 and 9",
  ],
];

const each = (table: typeof times) =>
  table.flatMap(([meaning, texts]) => texts.split("|").map((text) => [text, meaning]));

describe("a time as people say it", () => {
  test.each(each(times))("%j is %s", (text = "", meaning = "") => {
    expect(timeOf(text)).toBe(meaning);
  });

  test.each(["at 2030", "around 11", "in an hour", "on thursday evening"])(
    "%j is one, at the start or the end",
    (text) => {
      expect(timeOf(text)).not.toBe("left over");
    },
  );
});

describe("a period as people say it", () => {
  test.each(each(periods))("%j is %s", (text = "", meaning = "") => {
    expect(periodOf(text)).toBe(meaning);
  });
});

describe("an hour without am or pm", () => {
  const at = (hour: number, minute: number) => ({ now: Date.UTC(2026, 10, 25, hour - 1, minute) });
  const instead = (text: string, facts: object) => {
    const reading = readTime(split(text), { ...context, ...facts });
    return reading?.kind === "moment" && reading.instead !== undefined ? dayAndTime(reading.instead) : undefined;
  };

  test("is the next one, and the other can be had instead", () => {
    expect(instead("till 8", at(14, 10))).toBe("Thu 26 Nov 2026, 08:00");
    expect(instead("till half 8", at(14, 10))).toBe("Wed 25 Nov 2026, 19:30");
    expect(timeOf("till 8", at(6, 0))).toBe("Wed 25 Nov 2026, 08:00");
    expect(instead("till 8", at(6, 0))).toBe("Wed 25 Nov 2026, 20:00");
    expect(instead("till 3", at(10, 0))).toBeUndefined();
  });

  test("is asked about less than half an hour before, in the small hours, and where the time as written has passed", () => {
    expect(timeOf("till 8", at(7, 40))).toBe("Wed 25 Nov 2026, 08:00 or Wed 25 Nov 2026, 20:00");
    expect(timeOf("till 3", at(14, 50))).toBe("Wed 25 Nov 2026, 15:00 (15:00 rather than 03:00)");
    expect(timeOf("till 2", at(14, 10))).toBe("Thu 26 Nov 2026, 02:00 or Thu 26 Nov 2026, 14:00");
    expect(timeOf("till 9:00", at(14, 10))).toBe("Wed 25 Nov 2026, 21:00 or Thu 26 Nov 2026, 09:00");
  });

  test("as in the README, is the next one at any hour", () => {
    for (let hour = 0; hour < 24; hour++) {
      const facts = { now: Date.UTC(2026, 10, 25, hour, 15) };
      for (const [text, mostHours] of [
        ["till 8", 12],
        ["until 18:00", 24],
      ] as const) {
        const reading = readTime(split(text), { ...context, ...facts });
        expect(reading?.kind, `${text} at ${hour}`).toBe("moment");
        if (reading?.kind === "moment") expect(reading.at - facts.now).toBeLessThanOrEqual(mostHours * hourMs);
      }
    }
  });
});

describe("the first look", () => {
  test("lets each time and period begin, and turns other words away", () => {
    for (const [text = ""] of [...each(times), ...each(periods)]) expect(mayBeginTime(split(text), 0), text).toBe(true);
    for (const word of "keep staging web-1 i-0a1 please because who status ✨".split(" "))
      expect(mayBeginTime([word], 0), word).toBe(false);
  });

  test("lets a line be read at each of its words for some 5 µs", async () => {
    const words = split("please keep staging tonight till 8 for the big demo");
    const readAll = () => {
      for (let count = 0; count < 300; count++)
        for (let at = 0; at < words.length; at++) {
          findTime(words.slice(at, at + 6), context);
          findPeriod(words.slice(at, at + 6), context, true);
        }
    };
    readAll();
    expect(((await cpuMsOf(readAll, 5)) * 1000) / (600 * words.length)).toBeLessThan(15);
  });
});
