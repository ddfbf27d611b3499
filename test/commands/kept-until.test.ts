import { expect, test } from "vitest";
import { keptUntil, type Lasting } from "../../src/commands/exclusion/kept-until.ts";

const berlin = { dayZone: "Europe/Berlin", dayStarts: "08:00" };
const until = (run: string, lasting: Lasting) => new Date(keptUntil(Date.parse(run), lasting, berlin)).toISOString();

test.each<[why: string, run: string, lasting: Lasting, end: string]>([
  ["an hour counts from the run", "2026-11-20T18:00:00Z", "1h", "2026-11-20T19:00:00.000Z"],
  ["two hours count from the run", "2026-11-20T18:00:00Z", "2h", "2026-11-20T20:00:00.000Z"],
  ["tonight lasts to midnight", "2026-11-20T18:00:00Z", "tonight", "2026-11-20T23:00:00.000Z"],
  ["tonight after a late run is the night", "2026-11-20T22:30:00Z", "tonight", "2026-11-21T05:00:00.000Z"],
  ["tonight is past a run at its end", "2026-11-21T04:58:00Z", "tonight", "2026-11-21T05:03:00.000Z"],
  ["a run in the small hours is of the night before", "2026-11-20T23:30:00Z", "tonight", "2026-11-21T05:00:00.000Z"],
  ["tomorrow morning is the team's next day", "2026-11-20T18:00:00Z", "morning", "2026-11-21T07:00:00.000Z"],
  ["after the small hours the same day's morning", "2026-11-20T23:30:00Z", "morning", "2026-11-21T07:00:00.000Z"],
  ["tomorrow morning after the clock leapt", "2027-03-27T18:00:00Z", "morning", "2027-03-28T06:00:00.000Z"],
  ["tomorrow morning after the clock was set back", "2027-10-30T17:00:00Z", "morning", "2027-10-31T07:00:00.000Z"],
])("%s", (_why, run, lasting, end) => {
  expect(until(run, lasting)).toBe(end);
});
