import { seriesAt } from "../read-recurrence.ts";
import { remembering } from "../remembering.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import { mayBeginTime, type SaidWords, saidWords, skip } from "../time-words/words.ts";
import { separated } from "./clock-range.ts";
import { type PeriodRun, readPeriod } from "./read-period.ts";
import { type PeriodReading, several } from "./resolve-period.ts";

/** The period that some words begin with. `isAfterThing`: also one that might be a name. `isKeptOff`: see `TimeContext`. */
export type FindPeriod = (
  words: readonly string[],
  isAfterThing: boolean,
  isKeptOff?: boolean,
) => PeriodRun | undefined;

/** No period has more words. */
export const mostWords = 20;

/** Reads the period that these words begin with; its end counts words as they were typed. */
export function findPeriod(
  words: readonly string[],
  context: TimeContext,
  isAfterThing: boolean,
): PeriodRun | undefined {
  if (!mayBeginTime(words, 0)) return undefined;
  return (isAfterThing ? periodAfterThing : surePeriod)(words.slice(0, mostWords), context);
}

const reader = (isAfterThing: boolean) =>
  remembering((words, context): PeriodRun | undefined => {
    const pieces = separated(words);
    const run = longer(saidWords(pieces.words, context), isAfterThing);
    if (!run) return undefined;
    const end = pieces.from[run.end] ?? words.length;
    return pieces.from[run.end - 1] === end ? undefined : { ...run, end };
  });

/** A period, or several days with the same times where that explains more words. */
function longer(words: SaidWords, isAfterThing: boolean): PeriodRun | undefined {
  const period = oneAndMore(words, isAfterThing);
  const series = seriesAt(words);
  const isSeries = series && (series.end > (period?.end ?? 0) || (series.end === period?.end && isUnusable(period)));
  return isSeries ? { end: series.end, reading: { kind: "series", lead: series.lead } } : period;
}

const days =
  /\b(?:(?:mon|tue|wed|thu|fri|sat|sun)\w*|today|tomorrow|tonight|day after|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|\d{1,2}(?:st|nd|rd|th|\.\d+\.?)|\w*(?:night|week|weekend|month|year)s?|\d{4}-\d\d-\d\d|\d{1,2}\/\d{1,2})\b/gi;
const repeating =
  /\b(?:\w+days|weekends|nights|mornings|afternoons|evenings|noons|daily|weekly|nightly|biweekly|fortnightly|every|each|both)\b|\d ?(?:[,/&+–-]|and|to|till?|until) ?\d{1,2}(?:st|nd|rd|th|\.)? ?(?:of )?(?:and \d+ )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d+ ?(?:[,/&+–-]|and|to|till?|until)/i;
/** Whether words may name a series: a day that comes again, or several days. */
export function mayRepeat(words: readonly string[]): boolean {
  const said = words.join(" ");
  return repeating.test(said) || (said.match(days)?.length ?? 0) > 1;
}

/** `sat 9-17 and sun 9-13` */
function oneAndMore(words: SaidWords, isAfterThing: boolean): PeriodRun | undefined {
  const first = readPeriod(words, isAfterThing);
  const found: Extract<PeriodReading, { kind: "period" }>[] = [];
  let end = 0;
  for (let [next, at] = [first, 0]; next?.reading.kind === "period"; ) {
    found.push(next.reading);
    end = at + next.end;
    at = skip(words, end, joins);
    next = readPeriod({ ...words, texts: words.texts.slice(at), typed: words.typed.slice(at) }, true);
  }
  // In `sat 9-17 and sun` the Sunday may have the same times.
  const isClear = found.length > 1 && found.every(({ isAssumed }) => isAssumed === found[0]?.isAssumed);
  const periods = found.map(({ period }) => period);
  return isClear ? { end, reading: several(periods, words.context) } : first;
}

const joins = ", and again|, and|and again|and also|and then|and|&|+|plus|,|then|as well as";

const isUnusable = ({ reading }: PeriodRun): boolean => reading.kind === "invalid" && reading.run === undefined;

const surePeriod = reader(false);
const periodAfterThing = reader(true);
