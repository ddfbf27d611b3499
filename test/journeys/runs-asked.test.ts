import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWorld, type World } from "../language/strangers/world.ts";
import { ask } from "../support/journey.ts";

/** It is Wednesday, 25 November 2026, 14:10 in Berlin (test/language/strangers/README.md). */
let world: World;
beforeAll(async () => {
  world = await buildWorld();
}, 60_000);
afterAll(() => world.curfew.stop());

const told = async (line: string, who = "alice") => (await ask(world.curfew, who, line)).text;
/** The answer as a reader sees it: moments on the clock of Berlin, without the buttons. */
const answer = async (line: string, who?: string) =>
  (await told(line, who))
    .replaceAll(/<!date\^\d+\^[^|]*\|([^>]*?)(?: \([^)]*\))?>/g, "$1")
    .replaceAll(/<@U\d\d([A-Z]+)>/g, (_, name: string) => name.toLowerCase())
    .split("\n");
const lineOf = (lines: readonly string[], name: string) => lines.find((line) => line.includes(`*${name}*`));

describe("runs to come", () => {
  it("says of each run whether it takes place, and who holds it back until when and why", async () => {
    const lines = await answer("next stops tonight");
    expect(lines[0]).toBe("*5 stops tonight (today 18:00 to tomorrow 06:00)*");
    expect(lineOf(lines, "Evening stop of web")).toMatch(
      /Wed 25 Nov 2026, 18:30 .* does not stop web: kept up by you until today 19:00 \(load test\) · i-0b1, i-0b2, i-0b3/,
    );
    expect(lineOf(lines, "Nightly stop of qa")).toContain("kept up by erin until tomorrow 12:00 (regression tests)");
    expect(lineOf(lines, "Nightly stop of staging")).toContain("· stops staging · i-0a1, i-0a2");
  });

  it("looks at each run by itself: the one after an exclusion's end takes place", async () => {
    const stops = (await answer("next stops qa until friday")).filter((line) => line.includes("Nightly stop of qa"));
    expect(stops.map((line) => /does not stop|stops/.exec(line)?.[0])).toEqual(["does not stop", "stops", "stops"]);
  });

  it("knows what a series holds back on a day to come, and not on the others", async () => {
    expect(lineOf(await answer("next build thursday evening"), "Stop the build machines")).toContain(
      "does not stop build: kept up by you until tomorrow 22:00 (planned: weekly release build)",
    );
    expect(lineOf(await answer("next build friday evening"), "Stop the build machines")).toContain("· build");
  });

  it("says that holidays do not change the schedule, also a month ahead", async () => {
    const lines = await answer("next web 25 dec");
    expect(lines.slice(0, 2)).toEqual([
      "*2 runs 25 dec (Fri 25 Dec), web*",
      "Fri 25 Dec 2026, Christmas Day, is in the calendar “holidays”: schedules run all the same.",
    ]);
    expect(lineOf(lines, "Morning start of web")).toContain("Fri 25 Dec 2026, 05:30");
    expect(await told("next starts on 3 december")).toContain("*5 starts on 3 december (Thu 3 Dec)*");
    expect(await told("next monday")).not.toContain("calendar");
  });

  it.each([
    ["next starts monday", "5 starts monday (Mon 30 Nov)", "Start the build machines"],
    ["next this weekend", "15 runs this weekend (Sat 28 Nov to Sun 29 Nov)", "Weekly volume backup"],
    ["next at 7", "2 runs at 7 (today 19:00 to today 20:00)", "Nightly stop of staging"],
    ["next tomorrow morning", "5 runs tomorrow morning (tomorrow 05:00 to tomorrow 12:00)", "Morning start of qa"],
    ["next reports backup", "1 run in the next 24 hours, Reports backup", "Reports backup"],
    ["next backups", "2 backups to come", "Weekly volume backup"],
    ["next volumes", "No runs in the next 24 hours, Weekly volume backup", "Weekly volume backup"],
    ["next december", "140 runs december (Tue 1 Dec to Mon 14 Dec)", "Reports backup"],
  ])("“%s” is answered with %s", async (line, title, shown) => {
    const lines = await answer(line);
    expect(lines[0]).toBe(`*${title}*`);
    expect(lineOf(lines, shown)).toBeDefined();
  });

  it("names its limit, and keeps the time on the next page", async () => {
    const { message, text } = await ask(world.curfew, "alice", "next december");
    expect(text).toContain("At most 14 days are shown. Name a later day to see it.");
    await world.curfew.workspace.as("alice").press("Next", message);
    await world.curfew.app.idle();
    expect(JSON.stringify(world.curfew.workspace.as("alice").messages("ops").at(-1))).toContain("Page 2 of 14");
  });
});

describe("runs that were", () => {
  it("says how they went as far as the service tells, and what held them back", async () => {
    expect(lineOf(await answer("next qa last night"), "Nightly stop of qa")).toMatch(
      /Tue 24 Nov 2026, 20:00 · stopped qa \(complete, success, Done\.\) · i-0c1$/,
    );
    const yesterday = await answer("next staging yesterday");
    expect(lineOf(yesterday, "Nightly stop of staging")).toContain(
      "did not stop staging: kept up by you until yesterday 21:30 (demo for a customer)",
    );
    expect(lineOf(yesterday, "Morning start of staging")).toContain(
      "was due to start staging, how it went is not known",
    );
  });

  it("does not take today's schedule for that of the day before a change", async () => {
    const lines = await answer("next stops reports yesterday");
    expect(lines[1]).toBe("Changed since, so only the last run is known: “Stop reports”.");
    expect(lineOf(lines, "Stop reports")).toMatch(/Tue 24 Nov 2026, 22:00 · stopped reports-db/);
    expect(lines.join("\n")).toContain("changed in the service itself by erin, today 11:15: 22:00 → 21:00");
  });
});

it("names the machines that are held back alone", async () => {
  await told("exclude i-0d1 --project p-dev until 23:00 --reason tests", "carol");
  expect(lineOf(await answer("next build tonight"), "Stop the build machines")).toContain(
    "stops build, but not i-0d1: kept up by carol until today 23:00 (tests)",
  );
});
