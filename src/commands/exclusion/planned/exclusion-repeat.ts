import { z } from "zod";
import { pauseMs } from "../../../permissions/held-time.ts";
import { maxResources } from "../../../service/resources.ts";
import { formatDay, formatTime, shortMoment, timeSpan } from "../../../time/format-moment.ts";
import { calendarDay, type Occurrence, occurrencesOf, type Recurrence } from "../../../time/recurrence.ts";
import { wallClockAt } from "../../../time/wall-clock.ts";
import { isProblem, type Problem } from "../../answer.ts";
import {
  type CommandContext,
  defineChange,
  type FillContext,
  type Preview,
  type SeriesPlan,
  type Step,
} from "../../command.ts";
import { recurrence, text } from "../../field.ts";
import { alreadyPlanned } from "../already-excluded.ts";
import { derivePlace } from "../derive-place.ts";
import { effects, exclusionFacts, keepWords, namedIds } from "../exclusion-body.ts";
import { exclusionNotes } from "../exclusion-preview.ts";
import { howFields, type NewExclusion, nameOf, newExclusion, repeatPhrases, whatFields } from "../new-exclusion.ts";
import { overlapLines } from "../overlapping-exclusions.ts";
import { isDay, recurrenceWords } from "./recurrence-words.ts";

/** An exclusion that comes again: each time is a change by itself, which its series has approved. */
export const exclusionRepeat = defineChange({
  words: "exclusion repeat",
  aliases: repeatPhrases,
  shownAs: "keep <resourceIds> up",
  title: "Keep running again",
  summary: "Keep something running or off again and again",
  submit: ({ process = "stop" }) => effects.find(({ value }) => value === process)?.label ?? "Keep running",
  operation: "CreateActionExclusion",
  about: "exclusion",
  fields: {
    ...whatFields,
    every: recurrence({
      label: "Every",
      hint: "Days, times and the last day; without days off: “not on holidays”",
      redraws: true,
    }),
    reason: text({ label: "Why", maxLength: 500, optional: true }),
    ...howFields,
    leftOut: text({ label: "Left out", maxLength: 700, hidden: "all", isKept: true, optional: true }),
  },
  subjectId: () => null,
  complete: async (input, context) => ({
    process: "stop",
    ...(await derivePlace(input.resourceIds ?? [], input, context)),
  }),
  notes: (input, context) => exclusionNotes(input, context),
  preview: previewRepeat,
  already: async (input, context) => {
    const planned = await repeatPlan(input, context);
    if (isProblem(planned)) return planned;
    return alreadyPlanned({ ...input, words: "exclusion repeat" }, planned.occurrences, context);
  },
  prepare: async (input, context) => ({ ...input, name: nameOf(input, context) }),
  request: (input, context) => {
    const occurrences = occurrencesFrom(input, context);
    return isProblem(occurrences)
      ? occurrences
      : newExclusion({ ...input, until: occurrences[0]?.endsAt ?? context.now }, context);
  },
  replaces: (input) => input.replaces,
  // Before its times are known, it is judged without a length; and then each of them is, too.
  target: ({ request }) => ({
    projectId: request.projectId,
    resourceType: request.resourceType,
    resourceIds: namedIds(request),
    exclusionLengthMs: longestIn(request),
  }),
  resources: ({ request }) => ({ claimed: request.resourceIds ?? [], resourceType: request.resourceType, before: [] }),
  describe: ({ request }) => {
    const times = timesIn(request);
    const when = times ? ` ${times}` : "";
    return {
      done: `${keepWords(request, "did")}${when}`,
      asked: `${keepWords(request, "want")}${when}`,
      facts: exclusionFacts(request),
    };
  },
  series: {
    isTimed: true,
    operations: ["CreateActionExclusion"],
    plan: async (input, context) => {
      const planned = await repeatPlan(input, context);
      return isProblem(planned) ? planned : planned.plan;
    },
    further: () => [],
    staysUndone: "",
  },
});

const shownTimes = 3;

/** How often it is, when it is first, and what is left out. */
async function previewRepeat(
  {
    resourceIds,
    type,
    project,
    process,
    every,
    leftOut,
    replaces,
  }: Partial<Repeated> & {
    readonly replaces?: string | undefined;
  },
  context: FillContext,
): Promise<Preview> {
  if (!resourceIds || !type || !project || !process || !every) return { lines: [], buttons: [] };
  const planned = await repeatPlan({ resourceIds, type, project, process, every, leftOut }, context);
  if (isProblem(planned)) return { lines: [planned.problem], buttons: planned.buttons ?? [] };
  const { occurrences, daysOff } = planned;
  const { timeZone } = context.actor;
  const first = occurrences.slice(0, shownTimes).map(({ startsAt, endsAt }) => {
    const { hour, minute } = wallClockAt(endsAt, timeZone);
    return `${shortMoment(startsAt, timeZone, context.now)}–${formatTime({ hour, minute })}`;
  });
  const count = occurrences.length === 1 ? "Once" : `${occurrences.length} times`;
  const more = occurrences.length > shownTimes ? ", …" : "";
  const lines = [
    `${count}: ${first.join(", ")}${more}.`,
    ...(daysOff.length > 0 ? [`Left out: ${daysOff.slice(0, 10).join(", ")}${daysOff.length > 10 ? ", …" : ""}.`] : []),
  ];
  const others = await overlapLines({ resourceIds, process, replaces }, occurrences, context);
  return { lines: [...lines, ...others], buttons: [], answer: { effect: [lines.join(" ")], lines: others } };
}

export type Repeated = Omit<NewExclusion, "until"> & {
  readonly every: Recurrence;
  /** Days of it that were left out one by one, `YYYY-MM-DD`, with spaces between them. */
  readonly leftOut?: string | undefined;
};

/** More would be a schedule, which belongs into the service. */
export const mostOccurrences = 60;
/** A large group comes less often: each time names its machines. */
const mostNamed = mostOccurrences * maxResources;
const mostTimes = (machines: number): number => Math.min(mostOccurrences, Math.floor(mostNamed / machines));

interface Planned {
  readonly plan: SeriesPlan;
  readonly occurrences: readonly Occurrence[];
  /** The days that calendars leave out, `YYYY-MM-DD`. */
  readonly daysOff: readonly string[];
}

/** Each time of a series as a step; or why it cannot be planned. */
export async function repeatPlan(input: Repeated, context: CommandContext): Promise<Planned | Problem> {
  const { every } = input;
  if (mostTimes(input.resourceIds.length) < 2) return tooManyTimes(input.resourceIds.length);
  const off = await daysOffIn(input, context);
  if (isProblem(off)) return off;
  const occurrences = occurrencesFrom(input, context, (day) => off.days.has(day));
  if (isProblem(occurrences)) return occurrences;
  const name = nameOf(input, context);
  const { resourceIds, type, project, process } = input;
  const steps = joined(occurrences).flatMap(({ parts, from, until }) =>
    parts.map(({ startsAt, endsAt, day }): Step => {
      const same = { resourceIds, type, project, process, name };
      const input = { ...same, from: startsAt, until: endsAt };
      const asked = `${formatDay(calendarDay(day))}, ${timeSpan(startsAt, endsAt, every.zone)}`;
      const step = { words: "exclusion create", input, asked };
      return parts.length === 1 ? step : { ...step, judgedAs: { ...same, from, until } };
    }),
  );
  const times = recurrenceWords(every, context.actor.timeZone);
  const daysOff = occurrencesOf(every, context.now, (day) => !off.days.has(day)).map(({ day }) => day);
  return { plan: { steps, notes: [], ahead: [], times }, occurrences, daysOff };
}

const tooManyTimes = (count: number): Problem => ({
  field: "resourceIds",
  problem: `That is ${count} machines, and at most ${mostNamed / 2} are kept several times. Nothing was changed: name a smaller group, or keep it once.`,
});

interface Joined {
  readonly parts: readonly Occurrence[];
  readonly from: number;
  readonly until: number;
}

/** With less than an hour between them, times keep resources as one long exclusion would, and are judged as one. */
function joined(occurrences: readonly Occurrence[]): readonly Joined[] {
  const found: Joined[] = [];
  for (const each of occurrences) {
    const last = found.at(-1);
    const follows = last !== undefined && each.startsAt - last.until < pauseMs;
    if (last && follows) found.splice(-1, 1, { ...last, parts: [...last.parts, each], until: each.endsAt });
    else found.push({ parts: [each], from: each.startsAt, until: each.endsAt });
  }
  return found;
}

/** The times that are still ahead, at most as many as may be planned; more only where some are off. */
export function occurrencesFrom(
  { every, ...input }: Repeated,
  { now }: Pick<CommandContext, "now">,
  isOff?: (day: string) => boolean,
): readonly Occurrence[] | Problem {
  const all = occurrencesOf(every, now, isOff);
  if (all.length === 0)
    return {
      field: "every",
      problem: "None of these times is ahead. Nothing was changed: give a later last day, or other days.",
    };
  const isKnown = isOff !== undefined || every.notOn.length === 0;
  const most = mostTimes(input.resourceIds.length);
  const last = all[most - 1];
  if (all.length <= most || !isKnown || !last) return all;
  const shorter = { ...input, every: { ...every, lastDay: last.day } };
  const until = formatDay(calendarDay(last.day));
  return {
    problem: `That is ${all.length} times, and a series${most < mostOccurrences ? " of so many machines" : ""} has at most ${most}. Nothing was changed: give an earlier last day. ${until} is the latest.`,
    buttons: [{ label: `Until ${until}`, words: "exclusion repeat", opens: "result", input: shorter }],
  };
}

async function daysOffIn(
  { every: { notOn, lastDay, zone }, leftOut = "" }: Repeated,
  { calendars, now }: CommandContext,
): Promise<{ readonly days: ReadonlySet<string> } | Problem> {
  const days = new Set([...leftOut.split(" "), ...notOn.filter(isDay)].filter((day) => day !== ""));
  for (const name of notOn.filter((each) => !isDay(each))) {
    const read = (await calendars?.daysOff(name, { from: now, lastDay, zone })) ?? {
      problem: `There is no calendar “${name}”. Nothing was changed: leave out “not on ${name}”.`,
    };
    if ("problem" in read) return { field: "every", ...read };
    for (const day of read.days) days.add(day);
  }
  return { days };
}

const timed = z.object({ times: z.string() });

/** When a recorded series comes, in words. */
export const timesIn = (request: unknown): string | undefined => timed.safeParse(request).data?.times;

const span = z.object({ from: z.number(), until: z.number() });
const timesOf = z.object({ steps: z.array(z.object({ input: span, judgedAs: span.optional() })) });

/** The length of the longest time of a recorded series, in ms. */
export function longestIn(request: unknown): number {
  const { steps = [] } = timesOf.safeParse(request).data ?? {};
  const lengths = steps.map(({ input, judgedAs: { from, until } = input }) => until - from);
  return Math.max(0, ...lengths);
}
