import type { Field } from "../../commands/field.ts";
import { isStart, unquoted } from "../take-start.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import { timeWords } from "../time-words/time-words.ts";
import type { Word } from "../tokenize.ts";
import { separated } from "./clock-range.ts";
import { type PeriodRun, readPeriod } from "./read-period.ts";

/** Stands in front of the words of a period, which give the start and the end. */
export const periodWord = "during";

/** The period that some words begin with. `isAfterThing`: also one that might be a name. */
export type FindPeriod = (words: readonly string[], isAfterThing: boolean) => PeriodRun | undefined;

const mostWords = 14;

/** Reads the period that these words begin with; its end counts words as they were typed. */
export function findPeriod(
  words: readonly string[],
  context: TimeContext,
  isAfterThing: boolean,
): PeriodRun | undefined {
  const pieces = separated(words.slice(0, mostWords));
  const run = readPeriod(timeWords(pieces.words), context, isAfterThing);
  if (!run) return undefined;
  const end = pieces.from[run.end] ?? Math.min(words.length, mostWords);
  return pieces.from[run.end - 1] === end ? undefined : { ...run, end };
}

interface Taking {
  readonly fields: readonly (readonly [string, Field])[];
  readonly parts: Map<string, readonly Word[]>;
  readonly findPeriod: FindPeriod;
  /** Where the words behind the thing begin, if the phrase says that: “keep staging up …”. */
  readonly afterThing: number | undefined;
}

/** Takes `this weekend`, `on friday until 22:00` or `tomorrow 18:00-22:00` from a line whose command has a start and an end. */
export function takePeriod(
  words: readonly Word[],
  { fields, parts, findPeriod: find, afterThing }: Taking,
): readonly Word[] {
  const start = fields.find(([, field]) => isStart(field))?.[0];
  const end = fields.find(([, field]) => field.kind === "moment" && !isStart(field) && field.hidden === undefined)?.[0];
  if (start === undefined || end === undefined || parts.has(start) || parts.has(end)) return words;
  const typed = unquoted(words);
  for (const [at, word] of words.entries()) {
    const isAfterThing = afterThing !== undefined && word.start >= afterThing;
    const run = at === 0 && !isAfterThing ? undefined : find(typed.slice(at, at + mostWords), isAfterThing);
    if (!run && stops.has(typed[at]?.toLowerCase() ?? "")) return words;
    if (!run) continue;
    const rest = [...words.slice(0, at), ...words.slice(at + run.end)];
    // Another time beside it is the real end or start, or a second one.
    if (unquoted(rest).some((each) => stops.has(each.toLowerCase()))) return words;
    const said = [{ value: periodWord, isQuoted: false, start: word.start }, ...words.slice(at, at + run.end)];
    parts.set(start, said);
    parts.set(end, said);
    return rest;
  }
  return words;
}

const stops: ReadonlySet<string> = new Set(
  "until untill till til by to from starting beginning for in through thru".split(" "),
);
