import { shortDay, timeSpan } from "../../../time/format-moment.ts";
import { isoDay } from "../../../time/recurrence.ts";
import { addDays, momentOf, readClock, wallClockAt } from "../../../time/wall-clock.ts";
import type { Problem } from "../../answer.ts";
import type { FillContext, Inverse, ShortcutCommand } from "../../command.ts";
import { defined, moment, text, toggle } from "../../field.ts";
import type { Plan, Span } from "../../query-ports.ts";
import { exclusionOperation } from "../exclusion-body.ts";
import { findPlans, leaveOut, whatOf, withdrawPlan } from "./plans.ts";

/** "cancel staging on thu": leaves one time out of a series, or withdraws what is planned once for that day. */
export const leaveOutOne: ShortcutCommand = {
  kind: "shortcut",
  words: "leave out",
  aliases: ["leave out <thing> on <day>", ...["cancel", "end", "withdraw"].map((verb) => `${verb} <thing> on <day>`)],
  title: "Leave out one time",
  summary: "Leave one time out of a planned series",
  operation: exclusionOperation,
  fields: {
    thing: text({
      label: "What is planned",
      hint: "A resource group, a resource or the id of the plan",
      example: "staging",
      maxLength: 200,
      positional: "rest",
      optional: true,
    }),
    day: moment({ label: "Day", isDay: true, hidden: "form", optional: true }),
  },
  leadsTo: async ({ thing, day }, context) => {
    const named = typeof thing === "string" ? thing : "";
    const times = await timesPlanned(named, context);
    if (times.length === 0) return notPlanned(named);
    if (typeof day !== "number") return whichTime(which, times, context);
    const then = onDay(times, day, context);
    const [first, ...others] = then;
    const on = shortDay(day, context.actor.timeZone);
    if (!first) return whichTime(`Nothing is planned${named && ` for ${named}`} on ${on}.`, times, context);
    // Where nothing is named, it is shown first.
    if (named === "") return whichTime(which, then, context);
    return others.length > 0 ? whichTime(`More than one time is planned on ${on}.`, then, context) : without(first);
  },
};

/** "move build on 3 dec to 4 dec": leaves one time out, and plans it once for the other day, at the same times of day. */
export const moveOne: ShortcutCommand = {
  kind: "shortcut",
  words: "move time",
  aliases: ["move <thing> on <day> to <to>", "move <thing> from <day> to <to>"],
  title: "Move one time",
  summary: "Move one time of a planned series to another day",
  operation: exclusionOperation,
  fields: {
    thing: leaveOutOne.fields.thing ?? text({ label: "What", maxLength: 200 }),
    day: moment({ label: "Day", isDay: true, hidden: "form", optional: true }),
    // Only a phrase says it: on a line without one, there is one day.
    to: moment({ label: "To", isDay: true, hidden: "all", optional: true }),
    // Other times of day, `HH:MM`.
    starts: text({ label: "Starts", maxLength: 5, hidden: "all", optional: true }),
    ends: text({ label: "Ends", maxLength: 5, hidden: "all", optional: true }),
    sure: toggle({ label: "Confirmed", hidden: "all", optional: true }),
  },
  leadsTo: async ({ thing, day, to, starts, ends, sure }, context) => {
    const named = String(thing);
    const time = typeof day === "number" ? await timePlanned(named, day, context) : undefined;
    const times = await timesPlanned(named, context);
    if (times.length === 0) return notPlanned(named);
    if (!time || typeof to !== "number" || time.plan.repeats === undefined)
      return { problem: `Say which time and to which day: “move ${named} on 3 dec to 4 dec”. Nothing was changed.` };
    const { plan, span } = time;
    const [from = 0, until = 0] = [
      atClock(onOtherDay(span.startsAt, span, to, context), starts, plan.zone),
      atClock(onOtherDay(span.endsAt, span, to, context), ends, plan.zone),
    ];
    const { resourceIds, type, project, process, name, reason } = plan.input;
    const input = { resourceIds, type, project, process, name, reason, from, until };
    if (sure === true) return { words: "exclusion create", input: defined(input), also: without(time) };
    const other = `${shortDay(from, plan.zone)}, ${timeSpan(from, until, plan.zone)}`;
    const isMoved = shortDay(from, plan.zone) !== shortDay(span.startsAt, plan.zone);
    return {
      problem: `${whatOf(plan.resourceIds, context)}: ${timeWords(time)} is left out, and it is planned once for ${other}. Nothing was changed yet.`,
      buttons: [
        {
          label: isMoved ? `Move it to ${shortDay(to, plan.zone)}` : `Change only ${other}`,
          ...{ words: "move time", opens: "result" },
          input: defined({ thing: plan.id, day, to, starts, ends, sure: true }),
        },
      ],
    };
  },
};

/** The time of day of that day, if one is given. */
function atClock(at: number, clock: unknown, zone: string): number {
  if (typeof clock !== "string") return at;
  const { hour = 0, minute = 0 } = readClock(clock) ?? {};
  return momentOf({ ...wallClockAt(at, zone), hour, minute }, zone);
}

/** The same time of day, as many days later or earlier as the other day is. */
function onOtherDay(at: number, { startsAt }: Span, to: number, { actor: { timeZone } }: FillContext): number {
  const day = (moment: number) => Date.parse(`${isoDay(wallClockAt(moment, timeZone))}T00:00:00Z`);
  const days = Math.round((day(to) - day(startsAt)) / 86_400_000);
  const { hour, minute, ...from } = wallClockAt(at, timeZone);
  return momentOf({ ...addDays(from, days), hour, minute }, timeZone);
}

/** The one time that is planned for a thing on a day; undefined where none is, or several. */
export async function timePlanned(thing: string, day: number, context: FillContext): Promise<Time | undefined> {
  const [first, ...others] = onDay(await timesPlanned(thing, context), day, context);
  return others.length === 0 ? first : undefined;
}

async function timesPlanned(thing: string, context: FillContext): Promise<readonly Time[]> {
  const plans = (await findPlans(thing, context)).plans.filter(({ isWaiting }) => !isWaiting);
  return plans.flatMap((plan) => plan.spans.map((span) => ({ plan, span })));
}

function onDay(times: readonly Time[], day: number, { actor }: FillContext): readonly Time[] {
  const named = isoDay(wallClockAt(day, actor.timeZone));
  return times.filter(({ plan, span }) => isoDay(wallClockAt(span.startsAt, plan.zone)) === named);
}

export interface Time {
  readonly plan: Plan;
  readonly span: Span;
}

export function without({ plan, span }: Time): Inverse {
  const { words, input } = plan.repeats === undefined ? withdrawPlan("", plan.id) : leaveOut(plan, span);
  return { words, input };
}

const shownTimes = 4;
const which = "Which time do you want to leave out?";

function whichTime(why: string, times: readonly Time[], context: FillContext): Problem {
  const shown = times.toSorted((one, other) => one.span.startsAt - other.span.startsAt).slice(0, shownTimes);
  return {
    problem: `${why} Nothing was changed. Planned next:`,
    buttons: shown.map((time) => ({
      ...without(time),
      ...{ opens: "result", label: `Leave out ${whatOf(time.plan.resourceIds, context)}, ${timeWords(time)}` },
    })),
  };
}

export const timeWords = ({ plan: { zone }, span: { startsAt, endsAt } }: Time): string =>
  `${shortDay(startsAt, zone)}, ${timeSpan(startsAt, endsAt, zone)}`;

const notPlanned = (thing: string): Problem => ({
  problem: `${thing === "" ? "You plan nothing" : `Nothing is planned for “${thing}” that you may see`}. Nothing was changed. “list” shows what is planned and kept.`,
});
