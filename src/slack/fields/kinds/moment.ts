import { isProblem } from "../../../commands/answer.ts";
import type { CommandContext } from "../../../commands/command.ts";
import { type Asked, dayOf } from "../../../commands/exclusion/day-of.ts";
import { afterRunMs } from "../../../commands/exclusion/kept-until.ts";
import { nextRunOf } from "../../../commands/exclusion/next-run.ts";
import type { ExtensionField, Field, MomentField } from "../../../commands/field.ts";
import { findPeriod } from "../../../language/periods/find-period.ts";
import type { Period } from "../../../language/periods/resolve-period.ts";
import { notUnderstood, readTime, type TimeContext, type TimeReading } from "../../../language/read-time.ts";
import { periodWord } from "../../../language/take-times.ts";
import { timeWords } from "../../../language/time-words/words.ts";
import type { Word } from "../../../language/tokenize.ts";
import { shortMoment } from "../../../time/format-moment.ts";
import { wallClockAt } from "../../../time/wall-clock.ts";
import {
  type FieldKind,
  inputActionId,
  missing,
  problem,
  type Reading,
  type ReadingContext,
  type StateValue,
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
  draw: async (_field, { value: at }) => picker(at),
  fromState: async (_field, state, context) => {
    const at = picked(state);
    return at === undefined ? missing : notPast(at, context.now, at);
  },
};

/** The same, but a length is added to the present end rather than to now. */
export const extensionKind: FieldKind<ExtensionField> = {
  usage: () => "for …|until …",
  example: () => "for 2h",
  fromLine: async (_field, words, context) => {
    const read = readEnd(words, context, (until) => ({ until }));
    return read.kind === "length" ? value({ forMs: read.ms }) : read;
  },
  draw: async (_field, { value: end }) => picker(end),
  fromState: async (_field, state, context) => {
    const at = picked(state);
    return at === undefined ? missing : notPast(at, context.now, { until: at });
  },
};

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

/** More words than any time has. What is longer is not read to its end. */
const mostTyped = 200;

const typedIn = (words: readonly Word[]): readonly string[] =>
  words
    .slice(0, mostTyped)
    .flatMap(({ value }) => value.split(/\s+/, mostTyped))
    .filter((word) => word !== "");

/** The words start with `for`, `until` or the like. A bare time may leave that out: it is a length, or else the end. */
function readEnd(
  words: readonly Word[],
  context: ReadingContext,
  valueAt: (at: number) => unknown,
): Reading | { kind: "length"; ms: number } {
  const typed = typedIn(words);
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

function picker(shown: unknown) {
  const element = { type: "datetimepicker", action_id: inputActionId } as const;
  const seconds = Math.ceil((instantOf(shown) ?? 0) / 60_000) * 60;
  // Slack refuses a form with a moment of fewer or more digits, such as one in the year 2300 (PLATFORM.md §8.4).
  return String(seconds).length === 10 ? { ...element, initial_date_time: seconds } : element;
}

function instantOf(shown: unknown): number | undefined {
  if (typeof shown === "number") return shown;
  if (typeof shown !== "object" || shown === null || !("until" in shown)) return undefined;
  return typeof shown.until === "number" ? shown.until : undefined;
}

/** Slack gives whole seconds (PLATFORM.md §7.6). */
function picked({ selected_date_time }: StateValue): number | undefined {
  return selected_date_time ? selected_date_time * 1000 : undefined;
}

function notPast(at: number, now: number, read: unknown): Reading {
  return at > now ? value(read) : problem("That moment has already passed. Choose a later one.");
}
