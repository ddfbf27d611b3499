import { resourceKeys } from "../../directory/resources.ts";
import type { Action, Schedule } from "../../service/resources.ts";
import { ianaZone } from "../../time/zone.ts";
import { readableActions } from "../action.ts";
import {
  type Answer,
  type CommandButton,
  type Item,
  isProblem,
  type Line,
  type Problem,
  resultButton,
} from "../answer.ts";
import { defineQuery, type QueryContext } from "../command.ts";
import { endOf, exclusionLines } from "../exclusion/exclusion-line.ts";
import { isAbout } from "../exclusion/list-exclusions.ts";
import { planLines } from "../exclusion/planned/plans.ts";
import { type Span, span, text } from "../field.ts";
import { scheduleWords } from "../schedule-facts.ts";
import { type Resources, resolveThing, type Thing } from "../thing.ts";
import { eachOnce, latestLines, whatIs } from "./about-thing.ts";
import { exclusionsNow } from "./holding.ts";
import { maySeeProject } from "./may-see.ts";
import { namedWithTime, next } from "./next.ts";
import { nextRuns, runLine } from "./run-line.ts";
import { runningAnswer } from "./running.ts";
import { comingRuns, type Run, runsOf } from "./runs.ts";
import { changedLately } from "./seen-parts.ts";
import { type Exclusions, exclusionItems, statusOf, verdict } from "./status.ts";
import { userAnswer } from "./user-show.ts";

const shownChanges = 5;
const shownActions = 3;
const shownPlans = 3;
const shownPast = 3;
/** That a group names. */
const mostActions = 50;
const latelyMs = 7 * 24 * 3_600_000;

export const why = defineQuery({
  words: "why",
  aliases: [
    "why is <thing> up",
    "why is <thing> down",
    "why is <thing> on",
    "why is <thing> off",
    "why is <thing> running",
    "why is <thing> still running",
    "why is <thing> stopped",
    "why was <thing> stopped",
    "why was <thing> started",
    "why did <thing> stop",
    "who excluded <thing>",
    "who stopped <thing>",
  ],
  title: "Why",
  summary: "Show what keeps something up or down, and what changed it last",
  operation: "ListActions",
  fields: {
    thing: text({
      label: "Thing",
      hint: "A resource id, group, project, exclusion, action or user",
      example: "staging",
      maxLength: 200,
      positional: "rest",
      keepsMentions: true,
    }),
    when: span({ label: "When", hint: "A time, also a past one; now without it", optional: true }),
  },
  answer: async ({ thing: said, when }, context) => {
    const [named, ...others] = (when && (await namedWithTime(said, when, context))) ?? [];
    const thing = named && others.length === 0 ? named : await resolveThing(said, context, "why");
    if (isProblem(thing)) return thing;
    return when && !named ? reasonsThen(thing, when, context) : reasonsOf(thing, context);
  },
});

/** What was up then and why, or how the runs of an action went. */
async function reasonsThen(thing: Thing, when: Span, context: QueryContext): Promise<Answer | Problem> {
  if (thing.kind === "action") return next.answer({ thing: thing.id, when }, context);
  const isOfMachines = thing.kind === "resources" || thing.kind === "exclusion" || thing.kind === "project";
  const then = isOfMachines ? await runningAnswer([thing], when, context) : undefined;
  if (!then || isProblem(then)) return reasonsOf(thing, context);
  const { lines } = await latestLines(thing, shownChanges, context);
  return { ...then, items: eachOnce([...then.items, ...lines]) };
}

/** The status with the reasons first: what held and changed it lately too, and what starts and stops it. */
async function reasonsOf(thing: Thing, context: QueryContext): Promise<Answer> {
  if (thing.kind === "user") return userAnswer(thing.user, context);
  if (thing.kind === "resources") {
    const inForce = await exclusionsNow(thing.ids, context);
    const inShort = `As far as Curfew knows, it is ${verdict(thing.ids, inForce)}.`;
    return answer(thing, await resourceReasons(thing, inForce, context), inShort, context);
  }
  if (thing.kind === "action")
    return answer(
      thing,
      await reasonsOfAction(thing.action, context),
      "As far as Curfew knows and you may see.",
      context,
    );
  const { items, note } = await statusOf(thing, context);
  return { title: `Why ${thing.name} is up or down`, items, note, buttons: moreChanges(thing) };
}

async function answer(
  thing: Thing,
  reasons: readonly (Item | Line)[],
  inShort: string,
  context: QueryContext,
): Promise<Answer> {
  const [what, { lines, isMore }] = await Promise.all([
    whatIs(thing, context),
    latestLines(thing, shownChanges, context),
  ]);
  return {
    title: `Why ${thing.name} is up or down`,
    note: `${what} ${inShort}`,
    items: eachOnce([...reasons, ...lines]),
    buttons: isMore ? moreChanges(thing) : [],
  };
}

/** What holds resources back, what did lately, and what starts and stops them. */
async function resourceReasons(
  thing: Resources,
  inForce: Exclusions,
  context: QueryContext,
): Promise<readonly (Item | Line)[]> {
  return [
    ...(await exclusionItems(inForce, context)),
    ...(await planLines(context, thing.ids, shownPlans)),
    ...(await pastItems(thing, context)),
    ...(await actionReasons(thing, context)),
  ];
}

/** The exclusions that ended within a week, the latest first. */
async function pastItems(thing: Resources, context: QueryContext): Promise<readonly (Item | Line)[]> {
  const named = await context.directory.exclusionsNaming(thing.ids.flatMap(resourceKeys));
  const covering = named.filter((exclusion) => isAbout(exclusion, thing));
  const lately = covering.flatMap((exclusion) => {
    const endedAt = endOf(exclusion, context.now);
    const isLately = endedAt !== undefined && endedAt > context.now - latelyMs;
    return isLately && maySeeProject(context, exclusion.projectId) ? [{ exclusion, endedAt }] : [];
  });
  const latest = lately.sort((one, other) => other.endedAt - one.endedAt).slice(0, shownPast);
  return exclusionLines(
    latest.map(({ exclusion }) => exclusion),
    context,
  );
}

/** The actions that certainly act on resources, each with its last run; else what is due there. */
async function actionReasons(thing: Resources, context: QueryContext): Promise<readonly (Item | Line)[]> {
  const [listed, runs] = await Promise.all([readableActions(context), comingRuns(context)]);
  const found = isProblem(listed) ? undefined : await runsOf(thing, listed, context);
  const due = isProblem(runs) ? undefined : await runsOf(thing, runs, context);
  if (!found || !due || found.dueIn !== undefined) return (await nextRuns(thing, context)).items;
  const coming = due.runs.slice(0, shownActions).map(({ action }) => action);
  const others = await changedActions(
    found.runs.filter(({ action }) => !coming.includes(action)),
    context,
  );
  const actions = [...coming, ...others];
  return (await Promise.all(actions.map((action) => reasonsOfAction(action, context, thing.ids)))).flat();
}

/** Those that somebody changed lately: what is switched off no longer stops anything, and that may be the reason. */
async function changedActions(runs: readonly Run[], context: QueryContext): Promise<readonly Action[]> {
  const seen = await Promise.all(
    runs.slice(0, mostActions).map(async ({ action }) => ({ action, seen: await context.seenAction(action.actionId) })),
  );
  return seen.flatMap((each) => (changedLately(each.seen, context.now) ? [each.action] : [])).slice(0, shownActions);
}

async function reasonsOfAction(
  action: Action,
  context: QueryContext,
  ids?: readonly string[],
): Promise<readonly Line[]> {
  const { schedule } = action;
  const more = schedule?.scheduleType ? [scheduleWords(inOwnZone(schedule, context), context.now)] : [];
  return [await runLine(action, context, { ids, isNamed: true, more })];
}

/** Without a zone that is the reader's own. */
function inOwnZone(schedule: Schedule, { actor }: QueryContext): Schedule {
  const isOwn = schedule.timeZoneId && ianaZone(schedule.timeZoneId) === actor.timeZone;
  return isOwn ? { ...schedule, timeZoneId: null } : schedule;
}

const longestFilter = 200;

function moreChanges(thing: Thing): readonly CommandButton[] {
  const which = thing.kind === "resources" ? (thing.group ?? thing.ids.join(" ")) : `${thing.kind} ${thing.id}`;
  const button = resultButton("More changes", "history", { which });
  return which.length > longestFilter ? [] : [button];
}
