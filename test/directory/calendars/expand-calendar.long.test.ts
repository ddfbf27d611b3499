import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expandCalendar } from "../../../src/directory/calendars/calendars.ts";
import { type Bundle, buildBundle } from "../../cli/bundle.ts";
import { exampleConfig } from "../../support/start-curfew.ts";
import { calendar, christmas, event, every, many, memoryBomb } from "./calendar-texts.ts";

test("1.8 MB of single events are worked out", async () => {
  const days = Object.fromEntries([24, 25, 26].map((day) => [`2026-12-${day}`, "Christmas"]));
  // A busy machine needs more than the 2 seconds that it may take.
  const worked = await expandCalendar(
    many(() => christmas),
    "2026-12-01",
    "2027-12-04",
    30_000,
  );
  expect(worked).toEqual({ days });
});

const slow: Readonly<Record<string, string>> = {
  february: every("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"),
  daily: many(() => event("DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=DAILY")),
  ages: calendar(event("DTSTART;VALUE=DATE:20000101", "DTEND;VALUE=DATE:24000101", "RRULE:FREQ=DAILY")),
};

describe("the bundle", () => {
  let bundle: Bundle;
  beforeAll(() => {
    bundle = buildBundle();
    const texts = { good: calendar(christmas), ...slow, bomb: memoryBomb };
    const calendars = Object.keys(texts).map((name) => `  - { name: ${name}, file: ${name}.ics }\n`);
    writeFileSync(join(bundle.folder, "curfew.yaml"), `${exampleConfig}\ncalendars:\n${calendars.join("")}`);
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(bundle.folder, `${name}.ics`), text);
  });
  afterAll(() => bundle.remove());

  test("names in `check` each calendar that exceeds its limits", async () => {
    const check = bundle.start({ args: ["check"] });
    expect(await check.exited).toBe(0);
    const lines = Object.keys(slow).map(
      (name) => `The calendar “${name}” can't be read: its events take more than 2 seconds to work out.`,
    );
    // A busy machine reaches the time limit before the memory is full.
    const bomb =
      /^The calendar “bomb” can't be read: its events take more than (?:2 seconds|128 MB of memory) to work out/;
    expect(check.output.split("\n")).toEqual([
      "curfew.yaml is fine, but see:",
      ...lines,
      expect.stringMatching(bomb),
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
