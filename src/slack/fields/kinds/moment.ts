import { isProblem } from "../../../commands/answer.ts";
import type { CommandContext } from "../../../commands/command.ts";
import { expiryOf } from "../../../commands/exclusion/exclusion-body.ts";
import { type Asked, afterRunMs, dayOf } from "../../../commands/exclusion/kept-until.ts";
import { nextRunOf, timeBeforeStop } from "../../../commands/exclusion/next-run.ts";
import { mostOccurrences } from "../../../commands/exclusion/planned/exclusion-repeat.ts";
import {
  readRecurrenceValue,
  recurrenceText,
  recurrenceWords,
} from "../../../commands/exclusion/planned/recurrence-words.ts";
import type { ExtensionField, Field, MomentField, RecurrenceField, SpanField } from "../../../commands/field.ts";
import { longestSpan } from "../../../commands/field-values.ts";
import { findPeriod } from "../../../language/periods/find-period.ts";
import { findSpan } from "../../../language/periods/read-span.ts";
import type { Period } from "../../../language/periods/resolve-period.ts";
import { type OpenRecurrence, readRecurrence, readRecurrencePart } from "../../../language/read-recurrence.ts";
import { notUnderstood, readTime, type TimeContext, type TimeReading } from "../../../language/read-time.ts";
import { periodWord } from "../../../language/take-times.ts";
import { timeWords } from "../../../language/time-words/words.ts";
import type { Word } from "../../../language/tokenize.ts";
import { formatDay, shortMoment } from "../../../time/format-moment.ts";
import { calendarDay, isoDay, occurrencesOf, type Recurrence, withToday } from "../../../time/recurrence.ts";
import { addDays, wallClockAt } from "../../../time/wall-clock.ts";
import { cut, limits } from "../../messages/text.ts";
import {
  asWords,
  type FieldKind,
  inputActionId,
  missing,
  problem,
  type Reading,
  type ReadingContext,
  type Shown,
  type StateValue,
  typedInput,
  typedKind,
  value,
} from "../field-kind.ts";

/**
 * A moment: `for` a length from now, or `until` a time in the requester's Slack time zone; or `from` a time, and the end counts from
 * that. Its value is epoch ms.
 */
export const momentKind: FieldKind<MomentField> = {
  usage: ({ isStart, isDay }) => (isDay ? "on …" : isStart ? "from …" : "for …|until …"),
  example: ({ isStart, isDay }) => (isDay ? "on friday" : isStart ? "from fri 18:00" : "for 2h"),
  fromLine: async ({ isStart, isDay }, words, context) => {
    const period =
      (await readRunOf(words, isStart === true, context)) ?? readPeriodOf(words, isStart === true, context);
    if (period) return period;
    if (isStart) return readStart(words, context);
    if (isDay) return readDay(words, context);
    const start = startGiven(context);
    const now = start === undefined || isOfToday(words) ? context.now : start;
    const read = readEnd(words, { ...context, now }, (at) => at);
    if (read.kind === "length") return value((start ?? context.now) + read.ms);
    // Where the end counts from the start, "tomorrow" would be said of another day.
    return read.kind === "value" && now !== context.now ? value(read.value) : read;
  },
  draw: async (_field, shown) => picker(shown),
  fromState: async (field, state, context) =>
    state.value ? momentKind.fromLine(field, asWords(state.value), context) : picked(state, context, (at) => at),
};

/** The same, but a length is added to the present end rather than to now. */
export const extensionKind: FieldKind<ExtensionField> = {
  usage: () => "for …|until …",
  example: () => "for 2h",
  fromLine: async (_field, words, context) => {
    const read = readEnd(words, context, (until) => ({ until }));
    if (read.kind === "choice") return nearestToEnd(read, context);
    return read.kind === "length" ? value({ forMs: read.ms }) : read;
  },
  draw: async (_field, shown) => picker(shown),
  fromState: async (field, state, context) =>
    state.value
      ? extensionKind.fromLine(field, asWords(state.value), context)
      : picked(state, context, (until) => ({ until })),
};

/** Of two meanings, that nearer to the present end: "until 8:15", of what ends at 20:30, is 20:15. */
async function nearestToEnd(
  asked: Extract<Reading, { kind: "choice" }>,
  { directory, given }: ReadingContext,
): Promise<Reading> {
  const known = await directory.get("exclusion", String(given?.exclusion));
  const end = known && expiryOf(known.body);
  if (end === undefined) return asked;
  const at = asked.options.flatMap(({ value: meant }) => instantOf(meant) ?? []);
  const [near, other, ...more] = at.toSorted((one, next) => Math.abs(one - end) - Math.abs(next - end));
  if (near === undefined || more.length > 0) return asked;
  return { kind: "value", value: { until: near }, instead: other };
}

/** The moment that a ready answer means now, or from the start that was given; on a whole minute as the picker has it. */
export function quickMoment(
  words: string,
  context: Asked & Pick<CommandContext, "now">,
  start: number | undefined,
): number | undefined {
  const now = Math.max(start ?? context.now, context.now);
  const read = readTime(words.split(" "), timeContextOf({ ...context, now }));
  const at = read?.kind === "length" ? now + read.ms : read?.kind === "moment" ? read.at : undefined;
  return at === undefined ? undefined : Math.ceil(at / 60_000) * 60_000;
}

/** The start that was given for the same input, if it can have one. */
export function startGiven({ command, given = {} }: Pick<ReadingContext, "command" | "given">): number | undefined {
  const start = given[startFieldOf({ command }) ?? ""];
  return typeof start === "number" ? start : undefined;
}

const startFieldOf = ({ command }: Pick<ReadingContext, "command">): string | undefined =>
  Object.entries<Field>(command?.fields ?? {}).find(([, field]) => field.kind === "moment" && field.isStart)?.[0];

/** Such a day counts from today, whenever it all begins. */
const isOfToday = (words: readonly Word[]): boolean =>
  timeWords(typedIn(words)).texts.some((text) => /^(?:today|tonight|tomorrow|in)$/.test(text));

/** The start or the end of a period, such as `this weekend`; undefined for other times. */
function readPeriodOf(words: readonly Word[], isStart: boolean, context: ReadingContext): Reading | undefined {
  const [first, ...typed] = typedIn(words);
  const times = { ...timeContextOf(context), isKeptOff: context.given?.process === "start" };
  const run = first === periodWord ? findPeriod(typed, times, true) : undefined;
  if (run?.end !== typed.length) return undefined;
  const { reading } = run;
  if (isStart)
    return reading.kind === "period" && reading.period.startsAt !== undefined
      ? value(reading.period.startsAt)
      : missing;
  const shown = (period: Period) => periodText(period, context);
  switch (reading.kind) {
    case "period": {
      const { period, isAssumed } = reading;
      const assumed = isAssumed ? `Read “${typed.join(" ")}” as ${shown(period)}.` : undefined;
      return { kind: "value", value: period.endsAt, assumed };
    }
    case "choice":
      return {
        kind: "choice",
        text: `${reading.reason} Nothing was changed.`,
        options: reading.options.map((period) => {
          const start = startFieldOf(context);
          const also = start === undefined || period.startsAt === undefined ? {} : { [start]: period.startsAt };
          return { label: shown(period), value: period.endsAt, also };
        }),
      };
    case "series":
    case "several":
      return problem(ofSeveralDays);
    case "invalid":
      return problem(reading.reason);
    default:
      return reading satisfies never;
  }
}

const ofSeveralDays =
  "Those are several times. Ask for each by itself, or for a series: “every thu and fri 18:00-22:00 until 2026-12-31”.";

/** The end that counts from a run of what is kept up or off: `2h past its stop`; and on another day its start, right before the run. */
async function readRunOf(
  words: readonly Word[],
  isStart: boolean,
  context: ReadingContext,
): Promise<Reading | undefined> {
  const [first, ...typed] = typedIn(words);
  const found = first === periodWord ? findPeriod(typed, timeContextOf(context), true) : undefined;
  const said = found?.end === typed.length && found.reading.kind === "invalid" ? found.reading.run : undefined;
  const { resourceIds: ids, process } = context.given ?? {};
  if (!said) return undefined;
  if (!Array.isArray(ids)) return isStart ? missing : problem(unknownRun);
  const from = Math.max(said.from ?? 0, context.now);
  const isOfEnd = said.of === undefined;
  const of = said.of ?? (process === "start" ? "start" : "stop");
  const run = await nextRunOf({ resourceIds: ids.map(String) }, { ...context, now: from }, of);
  if (run === undefined || isProblem(run) || run.at >= (said.before ?? Number.POSITIVE_INFINITY))
    return isStart ? missing : problem(unknownRun);
  if (isStart) return isOfEnd && from > context.now ? value(run.at - afterRunMs) : missing;
  const at = run.at + said.ms;
  const shown = shortMoment(at, context.actor.timeZone, context.now);
  return { kind: "value", value: at, assumed: `Read “${typed.join(" ")}” as ${shown}.` };
}

const unknownRun =
  "I do not know that run of the schedule. Give the time itself, such as “until 21:00”. Nothing was changed.";

/** `Fri 27 Nov, 18:00 to Mon 30 Nov, 08:00` */
function periodText({ startsAt, endsAt }: Period, { actor, now }: ReadingContext): string {
  const shown = (at: number) => shortMoment(at, actor.timeZone, now);
  // Where a day ends: “tomorrow 00:00 to tomorrow 24:00”.
  const { hour, minute } = wallClockAt(endsAt, actor.timeZone);
  const end = hour + minute === 0 ? shown(endsAt - 60_000).replace("23:59", "24:00") : shown(endsAt);
  return startsAt === undefined ? `now to ${end}` : `${shown(startsAt)} to ${end}`;
}

function readStart(words: readonly Word[], context: ReadingContext): Reading {
  const weekend = words.some(({ value }) => /^weekends?$/i.test(value));
  const period = weekend ? readPeriodOf([{ ...asWord, value: periodWord }, ...words], true, context) : undefined;
  if (period?.kind === "value") return period;
  const read = readEnd([{ ...asWord, value: "until" }, ...words], context, (at) => at);
  return read.kind === "length" ? value(context.now + read.ms) : read;
}

function readDay(words: readonly Word[], context: ReadingContext): Reading {
  const [first, ...rest] = words;
  const said = first?.value.toLowerCase() === "on" ? rest : words;
  const read = readEnd([{ value: "until", ...asWord }, ...said], context, (at) => at);
  if (read.kind === "length") return problem(notUnderstood(typedIn(said)));
  // Which hour of the day was assumed makes no difference.
  return read.kind === "value" ? value(read.value) : read;
}

const asWord = { isQuoted: false, start: 0 } as const;

/** More words than any time has. What is longer is not read. */
const mostTyped = 200;

const typedIn = (words: readonly Word[]): readonly string[] =>
  words
    .slice(0, mostTyped + 1)
    .flatMap(({ value }) => value.split(/\s+/, mostTyped + 1))
    .filter((word) => word !== "");

/** The words start with `for`, `until` or the like. A bare time may leave that out: it is a length, or else the end. */
function readEnd(
  words: readonly Word[],
  context: ReadingContext,
  valueAt: (at: number) => unknown,
): Reading | { kind: "length"; ms: number } {
  const typed = typedIn(words);
  if (typed.length > mostTyped) return problem(notUnderstood(typed));
  const [keyword = ""] = /^(?:for|until|till?|by|to|through|thru|over)$/.exec(typed[0]?.toLowerCase() ?? "") ?? [];
  const said = keyword === "" ? typed : typed.slice(1);
  if (said.length === 0) return missing;
  const times = timesOf(context);
  const asTyped = readTime(typed, times);
  const read = asTyped ?? (keyword === "" ? readTime(["until", ...said], times) : undefined);
  switch (read?.kind) {
    case "length":
      return read;
    case "moment":
      return { kind: "value", value: valueAt(read.at), assumed: readAs(said, read, context), instead: read.instead };
    case "choice":
      return {
        kind: "choice",
        text: `${read.reason} Nothing was changed.`,
        options: read.options.map(({ label, at }) => ({ label, value: valueAt(at) })),
      };
    case "invalid":
      return problem(read.reason);
    case undefined:
      return problem(keyword === "for" ? notALength : notUnderstood(said));
    default:
      return read satisfies never;
  }
}

/** What was assumed, as a sentence: "Read “tomorrow” as tomorrow 08:00 (the start of the day)." */
function readAs(
  said: readonly string[],
  { at, assumed }: Extract<TimeReading, { kind: "moment" }>,
  { actor, now }: ReadingContext,
): string | undefined {
  if (assumed === undefined) return undefined;
  return `Read “${said.join(" ")}” as ${shortMoment(at, actor.timeZone, now)} (${assumed}).`;
}

/** The requester's clock and the team's day. */
export function timeContextOf(context: Asked & Pick<CommandContext, "now">): TimeContext {
  return { now: context.now, ...dayOf(context) };
}

/** What must not start stays off for whole days: many machines start before the team's day. */
const timesOf = (context: ReadingContext): TimeContext =>
  context.given?.process === "start"
    ? { ...timeContextOf(context), dayStarts: "00:00", dayEnds: "24:00" }
    : timeContextOf(context);

const notALength = "That is not a length of time. Write one such as 45m, 4h, 2h30m, 3d or 1w.";

/** Words that are no time stay in a text input, also while they are corrected there. */
function picker({ value: shown, typed }: Shown) {
  if (typed) return typedInput(typed);
  const element = { type: "datetimepicker", action_id: inputActionId } as const;
  const seconds = Math.ceil((instantOf(shown) ?? 0) / 60_000) * 60;
  // Slack refuses a form with a moment of fewer or more digits, such as one in the year 2300 (PLATFORM.md §8.4).
  return String(seconds).length === 10 ? { ...element, initial_date_time: seconds } : element;
}

function instantOf(shown: unknown): number | undefined {
  const at = typeof shown === "object" && shown !== null && "until" in shown ? shown.until : shown;
  return typeof at === "number" ? at : undefined;
}

/** Slack gives whole seconds (PLATFORM.md §7.6). */
function picked(
  { selected_date_time }: StateValue,
  { now }: ReadingContext,
  valueAt: (at: number) => unknown,
): Reading {
  if (!selected_date_time) return missing;
  const at = selected_date_time * 1000;
  return at > now ? value(valueAt(at)) : problem("That moment has already passed. Choose a later one.");
}

/** When something comes again, in the words of a line. */
const recurrence = typedKind<RecurrenceField>({
  usage: () => "every …",
  example: ({ isPart }) => (isPart ? "18:30-22:30" : `every ${example}`),
  read: readRepeat,
  write: (shown, { actor }) => {
    const known = readRecurrenceValue(shown);
    return known && recurrenceText(known, actor.timeZone);
  },
  input: () => ({ maxLength: longestRecurrence, placeholder: example }),
});

export const recurrenceKind: FieldKind<RecurrenceField> = {
  ...recurrence,
  fromLine: async (field, words, context) => {
    const reading = await recurrence.fromLine(field, words, context);
    const said = reading.kind === "value" && !field.isPart ? readRecurrenceValue(reading.value) : undefined;
    // Who says “daily”, or names today, means today as well.
    const isOfToday = said && (said.days.length === 7 || said.firstDay !== undefined) && !said.weeks && !said.nth;
    const within = isOfToday ? withToday(said, context.now) : said;
    return within === said ? reading : { ...reading, value: within };
  },
};

const example = "thu 18:00-22:00 until 2026-12-31";
const longestRecurrence = 300;

async function readRepeat(text: string, { isPart }: RecurrenceField, context: ReadingContext): Promise<Reading> {
  if (text.length > longestRecurrence)
    return problem(`At most ${longestRecurrence} characters are allowed. Write it like “every ${example}”.`);
  const words = text
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
  if (found.kind === "recurrence") return { kind: "value", value: found.recurrence, assumed: found.assumed };
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

/** The time that a question is about, in the words of a line. */
export const spanKind = typedKind<SpanField>({
  usage: () => "<day or time>",
  example: () => "tonight",
  read: (text, _field, context) => {
    const words = text.split(/\s+/);
    // The command took “next” as its own name.
    const said = words.join(" ").replace(/^(?=week\b)/i, "next ");
    const found = findSpan(words, timeContextOf(context));
    if (found?.start !== 0 || found.end < words.length || said.length > longestSpan || found.spans.length === 0)
      return problem(
        `I could not read “${cut(said, longestSpan)}” as a time. Write it like tonight, monday or 25 december.`,
      );
    return value({ said, spans: found.spans });
  },
  write: (shown) => (typeof shown === "object" && shown !== null && "said" in shown ? String(shown.said) : undefined),
  input: () => ({ maxLength: longestSpan, placeholder: "tonight, monday, 25 december, last night" }),
});
