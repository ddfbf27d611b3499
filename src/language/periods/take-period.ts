import type { Field, Input } from "../../commands/field.ts";
import { mayBeginTime } from "../may-begin-time.ts";
import { seriesAt } from "../read-recurrence.ts";
import { remembering } from "../remembering.ts";
import { isStart, unquoted } from "../take-start.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import { phrases, skip, type TimeWords } from "../time-words/phrases.ts";
import { timeWords } from "../time-words/time-words.ts";
import type { Word } from "../tokenize.ts";
import { readClockRange, separated } from "./clock-range.ts";
import { type PeriodRun, readPeriod } from "./read-period.ts";
import { type PeriodReading, several } from "./resolve-period.ts";

/** Stands in front of the words of a period, which give the start and the end. */
export const periodWord = "during";

/** The period that some words begin with. `isAfterThing`: also one that might be a name. `isKeptOff`: see `TimeContext`. */
export type FindPeriod = (
  words: readonly string[],
  isAfterThing: boolean,
  isKeptOff?: boolean,
) => PeriodRun | undefined;

const mostWords = 20;

/** Reads the period that these words begin with; its end counts words as they were typed. */
export function findPeriod(
  words: readonly string[],
  context: TimeContext,
  isAfterThing: boolean,
): PeriodRun | undefined {
  if (!mayBeginTime(words[0] ?? "")) return undefined;
  return (isAfterThing ? periodAfterThing : surePeriod)(words.slice(0, mostWords), context);
}

const reader = (isAfterThing: boolean) =>
  remembering((words, context): PeriodRun | undefined => {
    const pieces = separated(words);
    const run = longer(timeWords(pieces.words), context, isAfterThing);
    if (!run) return undefined;
    const end = pieces.from[run.end] ?? words.length;
    return pieces.from[run.end - 1] === end ? undefined : { ...run, end };
  });

/** A period, or several days with the same times where that explains more words. */
function longer(words: TimeWords, context: TimeContext, isAfterThing: boolean): PeriodRun | undefined {
  const period = oneAndMore(words, context, isAfterThing);
  const series = seriesAt(words, context);
  const isSeries = series && (series.end > (period?.end ?? 0) || (series.end === period?.end && isUnusable(period)));
  return isSeries ? { end: series.end, reading: { kind: "series", lead: series.lead } } : period;
}

/** `sat 9-17 and sun 9-13` */
function oneAndMore(words: TimeWords, context: TimeContext, isAfterThing: boolean): PeriodRun | undefined {
  const first = readPeriod(words, context, isAfterThing);
  const found: Extract<PeriodReading, { kind: "period" }>[] = [];
  let end = 0;
  for (let [next, at] = [first, 0]; next?.reading.kind === "period"; ) {
    found.push(next.reading);
    end = at + next.end;
    at = skip(words, end, joins);
    next = readPeriod({ texts: words.texts.slice(at), typed: words.typed.slice(at) }, context, true);
  }
  // In `sat 9-17 and sun` the Sunday may have the same times.
  const isClear = found.length > 1 && found.every(({ isAssumed }) => isAssumed === found[0]?.isAssumed);
  const periods = found.map(({ period }) => period);
  return isClear ? { end, reading: several(periods, context) } : first;
}

const joins = phrases(", and again|, and|and again|and also|and then|and|&|+|plus|,|then|as well as");

const isUnusable = ({ reading }: PeriodRun): boolean => reading.kind === "invalid" && reading.run === undefined;

const surePeriod = reader(false);
const periodAfterThing = reader(true);

interface Taking {
  readonly fields: readonly (readonly [string, Field])[];
  readonly parts: Map<string, readonly Word[]>;
  readonly findPeriod: FindPeriod;
  /** What the phrase says beside: that something is kept off. */
  readonly sets: Input;
  /** Where the words behind the thing begin, if the phrase says that: “keep staging up …”. */
  readonly afterThing: number | undefined;
}

/** Takes `this weekend`, `on friday until 22:00` or `tomorrow 18:00-22:00` from a line whose command has a start and an end. */
export function takePeriod(
  words: readonly Word[],
  { fields, parts, findPeriod: find, sets, afterThing }: Taking,
): readonly Word[] {
  const isKeptOff = sets.process === "start";
  const start = fields.find(([, field]) => isStart(field))?.[0];
  const end = fields.find(([, field]) => field.kind === "moment" && !isStart(field) && field.hidden === undefined)?.[0];
  if (start === undefined || end === undefined || parts.has(start) || parts.has(end)) return words;
  const typed = unquoted(words);
  for (const [at, word] of words.entries()) {
    const isAfterThing = afterThing !== undefined && word.start >= afterThing;
    const run = at === 0 && !isAfterThing ? undefined : find(typed.slice(at, at + mostWords), isAfterThing, isKeptOff);
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

/** Takes `18:30-22:30 from 10 december` from a line that changes the times of a series. */
export function takeTimesOfSeries(
  words: readonly Word[],
  { fields, parts }: Pick<Taking, "fields" | "parts">,
): readonly Word[] {
  const name = fields.find(([, field]) => field.kind === "recurrence" && field.isPart)?.[0];
  if (name === undefined || parts.has(name)) return words;
  const typed = unquoted(words);
  for (let at = 1; at < words.length; at++) {
    const pieces = timeWords(separated(typed.slice(at)).words);
    const from = skip(pieces, 0, timesLead);
    if (!readClockRange(pieces, from) && !/^(?:every|each)$/.test(pieces.texts[0] ?? "")) continue;
    parts.set(name, words.slice(at));
    return words.slice(0, at);
  }
  return words;
}

const timesLead = phrases("to|from|at|between");

const stops: ReadonlySet<string> = new Set(
  "until untill till til by to from starting beginning for in through thru".split(" "),
);
