import { shortDay, timeSpan } from "../../../time/format-moment.ts";
import { isoDay } from "../../../time/recurrence.ts";
import { wallClockAt } from "../../../time/wall-clock.ts";
import type { CommandButton, Problem } from "../../answer.ts";
import type { FillContext, Inverse, ShortcutCommand } from "../../command.ts";
import { moment, text } from "../../field.ts";
import type { Plan, Span } from "../../query-ports.ts";
import { exclusionOperation } from "../exclusion-body.ts";
import { findPlans } from "./find-plans.ts";
import { leaveOut, withdrawPlan } from "./plan-buttons.ts";
import { whatOf } from "./plans.ts";

/** "cancel staging on thu": leaves one time out of a series, or withdraws what is planned once for that day. */
export const leaveOutOne: ShortcutCommand = {
  kind: "shortcut",
  words: "leave out",
  aliases: [
    "leave out <thing> on <day>",
    ...["cancel", "end", "withdraw"].map((verb) => `${verb} <thing> on <day>`),
    { phrase: "skip <thing> on <day>", sets: { said: "skip" } },
  ],
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
    }),
    day: moment({ label: "Day", isDay: true, hidden: "form", optional: true }),
    said: text({ label: "Said as", maxLength: 10, hidden: "all", optional: true }),
  },
  leadsTo: async ({ thing, day, said }, context) => {
    const plans = (await findPlans(String(thing), context)).plans.filter(({ isWaiting }) => !isWaiting);
    if (plans.length === 0) return said === "skip" ? nextOnly(String(thing)) : notPlanned(String(thing));
    const times = plans.flatMap((plan) => plan.spans.map((span) => ({ plan, span })));
    if (typeof day !== "number") return whichTime(`Which time do you want to leave out?`, times, context);
    const named = isoDay(wallClockAt(day, context.actor.timeZone));
    const then = times.filter(({ plan, span }) => isoDay(wallClockAt(span.startsAt, plan.zone)) === named);
    const [first, ...others] = then;
    const on = shortDay(day, context.actor.timeZone);
    if (!first && said === "skip") return nextOnly(String(thing));
    if (!first) return whichTime(`Nothing is planned for ${String(thing)} on ${on}.`, times, context);
    if (said === "skip") return notSkipped(String(thing), first);
    return others.length > 0 ? whichTime(`More than one time is planned on ${on}.`, then, context) : without(first);
  },
};

interface Time {
  readonly plan: Plan;
  readonly span: Span;
}

function without({ plan, span }: Time): Inverse {
  const { words, input } = plan.repeats === undefined ? withdrawPlan("", plan.id) : leaveOut(plan, span);
  return { words, input };
}

const shownTimes = 4;

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

const timeWords = ({ plan: { zone }, span: { startsAt, endsAt } }: Time): string =>
  `${shortDay(startsAt, zone)}, ${timeSpan(startsAt, endsAt, zone)}`;

/** To skip a run keeps its resources running: the opposite. */
function notSkipped(thing: string, time: Time): Problem {
  const without: CommandButton = leaveOut(time.plan, time.span);
  return {
    problem: `To skip is to keep ${thing} running through its next stop. For ${timeWords(time)} it is planned to be kept running. Nothing was changed.`,
    buttons: [
      time.plan.repeats === undefined ? withdrawPlan("Withdraw the plan", time.plan.id) : without,
      skipNext(thing),
    ],
  };
}

const skipNext = (thing: string): CommandButton => ({
  ...{ label: "Skip the next run", words: "skip", opens: "result", input: { thing } },
});

const nextOnly = (thing: string): Problem => ({
  problem: `Only the next run of ${thing} can be skipped, so no day is named. Nothing was changed. For another day, say “keep ${thing} up from … until …”.`,
  buttons: [skipNext(thing)],
});

const notPlanned = (thing: string): Problem => ({
  problem: `Nothing is planned for “${thing}” that you may see. Nothing was changed. “exclusion list” shows what is planned and in force.`,
});
