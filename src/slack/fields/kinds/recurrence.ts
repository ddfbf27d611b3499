import { timeBeforeStop } from "../../../commands/exclusion/next-run.ts";
import { mostOccurrences } from "../../../commands/exclusion/planned/exclusion-repeat.ts";
import {
  readRecurrenceValue,
  recurrenceText,
  recurrenceWords,
} from "../../../commands/exclusion/planned/recurrence-words.ts";
import type { RecurrenceField } from "../../../commands/field.ts";
import { type OpenRecurrence, readRecurrence, readRecurrencePart } from "../../../language/read-recurrence.ts";
import { formatDay } from "../../../time/format-moment.ts";
import { calendarDay, isoDay, occurrencesOf, type Recurrence, withToday } from "../../../time/recurrence.ts";
import { addDays, wallClockAt } from "../../../time/wall-clock.ts";
import { cut, limits } from "../../messages/message.ts";
import {
  type FieldKind,
  inputActionId,
  missing,
  plainText,
  problem,
  type Reading,
  type ReadingContext,
  value,
} from "../field-kind.ts";
import { timeContextOf } from "./moment.ts";

/** When something comes again, in the words of a line. */
export const recurrenceKind: FieldKind<RecurrenceField> = {
  usage: () => "every …",
  example: ({ isPart }) => (isPart ? "18:30-22:30" : `every ${example}`),
  fromLine: async (field, words, context) => {
    const reading = await read(field, words.map((word) => word.value).join(" "), context);
    const said = reading.kind === "value" && !field.isPart ? readRecurrenceValue(reading.value) : undefined;
    // Who says “daily”, or names today, means today as well.
    const isOfToday = said && (said.days.length === 7 || said.firstDay !== undefined) && !said.weeks && !said.nth;
    const within = isOfToday ? withToday(said, context.now) : said;
    return within === said ? reading : { ...reading, value: within };
  },
  draw: async (_field, { value: shown, typed }, { actor }) => {
    const known = readRecurrenceValue(shown);
    const text = known ? recurrenceText(known, actor.timeZone) : (typed ?? "");
    return {
      type: "plain_text_input",
      action_id: inputActionId,
      max_length: maxText,
      placeholder: plainText(example),
      ...(text ? { initial_value: cut(text, maxText) } : {}),
    };
  },
  fromState: async (field, state, context) => read(field, state.value ?? "", context),
};

const example = "thu 18:00-22:00 until 2026-12-31";
const maxText = 300;

async function read({ isPart }: RecurrenceField, text: string, context: ReadingContext): Promise<Reading> {
  if (text.length > maxText)
    return problem(`At most ${maxText} characters are allowed. Write it like “every ${example}”.`);
  const words = text
    .trim()
    .replace(/^every\s+/i, "")
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0) return missing;
  const times = timeContextOf(context);
  if (isPart) {
    const found = readRecurrencePart(words, times);
    return found.kind === "part" ? value(found.part) : problem(found.reason);
  }
  const found = readRecurrence(words, times);
  if (found.kind === "recurrence") return value(found.recurrence);
  return found.kind === "open" ? withStart(found.recurrence, found.reason, context) : problem(found.reason);
}

/** Each time starts right before the stop, where only its end is said. */
async function withStart(open: OpenRecurrence, reason: string, context: ReadingContext): Promise<Reading> {
  const ids = context.given?.resourceIds;
  if (open.starts !== undefined) return withEnd({ ...open, starts: open.starts }, reason, context);
  const process = context.given?.process === "start" ? "start" : "stop";
  const starts = Array.isArray(ids) ? await timeBeforeStop(ids.map(String), open.zone, context, process) : undefined;
  // What ends in the afternoon before its stop needs no such time: another start is meant.
  if (starts === undefined || (open.ends <= starts && open.ends > noon)) return problem(reason);
  const assumed = `Each time begins at ${starts}, right before the ${process}.`;
  const { lastDay } = open;
  return lastDay === undefined
    ? withEnd({ ...open, starts }, `${assumed} Until when? Nothing was changed.`, context)
    : { kind: "value", value: { ...open, starts, lastDay }, assumed };
}

const noon = "12:00";
const mostDaysAhead = 365;

/** A series without an end lasts as long as one may: somebody must choose that. */
function withEnd(
  open: OpenRecurrence & Pick<Recurrence, "starts">,
  reason: string,
  { now, actor }: ReadingContext,
): Reading {
  const furthest = { ...open, lastDay: isoDay(addDays(wallClockAt(now, open.zone), mostDaysAhead)) };
  const all = occurrencesOf(furthest, now).slice(0, mostOccurrences);
  const last = all.at(-1);
  if (!last) return problem(reason);
  const longest = { ...open, lastDay: last.day };
  const until = formatDay(calendarDay(last.day));
  return {
    kind: "choice",
    text: `${reason} The longest is ${all.length} times: ${recurrenceWords(longest, actor.timeZone)}.`,
    options: [{ label: cut(`Until ${until} (${all.length} times)`, limits.buttonText), value: longest }],
  };
}
