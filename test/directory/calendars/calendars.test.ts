import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCalendars } from "../../../src/directory/calendars/calendars.ts";
import { daysOffIn as namedDays } from "../../../src/directory/calendars/days-off.ts";
import { calendar, christmas, event } from "./calendar-texts.ts";

const daysOffIn = (...asked: Parameters<typeof namedDays>) => Object.keys(namedDays(...asked));

test("reads all-day events, recurring ones and those of several days, and no others", () => {
  const text = calendar(
    christmas,
    event("DTSTART;VALUE=DATE:20200101", "RRULE:FREQ=YEARLY", "EXDATE;VALUE=DATE:20280101"),
    event("DTSTART;VALUE=DATE:20261216"),
    event("DTSTART:20261217T090000Z", "DTEND:20261217T100000Z"),
    event("DTSTART;VALUE=DATE:20261218", "STATUS:CANCELLED"),
  );
  const daysOff = (first: string, last: string) => daysOffIn(text, { first, last });
  expect(daysOff("2026-12-01", "2027-01-31")).toEqual([
    "2026-12-16",
    "2026-12-24",
    "2026-12-25",
    "2026-12-26",
    "2027-01-01",
  ]);
  expect(daysOff("2026-12-26", "2026-12-31")).toEqual(["2026-12-26"]);
  expect(daysOff("2028-01-01", "2028-01-02")).toEqual([]);
});

test("reads an event that began long ago, and one that comes again since then", () => {
  const span = { first: "2026-12-01", last: "2026-12-02" };
  const both = ["2026-12-01", "2026-12-02"];
  expect(daysOffIn(calendar(event("DTSTART;VALUE=DATE:20200101", "DTEND;VALUE=DATE:20300101")), span)).toEqual(both);
  expect(daysOffIn(calendar(event("DTSTART;VALUE=DATE:19900101", "RRULE:FREQ=DAILY")), span)).toEqual(both);
});

test("moves only the event that an exception belongs to", () => {
  const weekly = (uid: string) =>
    event(`UID:${uid}`, "DTSTART;VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261202", "RRULE:FREQ=WEEKLY;COUNT=2");
  const moved = event("UID:one", "RECURRENCE-ID;VALUE=DATE:20261208", "DTSTART;VALUE=DATE:20261209");
  const days = (...events: readonly string[]) =>
    daysOffIn(calendar(...events), { first: "2026-12-01", last: "2026-12-31" });
  expect(days(weekly("one"), moved)).toEqual(["2026-12-01", "2026-12-09"]);
  expect(days(weekly("two"), moved)).toEqual(["2026-12-01", "2026-12-08"]);
});

test("leaves out a cancelled time of a series, and takes one that is moved here from later", () => {
  const weekly = event(
    "UID:one",
    "DTSTART;VALUE=DATE:20261201",
    "DTEND;VALUE=DATE:20261202",
    "RRULE:FREQ=WEEKLY;COUNT=9",
  );
  const cancelled = event(
    "UID:one",
    "RECURRENCE-ID;VALUE=DATE:20261208",
    "DTSTART;VALUE=DATE:20261208",
    "STATUS:CANCELLED",
  );
  const moved = event("UID:one", "RECURRENCE-ID;VALUE=DATE:20261222", "DTSTART;VALUE=DATE:20261210");
  const days = daysOffIn(calendar(weekly, cancelled, moved), { first: "2026-12-01", last: "2026-12-16" });
  expect(days).toEqual(["2026-12-01", "2026-12-10", "2026-12-15"]);
});

const start = Date.parse("2026-12-01T10:00:00Z");
const day = 24 * 3_600_000;

/** The calendars of a config with one at an address, whose answer can change. */
function oneCalendar() {
  const answer = { text: calendar(christmas), problem: "" };
  const clock = { at: start };
  const reported: string[] = [];
  let calls = 0;
  const calendars = createCalendars({
    sources: () => [{ name: "holidays", url: "https://calendar.example.com/holidays.ics" }],
    configFile: "curfew.yaml",
    now: () => clock.at,
    onProblem: (text) => void reported.push(text),
    fetch: async () => {
      calls++;
      return answer.problem === "" ? { text: answer.text } : { problem: answer.problem };
    },
  });
  const days = (lastDay = "2026-12-31") =>
    calendars.daysOff("holidays", { from: clock.at, lastDay, zone: "Europe/Berlin" });
  return { answer, clock, reported, calendars, days, calls: () => calls };
}

const known = { days: ["2026-12-24", "2026-12-25", "2026-12-26"], names: expect.anything() };
const stays = "What was read before stays in use, up to Sat 4 Dec 2027.";

test("is read once a day, and what was read last counts while it cannot be read", async () => {
  const { answer, clock, reported, calendars, days, calls } = oneCalendar();
  expect(await Promise.all([days(), days()])).toEqual([known, known]);
  expect(await days()).toEqual(known);
  expect(calls()).toBe(1);
  clock.at += 2 * day;
  answer.problem = "the answer is 503";
  expect(await days()).toEqual(known);
  expect(calls()).toBe(2);
  const line = `The calendar “holidays” can't be read: the answer is 503. ${stays}`;
  expect(await calendars.load()).toEqual([line]);
  expect(reported).toEqual([line]);
  expect(await days()).toEqual(known);
});

test("gives the next day of each name once it was read, on each day and after each reading anew, and looks for it once", async () => {
  const { answer, clock, calendars, days } = oneCalendar();
  expect([...calendars.named()]).toEqual([]);
  await days();
  expect([...calendars.named()]).toEqual([["christmas", "2026-12-24"]]);
  expect(calendars.named()).toBe(calendars.named());
  clock.at = Date.parse("2026-12-25T10:00:00Z");
  expect([...calendars.named()]).toEqual([["christmas", "2026-12-25"]]);
  answer.text = calendar(event("DTSTART;VALUE=DATE:20261231", "SUMMARY:New Year's Eve"));
  await days();
  expect([...calendars.named()]).toEqual([["new year's eve", "2026-12-31"]]);
});

test("that cannot be read is tried again after a minute, and reported once", async () => {
  const { answer, clock, reported, days, calls } = oneCalendar();
  answer.problem = "the answer is 503";
  const problem = expect.stringMatching(
    /^The calendar “holidays” can't be read just now: the answer is 503. Nothing was/,
  );
  expect(await days()).toEqual({ problem });
  expect(await days()).toEqual({ problem });
  expect(calls()).toBe(1);
  clock.at += 61_000;
  expect(await days()).toEqual({ problem });
  expect(calls()).toBe(2);
  expect(reported).toEqual(["The calendar “holidays” can't be read: the answer is 503."]);
});

test("is known for 366 days, and a day after them is not called a working day", async () => {
  const { days } = oneCalendar();
  expect(await days("2027-12-02")).toEqual(known);
  const problem = expect.stringMatching(
    /is known up to Sat 4 Dec 2027 only. Nothing was changed: give an earlier last/,
  );
  expect(await days("2028-01-31")).toEqual({ problem });
});

test("of another name is a problem with a next step", async () => {
  const { calendars } = oneCalendar();
  const span = { from: start, lastDay: "2026-12-31", zone: "UTC" };
  expect(await calendars.daysOff("others", span)).toEqual({ problem: expect.stringContaining("There are: holidays.") });
});

test.each(["", "BEGIN:VCALENDAR", "BEGIN:VCARD\r\nEND:VCARD\r\n", "KEY=hunter2\n"])(
  "that is none is refused, and no part of it is shown: %j",
  async (text) => {
    const folder = mkdtempSync(join(tmpdir(), "curfew-calendar-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "holidays.ics"), text);
    const calendars = createCalendars({
      sources: () => [{ name: "holidays", file: "holidays.ics" }],
      ...{ configFile: join(folder, "curfew.yaml"), now: () => start, onProblem: () => undefined },
    });
    expect(await calendars.load()).toEqual([
      "The calendar “holidays” can't be read: it is no valid calendar in iCal form.",
    ]);
  },
);
