import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { findTime } from "../../src/language/read-time.ts";
import { wallClockAt } from "../../src/time/wall-clock.ts";
import { aTimeContext, split, wednesday } from "./time-readings.ts";

const entry = z.object({ text: z.string(), means: z.string(), also: z.array(z.string()).default([]) });
const corpus = z.object({ moments: z.array(entry) });
const { moments } = corpus.parse(parse(readFileSync(new URL("moments.yaml", import.meta.url), "utf8")));
type Entry = z.infer<typeof entry>;

/** `2026-11-25T18:00` in Berlin, `ask`, `invalid`, or `none` when a word is left over. */
function meaningOf({ text }: Entry): string {
  const words = ["i-0a1", ...split(text)];
  const found = findTime(words, aTimeContext());
  if (found?.start !== 1 || found.end !== words.length) return "none";
  const { reading } = found;
  if (reading.kind === "moment") return wallAt(reading.at);
  if (reading.kind === "length") return wallAt(wednesday + reading.ms);
  return reading.kind === "choice" ? "ask" : "invalid";
}

function wallAt(at: number): string {
  const { year, month, day, hour, minute, second } = wallClockAt(at, "Europe/Berlin");
  const [, ...two] = [year, month, day, hour, minute, second].map((number) => String(number).padStart(2, "0"));
  const [shownMonth, shownDay, shownHour, shownMinute, shownSecond] = two;
  const seconds = second === 0 ? "" : `:${shownSecond}`;
  return `${year}-${shownMonth}-${shownDay}T${shownHour}:${shownMinute}${seconds}`;
}

type Result = "as meant" | "not understood" | "otherwise";

/** Asking back and refusing are the same to the person: nothing is done, and it is said why. */
function resultOf(one: Entry): Result {
  const read = meaningOf(one);
  const wanted = [one.means, ...one.also];
  const doesNothing = read === "ask" || read === "invalid";
  if (wanted.includes(read) || (doesNothing && (wanted.includes("ask") || wanted.includes("invalid"))))
    return "as meant";
  return doesNothing || read === "none" ? "not understood" : "otherwise";
}

describe("the moments of other people's corpora", () => {
  const textsOf = (result: Result) => moments.filter((one) => resultOf(one) === result).map(({ text }) => text);
  const asMeant = textsOf("as meant");
  const notUnderstood = textsOf("not understood");
  const otherwise = textsOf("otherwise");

  test("are at least 260, each once", () => {
    expect(moments.length).toBeGreaterThanOrEqual(260);
    expect(new Set(moments.map(({ text }) => text)).size).toBe(moments.length);
  });

  test(`are understood as meant (${asMeant.length} of ${moments.length}; not ${notUnderstood.length})`, () => {
    expect(asMeant.length, notUnderstood.join("\n")).toBeGreaterThanOrEqual(245);
  });

  test(`are not read otherwise (${otherwise.length})`, () => {
    expect(otherwise).toEqual([]);
  });
});
