import { z } from "zod";
import { formatDay } from "../../../time/format-moment.ts";
import { calendarDay, type Occurrence, occurrencesOf, type Recurrence } from "../../../time/recurrence.ts";
import { isProblem, type Problem } from "../../answer.ts";
import type { CommandContext } from "../../command.ts";
import type { SeriesPlan, Step } from "../../series.ts";
import { type NewExclusion, nameOf } from "../new-exclusion.ts";
import { recurrenceWords } from "./recurrence-words.ts";

export type Repeated = Omit<NewExclusion, "until"> & { readonly every: Recurrence };

/** More would be a schedule, which belongs into the service. */
export const mostOccurrences = 60;

interface Planned {
  readonly plan: SeriesPlan;
  readonly occurrences: readonly Occurrence[];
  /** The days that calendars leave out, `YYYY-MM-DD`. */
  readonly daysOff: readonly string[];
}

/** Each time of a series as a step; or why it cannot be planned. */
export async function repeatPlan(input: Repeated, context: CommandContext): Promise<Planned | Problem> {
  const { every } = input;
  const off = await daysOffIn(every, context);
  if (isProblem(off)) return off;
  const occurrences = occurrencesFrom(input, context, (day) => off.days.has(day));
  if (isProblem(occurrences)) return occurrences;
  const name = nameOf(input, context);
  const { resourceIds, type, project, process } = input;
  const steps = occurrences.map(({ startsAt, endsAt, day }): Step => {
    const times = { from: startsAt, until: endsAt };
    const asked = `${formatDay(calendarDay(day))}, ${every.starts}–${every.ends}`;
    return { words: "exclusion create", input: { resourceIds, type, project, process, name, ...times }, asked };
  });
  const times = recurrenceWords(every, context.actor.timeZone);
  const daysOff = occurrencesOf(every, context.now, (day) => !off.days.has(day)).map(({ day }) => day);
  return { plan: { steps, notes: [], ahead: [], times }, occurrences, daysOff };
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
  const last = all[mostOccurrences - 1];
  if (all.length <= mostOccurrences || !isKnown || !last) return all;
  const shorter = { ...input, every: { ...every, lastDay: last.day } };
  const until = formatDay(calendarDay(last.day));
  return {
    problem: `That is ${all.length} times, and a series has at most ${mostOccurrences}. Nothing was changed: give an earlier last day. ${until} is the latest.`,
    buttons: [{ label: `Until ${until}`, words: "exclusion repeat", opens: "result", input: shorter }],
  };
}

async function daysOffIn(
  { notOn, lastDay, zone }: Recurrence,
  { calendars, now }: CommandContext,
): Promise<{ readonly days: ReadonlySet<string> } | Problem> {
  const days = new Set<string>();
  for (const name of notOn) {
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
