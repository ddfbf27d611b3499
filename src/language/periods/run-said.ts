import { addDays } from "../../time/wall-clock.ts";
import { daysMeant } from "../time-meaning/days-meant.ts";
import type { TimeContext } from "../time-meaning/time-reading.ts";
import type { Parts } from "../time-words/parts.ts";
import { phrases, skip, type TimeWords } from "../time-words/phrases.ts";
import { readDate } from "../time-words/read-date.ts";
import { readDay } from "../time-words/read-day.ts";
import { readLength } from "../time-words/read-length.ts";
import { readMonth } from "../time-words/read-month.ts";
import { todayOf } from "./dates-said.ts";
import { instant, type RunSaid } from "./resolve-period.ts";

export interface RunSaidRead {
  readonly end: number;
  readonly run: RunSaid;
}

const leads = phrases("until|till|til|for|at least|about|around|up to|another|an extra|extra");
const articles = phrases("its|the|their|his|her|it's|today's|tonight's|tomorrow's");
const usual = phrases(
  "usual|normal|regular|scheduled|planned|daily|nightly|evening|ordinary|standard|default|next|morning",
);
const past = phrases("past|after|beyond|over|longer than|more than|later than|on top of");
const stops = phrases(
  "stop time|stopping time|shutdown time|switch-off time|stop|shutdown|shut-down|switch-off|closing time|end time|hours|schedule|times|time",
);
const than = phrases(
  "longer than|more than|later than|extra than|past|beyond|longer as|longer then|later then|more then",
);
const usually = phrases(
  "it usually does|it normally does|it usually is|they usually do|as usual|usual|usually|normal|normally|always|scheduled|planned|as scheduled|the schedule|its schedule|it should|other days",
);
const untils = phrases("until|till|til");
const itStarts = phrases(
  [
    ...["it", "they"].flatMap((it) =>
      ["starts", "start", "boots", "boot", "comes up", "come up", "comes back up", "is started", "are started"].map(
        (verb) => `${it} ${verb}`,
      ),
    ),
  ].join("|"),
);
const starts = phrases("start time|startup|start-up|start|boot|wake-up");
const again = phrases(
  "again in the morning|next in the morning|in the morning again|again|next|in the morning|by itself",
);
const dayParts = phrases("in the morning|in the evening|morning|evening|night");
const on = phrases("on|this|,");

/** Reads `today 3h past its stop`, `2 hours longer than usual on friday`, `until it starts again`, with its day before or behind. */
export function readRunSaid(words: TimeWords, context: TimeContext): RunSaidRead | undefined {
  const before = dayAt(words, 0);
  const read = lengthAfter(words, before?.end ?? 0) ?? untilStart(words, before?.end ?? 0);
  if (!read) return undefined;
  const behind = before ? undefined : dayAt(words, read.end);
  const day = before ?? behind;
  const { ms, of } = read;
  const run = { ms, of, ...(day ? withinDay(day.parts, context) : {}) };
  return { end: behind?.end ?? read.end, run };
}

interface Read {
  readonly end: number;
  readonly ms: number;
  readonly of: RunSaid["of"];
}

function lengthAfter(words: TimeWords, at: number): Read | undefined {
  const length = readLength(words, skip(words, at, leads));
  if (!length || length.months > 0 || length.reading.kind !== "duration") return undefined;
  const { ms } = length.reading;
  const [named, started] = [stopBehind(words, length.end, stops), stopBehind(words, length.end, starts)];
  if (started !== undefined) return { end: started, ms, of: "start" };
  const compared = skip(words, length.end, than);
  const end = named ?? (compared > length.end ? skip(words, compared, usually) : undefined);
  return end === undefined || end === compared ? undefined : { end, ms, of: undefined };
}

/** `past its usual stop` */
function stopBehind(words: TimeWords, at: number, names: typeof stops): number | undefined {
  const after = skip(words, at, past);
  const name = skip(words, skip(words, after, articles), usual);
  const end = skip(words, name, names);
  return after > at && end > name ? end : undefined;
}

/** `until its next start`, `until it starts again in the morning` */
function untilStart(words: TimeWords, at: number): Read | undefined {
  const until = skip(words, at, untils);
  if (until === at) return undefined;
  const verb = skip(words, until, itStarts);
  if (verb > until) return { end: skip(words, verb, again), ms: 0, of: "start" };
  const its = skip(words, until, articles);
  const name = skip(words, its, usual);
  const end = skip(words, name, starts);
  return its > until && end > name ? { end: skip(words, end, again), ms: 0, of: "start" } : undefined;
}

function dayAt(words: TimeWords, start: number): { readonly end: number; readonly parts: Parts } | undefined {
  const at = skip(words, start, on);
  const read = readDate(words, at) ?? readMonth(words, at) ?? readDay(words, at);
  const { days, weekday, clock, edge, problem } = read?.parts ?? {};
  const isDay = (days ?? weekday) && days?.is !== "period" && !clock && !edge && problem === undefined;
  return read && isDay ? { ...read, end: skip(words, read.end, dayParts) } : undefined;
}

/** The day from its first moment to the end of its night. */
function withinDay(parts: Parts, context: TimeContext): Pick<RunSaid, "from" | "before"> {
  const meant = daysMeant(parts, todayOf(context));
  const [only, ...others] = "problem" in meant ? [] : meant;
  if (!only || others.length > 0) return { from: 0, before: 0 };
  const place = { zone: context.dayZone, aheadMs: 0 };
  return { from: instant(only.day, 0, place), before: instant(addDays(only.day, 1), nightEnds, place) };
}

const nightEnds = 6 * 60;
