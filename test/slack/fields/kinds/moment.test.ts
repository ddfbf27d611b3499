import { describe, expect, test } from "vitest";
import { extension, moment } from "../../../../src/commands/field.ts";
import { missing } from "../../../../src/slack/fields/field-kind.ts";
import { hourMs, minuteMs, noon } from "../../../changes/build.ts";
import { anActor } from "../../../permissions/build.ts";
import { readLine, readState, startOf } from "../draw.ts";

const until = moment({ label: "Until" });
const extended = extension({ label: "Until" });
const value = (read: unknown) => ({ kind: "value", value: read });
const problem = (pattern: RegExp) => ({ kind: "problem", problem: expect.stringMatching(pattern) });
const inBerlin = { actor: anActor({ timeZone: "Europe/Berlin" }) };

describe("on a line", () => {
  test("a length counts from now, or from the present end", async () => {
    expect(await readLine(until, ["for", "2h30m"])).toEqual(value(noon + 2.5 * hourMs));
    expect(await readLine(extended, ["for", "2h30m"])).toEqual(value({ forMs: 2.5 * hourMs }));
    for (const line of ["two hours longer", "2 more hrs", "another 2 hours", "for 2 hours more", "an extra 2 hours"])
      expect(await readLine(extended, line.split(" ")), line).toEqual(value({ forMs: 2 * hourMs }));
  });

  test("a moment is in the requester's zone unless one is given", async () => {
    expect(await readLine(until, ["until", "18:00"], inBerlin)).toEqual(value(noon + 5 * hourMs));
    expect(await readLine(extended, ["UNTIL", "18:00"], inBerlin)).toEqual(value({ until: noon + 5 * hourMs }));
    expect(await readLine(until, ["until", "18:00", "UTC"], inBerlin)).toEqual(value(noon + 6 * hourMs));
  });

  test("a flag's value needs no “for” or “until”", async () => {
    expect(await readLine(until, ["18:00"], inBerlin)).toEqual(value(noon + 5 * hourMs));
    expect(await readLine(until, ["45m"])).toEqual(value(noon + 45 * minuteMs));
  });

  test("a day after “until” is the start of the team's day; a day alone may be the whole day", async () => {
    const monday = Date.UTC(2026, 10, 23, 7);
    for (const line of ["until monday", "until mon", "mon"]) {
      const assumed = `Read “${line.replace("until ", "")}” as Mon 08:00 (the start of the day).`;
      expect(await readLine(until, line.split(" "), inBerlin)).toEqual({ ...value(monday), assumed });
    }
    const options = [{ value: monday }, { value: monday + 16 * hourMs }];
    expect(await readLine(until, ["monday"], inBerlin)).toMatchObject({ kind: "choice", options });
  });

  test("a time with several meanings is asked about with each of them", async () => {
    const at = (day: number) => Date.UTC(2027, 4, day, 6);
    const options = [
      { label: "Thu 6 May 2027, 08:00", value: at(6) },
      { label: "Sat 5 Jun 2027, 08:00", value: at(36) },
    ];
    const text = "“until 5/6” can mean more than one time. Nothing was changed.";
    const line = ["until", "5/6"];
    expect(await readLine(until, line, inBerlin)).toEqual({ kind: "choice", text, options });
    const ends = options.map(({ label, value }) => ({ label, value: { until: value } }));
    expect(await readLine(extended, line, inBerlin)).toEqual({ kind: "choice", text, options: ends });
  });

  test("rejects two ends", async () => {
    for (const field of [until, extended]) {
      for (const line of ["for 2h until 18:00", "until 18:00 FOR 2h", "18:00 for 2h", "until 18:00 until 19:00"])
        expect(await readLine(field, line.split(" "))).toEqual(problem(/gives two ends\. Give only one/));
    }
  });

  test("rejects a moment in the past, also without a time of day", async () => {
    for (const text of ["yesterday", "5 minutes ago"])
      expect(await readLine(until, ["until", ...text.split(" ")])).toEqual(
        problem(/is past\. Give a moment still to come/),
      );
  });

  test("rejects other text with the reason; no text is missing", async () => {
    expect(await readLine(until, ["for", "ever"])).toEqual(problem(/not a length of time/));
    expect(await readLine(until, ["for", "18:00"])).toEqual(problem(/not a length of time/));
    expect(await readLine(until, ["until", "2026-11-19", "09:00"])).toEqual(problem(/in the past/));
    expect(await readLine(until, ["until"])).toEqual(missing);
  });
});

describe("in a form", () => {
  test("reads the picked moment, and rejects one that has passed", async () => {
    const picked = (at: number) => ({ selected_date_time: at / 1000 });
    expect(await readState(until, picked(noon + hourMs))).toEqual(value(noon + hourMs));
    expect(await readState(extended, picked(noon + hourMs))).toEqual(value({ until: noon + hourMs }));
    expect(await readState(until, picked(noon))).toEqual(problem(/already passed/));
    expect(await readState(extended, picked(noon - hourMs))).toEqual(problem(/already passed/));
    expect(await readState(until, { selected_date_time: null })).toEqual(missing);
  });

  test("the picker starts at the moment, rounded up to a minute", async () => {
    const start = { initial_date_time: (noon + minuteMs) / 1000 };
    expect(await startOf(until, { value: noon + 1 })).toEqual(start);
    expect(await startOf(extended, { value: { until: noon + minuteMs } })).toEqual(start);
  });

  test("the picker is empty for a length, and for a moment that it cannot show", async () => {
    expect(await startOf(extended, { value: { forMs: hourMs } })).toEqual({});
    expect(await startOf(until, { value: Date.UTC(2300, 0, 1) })).toEqual({});
    expect(await startOf(until, {})).toEqual({});
  });
});
