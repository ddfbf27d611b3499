import { waitingShown } from "../about-changes/approval.ts";
import { type Answer, isProblem, type Line, type Problem, resultButton } from "../answer.ts";
import { defineQuery, type QueryContext } from "../command.ts";
import { exclusionLines } from "../exclusion/exclusion-line.ts";
import { namesThing } from "../exclusion/list-exclusions.ts";
import { planLine, plansSeen, whatOf } from "../exclusion/planned/plans.ts";
import { text } from "../field.ts";
import { type Filter, readFilter } from "../filter.ts";
import type { HoursHeld } from "../query-ports.ts";
import { warningLines } from "../warnings.ts";
import { maySeeProject } from "./may-see.ts";

export const mine = defineQuery({
  words: "mine",
  title: "Mine",
  summary: "Show what I hold, planned, get warned of and wait for",
  operation: null,
  fields: {},
  answer: async (_input, context) => {
    const { userId } = context.actor;
    const isOwn = ({ ownerId }: { readonly ownerId: string | null }) => ownerId === userId;
    const live = await context.directory.liveExclusions(context.now);
    const held = live.filter(isOwn);
    const plans = (await plansSeen(context)).filter(isOwn);
    const waiting = await context.waiting();
    const warnings = await warningLines(context);
    const counts = Object.entries({
      held: held.length,
      planned: plans.length,
      waiting: waiting.length,
      [warnings.length === 1 ? "warning" : "warnings"]: warnings.length,
    }).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
    const isEmpty = counts.length === 0;
    return {
      title: isEmpty ? "You hold and plan nothing, and nothing of yours waits." : `Yours: ${counts.join(", ")}`,
      isEmpty,
      items: [
        ...(await exclusionLines(held, context, true)),
        ...(await Promise.all(plans.map((plan) => planLine(plan, context)))),
        ...waiting.map(waitingShown),
        ...warnings,
      ],
      buttons: [resultButton("My changes", "history", { which: "mine" })],
    };
  },
});

const shownLines = 15;
/** All that is shown is of this week. */
const ofWeek = /\b(?:(?:this )?week|hours|left)\b/gi;

export const budget = defineQuery({
  words: "budget",
  title: "Budget",
  summary: "Show the hours held this week, and my limits",
  operation: null,
  fields: {
    which: text({
      label: "Filter",
      hint: "“mine”, a person, a project or a thing",
      example: "p-dev",
      maxLength: 200,
      positional: "rest",
      keepsMentions: true,
      optional: true,
    }),
  },
  answer: async ({ which = "" }, context) => {
    const filter = await readFilter(which.replace(ofWeek, " "), ["mine", "others", "person", "things"], context);
    return isProblem(filter) ? filter : budgetAnswer(filter, context);
  },
});

async function budgetAnswer(filter: Filter, context: QueryContext): Promise<Answer | Problem> {
  const { held, limits } = await context.weekHours();
  const shown = held
    .filter((each) => isSeen(each, context) && isWanted(each, filter, context.actor.userId))
    .sort((one, other) => leftOf(one) - leftOf(other));
  const more = shown.length - shownLines;
  return {
    title: [titleOf(shown[0], context), ...filter.said].join(", "),
    note: [
      ...(more > 0 ? [`${more} more are not shown.`] : []),
      "Weeks begin on Monday. Each machine's hours count, also those ahead, but not those of plans.",
    ].join(" "),
    items: [
      ...(await Promise.all(shown.slice(0, shownLines).map((each) => heldLine(each, context)))),
      { title: "What applies to you", facts: [], steps: limits.map((value) => ({ label: "", value })) },
    ],
  };
}

/** Infinite without a budget. */
const leftOf = ({ hours, budget: limit = Number.POSITIVE_INFINITY }: HoursHeld): number =>
  Math.round(limit * 10 - hours * 10) / 10;

/** What is closest to its budget: "13 h left of 40 h this week, for qa". */
function titleOf(closest: HoursHeld | undefined, context: QueryContext): string {
  if (closest === undefined) return "Nothing is held this week";
  const left = leftOf(closest);
  if (closest.budget === undefined) return "No budget counts what is held this week";
  const of = `of ${closest.budget} h this week, for ${whatOf(closest.resourceIds, context)}`;
  return left < 0 ? `${-left} h more than the budget ${of}` : `${left} h left ${of}`;
}

const isSeen = ({ by, projectId }: HoursHeld, context: QueryContext): boolean =>
  by === context.actor.userId || maySeeProject(context, projectId);

function isWanted(held: HoursHeld, { mine, others, person, things }: Filter, requesterId: string): boolean {
  if ((mine && held.by !== requesterId) || (others && held.by === requesterId)) return false;
  if (person !== undefined && held.by !== person) return false;
  return things === undefined || things.some((thing) => namesThing(held, thing));
}

/** "staging · 5 of 40 h · 35 h left" */
async function heldLine(held: HoursHeld, context: QueryContext): Promise<Line> {
  const { by, projectId, resourceIds, hours, budget: limit } = held;
  const project = projectId === null ? undefined : await context.directory.get("project", projectId);
  const name = whatOf(resourceIds, context);
  const left = leftOf(held);
  const budgetParts = left < 0 ? [`${-left} h over the budget`] : [`${left} h left`];
  return {
    id: `${by} ${projectId} ${resourceIds.join(" ")}`,
    ...{ sign: limit !== undefined && left < 0 ? "failed" : "none", name },
    parts: [
      by === context.actor.userId ? "you" : { person: by },
      limit === undefined ? `${hours} h, no budget` : `${hours} of ${limit} h`,
      ...(limit === undefined ? [] : budgetParts),
      ...(projectId === null ? [] : [project?.name ?? projectId]),
    ],
    menu: [resultButton("Status", "status", { thing: name })],
  };
}
