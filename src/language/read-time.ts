import { nearestZone } from "../time/zone.ts";
import { keywords, type Run, readRun } from "./read-run.ts";
import { remembering } from "./remembering.ts";
import { resolveParts, unknownZone } from "./time-meaning/resolve-parts.ts";
import { invalid, isPast, type TimeContext, type TimeReading } from "./time-meaning/time-reading.ts";
import { merged } from "./time-words/parts.ts";
import {
  mayBeginTime,
  phraseAt,
  type SaidWords,
  saidWords,
  skip,
  type TimeWords,
  withoutSlips,
} from "./time-words/words.ts";

export { notUnderstood, type TimeContext, type TimeReading } from "./time-meaning/time-reading.ts";

export interface FoundTime {
  readonly start: number;
  /** The index after its last word. */
  readonly end: number;
  readonly reading: TimeReading;
}

/*
 * Words become parts (`time-words/`: a day, a clock, a zone, in any order), and parts become moments (`time-meaning/`: every way to read
 * them is followed, and one moment that is ahead is taken, several are a choice). What is said differently is added in `time-words/`.
 */

/** More words than any time needs, so that a long line is read in one pass. */
const mostWords = 12;

/** Reads words that are wholly a time: `for 2 hours`, `until monday 9am`, `2h`, `tonight`. Undefined when they are not. */
export function readTime(words: readonly string[], context: TimeContext): TimeReading | undefined {
  if (words.length > mostWords) return undefined;
  const run = runAt(saidWords(words, context));
  return run?.end === words.length ? run.reading : run && unexplainedZone(words, run);
}

/** The first run of words that is a time, as long as it goes, with its keyword if it has one. */
export function findTime(
  words: readonly string[],
  context: TimeContext,
  options: { from?: number } = {},
): FoundTime | undefined {
  for (let start = options.from ?? 0; start < words.length; start++) {
    const run = mayBeginTime(words, start) && timeAt(words.slice(start, start + mostWords), context);
    if (run) return { start, end: start + run.end, reading: run.reading };
  }
  return undefined;
}

/** Reads the time that begins at the first of some words. */
export type ReadTimeAt = (words: readonly string[]) => Pick<FoundTime, "end" | "reading"> | undefined;

/** The time that begins at the first of these words. */
export const timeAt = remembering((typed, context): Run | undefined => {
  const words = saidWords(typed, context);
  const run = runAt(words);
  return run && { end: run.end, reading: afterStartWord(words, run) };
});

/** The time at the first of these words. Another time right behind it is part of it: they cannot both be the end. */
function runAt(words: SaidWords): Run | undefined {
  const run = oneRun(words, 0);
  const other = run && oneRun(words, skip(words, run.end, "or|and|from"));
  if (!other) return run;
  const both = run.parts && other.parts && !other.parts.days ? merged(run.parts, other.parts) : undefined;
  const { end } = other;
  const typed = words.typed.slice(0, end).join(" ");
  // `tonight until 10pm` says the day first.
  if (both && run.parts?.days?.is === "today" && other.parts?.clock)
    return { end, parts: both, reading: resolveParts(both, "until", typed, words.context) };
  const isDay = run.parts && !run.parts.clock && other.reading.kind === "length" && !phraseAt(words, 0, keywords);
  const reason = isDay
    ? `“${typed}” does not say at what time it starts. Write it like “from tomorrow 18:00 for 2h”.`
    : `“${typed}” gives two ends. Give only one: a length such as “for 2h”, or a time such as “until 18:00”.`;
  return { end, reading: invalid(reason) };
}

function oneRun(words: SaidWords, start: number): Run | undefined {
  if (words.texts[start] === "since") {
    const run = readRun(words, start + 1, undefined);
    return run && { end: run.end, reading: invalid(isPast) };
  }
  const keyword = phraseAt(words, start, keywords);
  if (!keyword) return readRun(words, start, undefined);
  const run = readRun(words, keyword.end, keyword.means);
  const corrected = run?.end === words.texts.length ? undefined : withoutSlips(words);
  const other = corrected && readRun(corrected, keyword.end, keyword.means);
  // `to Sundar` is a name rather than a slip.
  const isName = keyword.means.isLoose && other?.reading.kind !== "length";
  return other && !isName && other.end > (run?.end ?? 0) ? other : run;
}

/** `exclude staging at 18:00` could mean its start or its end. */
function afterStartWord({ texts, typed }: TimeWords, { end, reading, parts }: Run): TimeReading {
  const isPartOfDay = parts?.dayPart !== undefined && !parts.clock && !parts.days && !parts.weekday;
  if (!/^(?:at|on|in)$/.test(texts[0] ?? "") || isPartOfDay) return reading;
  const said = typed.slice(0, end).join(" ");
  return invalid(
    `“${said}” could be the start or the end. Write the start as “from …”, and the end as “until …” or “for …”.`,
  );
}

/** `18:00 Berlin`: a time with what is almost a zone behind it. */
function unexplainedZone(typed: readonly string[], { end, parts }: Run): TimeReading | undefined {
  const tail = typed.slice(end).join(" ").replace(/^in /i, "");
  const looksLikeZone = /^[a-z_]+\/[a-z_/+-]+$|\btime$|^(?:utc|gmt)\b/i.test(tail) || /^[A-Z]{2,5}$/.test(tail);
  return parts?.clock && (looksLikeZone || nearestZone(tail) !== undefined) ? invalid(unknownZone(tail)) : undefined;
}
