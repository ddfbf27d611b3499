import { describe, expect, test } from "vitest";
import { extension, moment } from "../../../src/commands/field.ts";
import { missing } from "../../../src/slack/fields/field-kind.ts";
import { hourMs, minuteMs, noon } from "../../changes/build.ts";
import { anActor } from "../../permissions/build.ts";
import { readLine, readState, startOf } from "./draw.ts";

const until = moment({ label: "Until" });
const extended = extension({ label: "Until" });
const value = (read: unknown) => ({ kind: "value", value: read });
const problem = (pattern: RegExp) => ({ kind: "problem", problem: expect.stringMatching(pattern) });
const inBerlin = { actor: anActor({ timeZone: "Europe/Berlin" }) };

describe("on a line", () => {
  test("a length counts from now, or is added to what it extends", async () => {
    expect(await readLine(until, ["for", "2h30m"])).toEqual(value(noon + 2.5 * hourMs));
    expect(await readLine(extended, ["for", "2h30m"])).toEqual(value({ forMs: 2.5 * hourMs }));
  });

  test("a moment is in the requester's own zone, unless one is given", async () => {
    expect(await readLine(until, ["until", "18:00"], inBerlin)).toEqual(value(noon + 5 * hourMs));
    expect(await readLine(extended, ["UNTIL", "18:00"], inBerlin)).toEqual(value({ until: noon + 5 * hourMs }));
    expect(await readLine(until, ["until", "18:00", "UTC"], inBerlin)).toEqual(value(noon + 6 * hourMs));
  });

  test("a flag's value needs no word before it", async () => {
    expect(await readLine(until, ["18:00"], inBerlin)).toEqual(value(noon + 5 * hourMs));
    expect(await readLine(until, ["45m"])).toEqual(value(noon + 45 * minuteMs));
  });

  test("a length and a moment, or two of them, are one too many", async () => {
    for (const field of [until, extended]) {
      for (const line of ["for 2h until 18:00", "until 18:00 FOR 2h", "18:00 for 2h", "until 18:00 until 19:00"])
        expect(await readLine(field, line.split(" "))).toEqual(
          problem(/says twice when it ends\. Give one of the two/),
        );
    }
  });

  test("what is past is said to be, also where it has no time of day", async () => {
    for (const said of ["yesterday", "5 minutes ago"])
      expect(await readLine(until, ["until", ...said.split(" ")])).toEqual(
        problem(/is past\. Give a moment still to come/),
      );
  });

  test("what is neither is refused with the reason, and nothing is nothing", async () => {
    expect(await readLine(until, ["for", "ever"])).toEqual(problem(/not a length of time/));
    expect(await readLine(until, ["for", "18:00"])).toEqual(problem(/not a length of time/));
    expect(await readLine(until, ["until", "2026-11-19", "09:00"])).toEqual(problem(/in the past/));
    expect(await readLine(until, ["until"])).toEqual(missing);
  });
});

describe("in a form", () => {
  test("a moment is the picked one, and one that has passed meanwhile is refused", async () => {
    const picked = (at: number) => ({ selected_date_time: at / 1000 });
    expect(await readState(until, picked(noon + hourMs))).toEqual(value(noon + hourMs));
    expect(await readState(extended, picked(noon + hourMs))).toEqual(value({ until: noon + hourMs }));
    expect(await readState(until, picked(noon))).toEqual(problem(/already passed/));
    expect(await readState(extended, picked(noon - hourMs))).toEqual(problem(/already passed/));
    expect(await readState(until, { selected_date_time: null })).toEqual(missing);
  });

  test("the picker starts at the whole minute that is not before it", async () => {
    const start = { initial_date_time: (noon + minuteMs) / 1000 };
    expect(await startOf(until, { value: noon + 1 })).toEqual(start);
    expect(await startOf(extended, { value: { until: noon + minuteMs } })).toEqual(start);
  });

  test("a length to add, or a moment that no picker can show, leaves it empty", async () => {
    expect(await startOf(extended, { value: { forMs: hourMs } })).toEqual({});
    expect(await startOf(until, { value: Date.UTC(2300, 0, 1) })).toEqual({});
    expect(await startOf(until, {})).toEqual({});
  });
});
