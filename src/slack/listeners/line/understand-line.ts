import type { Command, CommandContext } from "../../../commands/command.ts";
import type { Asked } from "../../../commands/exclusion/kept-until.ts";
import { allAsRequired } from "../../../commands/required-fields.ts";
import { type FindPeriod, findPeriod } from "../../../language/periods/find-period.ts";
import { findSpan } from "../../../language/periods/read-span.ts";
import { findTime, timeAt } from "../../../language/read-time.ts";
import { inOwnWords, isOfGrammar } from "../../../language/sense/in-own-words.ts";
import { withNamedDays } from "../../../language/sense/named-days.ts";
import type { Names } from "../../../language/sense/names.ts";
import type { Known } from "../../../language/sense/tag.ts";
import { type LineSplit, splitLine } from "../../../language/split-line.ts";
import { readPast } from "../../../time/read-since.ts";
import { timeContextOf } from "../../fields/kinds/moment.ts";
import { withoutLookalikes } from "../../messages/text.ts";

type Context = Asked & Pick<CommandContext, "now" | "calendars">;

/** Splits a line of the grammar, with the times as this person means them here. An empty line asks for help. */
export function readLine(text: string, commands: readonly Command[], context: Context): LineSplit {
  return readerOf(commands, context).split(text);
}

/** Whether a line, as the grammar splits it, needs no other reading, and so no names. */
export const isPlain = (text: string, split: LineSplit): boolean => isOfGrammar(asLine(text), split);

/** Splits a line in whatever words, by the names that are known. `about`: what its thread is about. `read`: as the grammar splits it. */
export function understandLine(
  text: string,
  commands: readonly Command[],
  context: Context,
  names: Names,
  about?: Pick<Known, "card" | "cardPerson">,
  read?: LineSplit,
): LineSplit {
  const { split, ...times } = readerOf(commands, context);
  return inOwnWords(
    withNamedDays(asLine(text), context.calendars?.named?.()),
    split,
    { ...times, names, ...about },
    read,
  );
}

/** What people paste as code is the line in it. */
const asLine = (text: string): string => withoutLookalikes(text.trim()).replace(/^(`{1,3})([^`]+)\1$/, "$2");

function readerOf(commands: readonly Command[], context: Context) {
  const times = timeContextOf(context);
  const asked = allAsRequired(commands, context.settings);
  const find = (words: readonly string[]) => findTime(words, times);
  const period: FindPeriod = (words, isAfterThing, isKeptOff) =>
    findPeriod(words, isKeptOff ? { ...times, isKeptOff } : times, isAfterThing);
  const span = (words: readonly string[]) => findSpan(words, times);
  const days = context.calendars?.named?.();
  const split = (text: string) => splitLine(withNamedDays(asLine(text), days) || "help", asked, find, period, span);
  const isSpan = (words: readonly string[]) => {
    const found = span(words);
    return found?.start === 0 && found.end === words.length;
  };
  const reader = { now: context.now, zone: times.zone };
  const isPast = (words: readonly string[]) => readPast(words, reader) !== undefined;
  return { split, readTimeAt: (words: readonly string[]) => timeAt(words, times), findPeriod: period, isSpan, isPast };
}
