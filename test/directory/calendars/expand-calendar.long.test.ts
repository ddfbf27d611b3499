import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expandCalendar } from "../../../src/directory/calendars/calendars.ts";
import { type Bundle, buildBundle } from "../../cli/bundle.ts";
import { exampleConfig } from "../../support/start-curfew.ts";
import { calendar, christmas, event, every, many, memoryBomb } from "./calendar-texts.ts";

const slow = { problem: "its events take more than 2 seconds to work out" };
/** A busy machine reaches the time limit before the memory is full. */
const large = {
  problem: expect.stringMatching(/^its events take more than (?:2 seconds|128 MB of memory) to work out$/),
};
const expand = (text: string, withinMs?: number) => expandCalendar(text, "2026-12-01", "2027-12-04", withinMs);

test.each([
  ["a 30 February", every("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"), slow],
  ["1.8 MB of daily events", many(() => event("DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=DAILY")), slow],
  [
    "400 years, again each day",
    calendar(event("DTSTART;VALUE=DATE:20000101", "DTEND;VALUE=DATE:24000101", "RRULE:FREQ=DAILY")),
    slow,
  ],
  ["exceptions by events", memoryBomb, large],
])("%s ends within its limits, and holds up nothing else", async (_what, text, problem) => {
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 10);
  expect(await expand(text)).toEqual(problem);
  clearInterval(beat);
  expect(longest).toBeLessThan(2000);
});

test("1.8 MB of single events are worked out", async () => {
  const days = Object.fromEntries([24, 25, 26].map((day) => [`2026-12-${day}`, "Christmas"]));
  // A busy machine needs more than the 2 seconds that it may take.
  expect(
    await expand(
      many(() => christmas),
      30_000,
    ),
  ).toEqual({ days });
});

describe("the bundle", () => {
  let bundle: Bundle;
  beforeAll(() => {
    bundle = buildBundle();
    const calendars = ["good", "bad", "bomb"].map((name) => `  - { name: ${name}, file: ${name}.ics }\n`).join("");
    writeFileSync(join(bundle.folder, "curfew.yaml"), `${exampleConfig}\ncalendars:\n${calendars}`);
    writeFileSync(join(bundle.folder, "good.ics"), calendar(christmas));
    writeFileSync(join(bundle.folder, "bad.ics"), every("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"));
    writeFileSync(join(bundle.folder, "bomb.ics"), memoryBomb);
  });
  afterAll(() => bundle.remove());

  test("names in `check` each calendar that exceeds its limits", async () => {
    const check = bundle.start({ args: ["check"] });
    expect(await check.exited).toBe(0);
    expect(check.output.split("\n")).toEqual([
      "curfew.yaml is fine, but see:",
      `The calendar “bad” can't be read: ${slow.problem}.`,
      expect.stringMatching(/^The calendar “bomb” can't be read: its events take more than /),
      "",
    ]);
  });

  test("starts with such a calendar, and stops when asked", async () => {
    const curfew = bundle.start({ env: { CURFEW_CONFIG: "curfew.yaml" } });
    const url = await curfew.sees(/Curfew +(http:\/\/127\.0\.0\.1:\d+)/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    curfew.signal("SIGTERM");
    expect(await curfew.exited).toBe(0);
  });
});
