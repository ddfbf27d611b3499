import { addDays, weekdays } from "../../time/wall-clock.ts";
import { fromToday, week } from "../time-words/days.ts";
import type { Days, Parts } from "../time-words/parts.ts";
import { phraseAt, phrases, phrasesFor, skip, type TimeWords } from "../time-words/phrases.ts";
import { type DayPart, dayPartNames, weekdayNames } from "../time-words/time-words.ts";
import type { DaysRead } from "./days-said.ts";

/** In front of what has been. */
export const pastWords = phrases("last|past|previous");
const pastPhrases = phrasesFor<readonly [count: number, part?: DayPart]>([
  ["day before yesterday|the day before yesterday", [-2]],
  ["yesterday night|last night", [-1, "night"]],
  ["yesterday", [-1]],
]);

/** `yesterday evening`, `last night`, `last friday`, `last week`; after `since` a weekday alone is past too. */
export function pastDays(words: TimeWords, at: number, isPast: boolean): DaysRead | undefined {
  const found = phraseAt(words, at, pastPhrases);
  if (found) {
    const [count, part] = found.means;
    return withPart(words, found.end, fromToday(count), part);
  }
  const last = skip(words, at, pastWords);
  if (last === at && !isPast) return undefined;
  const name = words.texts[last] ?? "";
  const index = weekdayNames.get(name);
  if (index !== undefined) return withPart(words, last + 1, lastWeekday(index));
  if (last > at && name === "week") return withPart(words, last + 1, week(-1));
  return last > at && name === "weekend" ? withPart(words, last + 1, lastWeekend) : undefined;
}

/** `week` and `weekend` behind “next”, which names the command. */
export function namedDays(words: TimeWords, at: number): DaysRead | undefined {
  return words.texts[at] === "week" ? withPart(words, at + 1, week(1)) : undefined;
}

function withPart(words: TimeWords, end: number, days: Days, said?: DayPart): DaysRead {
  const part = said ?? dayPartNames.get(words.texts[end] ?? "");
  const parts: Parts = { days, isSure: true, ...(part ? { dayPart: part } : {}) };
  return { end: part && !said ? end + 1 : end, days: { days: [parts], isRange: false } };
}

const lastWeekday = (index: number): Days => ({
  is: "day",
  of: (today) => [addDays(today, -((weekdays.indexOf(today.weekday) - index + 7) % 7 || 7))],
});

const lastWeekend: Days = {
  is: "day",
  of: (today) => week(0).of(today).slice(0, 1),
  spans: (today) =>
    week(0)
      .of(today)
      .slice(0, 1)
      .map((monday) => ({ first: addDays(monday, -2), last: addDays(monday, -1) })),
};
