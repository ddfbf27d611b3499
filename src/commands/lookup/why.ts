import { isFor } from "../../service/action-types.ts";
import { type Action, resourceKeys } from "../../service/resources.ts";
import { readableActions } from "../action.ts";
import {
  type Answer,
  type CommandButton,
  type Item,
  isProblem,
  type Line,
  type LinePart,
  type Problem,
  resultButton,
  type Sentence,
} from "../answer.ts";
import { defineQuery, type QueryContext } from "../command.ts";
import { endAmong, verbsFor } from "../exclusion/exclusion-body.ts";
import { endOf, exclusionLines } from "../exclusion/exclusion-line.ts";
import { isAbout } from "../exclusion/list-exclusions.ts";
import { planLines } from "../exclusion/planned/plans.ts";
import { type Span, span, text, toggle } from "../field.ts";
import { type Resources, resolveThing, type Thing } from "../thing.ts";
import { eachOnce, latestLines, whatIs } from "./about-thing.ts";
import { exclusionsNow, heldBack } from "./holding.ts";
import { maySeeProject } from "./may-see.ts";
import { namedWithTime, next } from "./next.ts";
import { nextRuns, runLine } from "./run-line.ts";
import { offNow, runningAnswer } from "./running.ts";
import { comingRuns, type Run, readRuns, runsOf } from "./runs.ts";
import { changedLately, changesSeen, seenLine } from "./seen-parts.ts";
import { type Exclusions, exclusionItems, statusOf } from "./status.ts";
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
      hint: "A machine's id, group, project, action or user",
      example: "staging",
      maxLength: 200,
      positional: "rest",
      keepsMentions: true,
    }),
    when: span({ label: "When", hint: "A time, also a past one; now without it", optional: true }),
    more: toggle({ label: "More", hidden: "all", optional: true }),
  },
  answer: async ({ thing: said, when, more }, context) => {
    const [named, ...others] = (when && (await namedWithTime(said, when, context))) ?? [];
    const thing = named && others.length === 0 ? named : await resolveThing(said, context, "why");
    if (isProblem(thing)) return thing;
    return when && !named ? reasonsThen(thing, when, context) : reasonsOf(thing, context, more);
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

/** In one sentence, with the lines behind it. */
async function reasonsOf(thing: Thing, context: QueryContext, isMore = false): Promise<Answer> {
  if (thing.kind === "user") return userAnswer(thing.user, context);
  if (thing.kind === "resources") {
    const inForce = await exclusionsNow(thing.ids, context);
    const actions = await actionsOf(thing, context);
    const lead = await leadOf(thing, inForce, isProblem(actions) ? [] : actions, context);
    const past = await pastItems(thing, context);
    const reasons = [
      ...(await exclusionItems(inForce, context)),
      ...(await changedLines(thing, context)),
      ...(inForce.length > 0 ? [] : past.slice(0, 1)),
      ...(isProblem(actions)
        ? (await nextRuns(thing, context)).items
        : await Promise.all(actions.map((action) => runLine(action, context, { ids: thing.ids, isNamed: true })))),
      ...(await planLines(context, thing.ids, shownPlans)),
      ...past,
    ];
    return answer(thing, reasons, { lead, isMore }, context);
  }
  if (thing.kind === "action")
    return answer(thing, [await runLine(thing.action, context, { isNamed: true })], { isMore }, context);
  const { items, note } = await statusOf(thing, context);
  return { title: `Why ${thing.name} is up or down`, items, note, buttons: moreChanges(thing) };
}

const shownFacts = 3;

async function answer(
  thing: Thing,
  reasons: readonly (Item | Line)[],
  { lead, isMore }: { readonly lead?: Sentence | undefined; readonly isMore: boolean },
  context: QueryContext,
): Promise<Answer> {
  const latest = await latestLines(thing, shownChanges, context);
  const all = eachOnce([...reasons, ...latest.lines]);
  const more = isMore
    ? latest.isMore
      ? moreChanges(thing)
      : []
    : all.length > shownFacts
      ? [resultButton("More", "why", { thing: sayable(thing), more: true })]
      : [];
  return {
    title: thing.name,
    lead,
    note: isMore ? await whatIs(thing, context) : undefined,
    items: isMore ? all : all.slice(0, shownFacts),
    buttons: more,
  };
}

/** "kept running by alice until 18:00", or "“Stop staging” stopped it at 19:00; nobody kept it running." */
async function leadOf(
  { ids }: Resources,
  inForce: Exclusions,
  actions: readonly Action[],
  context: QueryContext,
): Promise<Sentence> {
  const them = ids.length === 1 ? "it" : "them";
  const [kept] = inForce.toReversed();
  if (kept) {
    const { did, how } = verbsFor(kept.body.processes);
    const isPart = heldBack(ids, [kept], kept.body.processes?.[0] ?? "").length < ids.length;
    const owner: LinePart =
      kept.ownerId === null
        ? "somebody outside Curfew"
        : kept.ownerId === context.actor.userId
          ? "you"
          : { person: kept.ownerId };
    const until = endAmong(kept.body, ids);
    const off = kept.body.processes?.includes("stop-resource") ? await offNow(ids, actions, context) : undefined;
    const starts: Sentence = off?.startsAt === undefined ? [] : [" until ", { at: off.startsAt }];
    return [
      ...(off ? ["off by the schedule", ...starts, "; "] : []),
      `${isPart ? "in part " : ""}${off ? "held" : `${did} ${how}`} by `,
      owner,
      ...(until === undefined ? [] : [" until ", { at: until }]),
      ".",
    ];
  }
  const runs = await Promise.all(
    actions.map(async (action) => {
      const verb = (["stop", "start"] as const).find((each) => isFor(each, action));
      const { last } = verb ? await readRuns(action, context, { ids, isNamed: true }) : { last: undefined };
      return verb && last && !last.isPrevented && !last.problem ? [{ action, verb, ...last }] : [];
    }),
  );
  const [last] = runs.flat().toSorted((one, other) => other.at - one.at);
  if (!last) return ["on schedule, as far as Curfew knows."];
  const [did, wasDue, how] = lastVerbs[last.verb];
  // Without an outcome nobody knows that it ran.
  const verb = last.outcome === undefined ? wasDue : did;
  const nobody = last.by.length > 0 ? "." : `; nobody kept ${them} ${how}.`;
  return [`“${last.action.name || last.action.actionId}” ${verb} ${them} `, { at: last.at }, nobody];
}

const lastVerbs = {
  stop: ["stopped", "was due to stop", "running"],
  start: ["started", "was due to start", "off"],
} as const;

/** What somebody last did in the service within a week to what would stop or start them, which may be the reason. */
async function changedLines(thing: Resources, context: QueryContext): Promise<readonly Line[]> {
  const changes = await changesSeen({ things: [thing], since: context.now - latelyMs }, context);
  return Promise.all(changes.slice(0, 1).map((change) => seenLine(change, context)));
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

/** The actions that certainly act on resources, the next to run and those that were changed lately; a problem where nothing says which. */
async function actionsOf(thing: Resources, context: QueryContext): Promise<readonly Action[] | Problem> {
  const [listed, runs] = await Promise.all([readableActions(context), comingRuns(context)]);
  if (isProblem(listed)) return listed;
  if (isProblem(runs)) return runs;
  const [found, due] = await Promise.all([runsOf(thing, listed, context), runsOf(thing, runs, context)]);
  if (!found || !due || found.dueIn !== undefined) return { problem: "" };
  const coming = due.runs.slice(0, shownActions).map(({ action }) => action);
  const others = found.runs.filter(({ action }) => !coming.includes(action));
  return [...coming, ...(await changedActions(others, context))];
}

/** Those that somebody changed lately: what is switched off no longer stops anything, and that may be the reason. */
async function changedActions(runs: readonly Run[], context: QueryContext): Promise<readonly Action[]> {
  const seen = await Promise.all(
    runs.slice(0, mostActions).map(async ({ action }) => ({ action, seen: await context.seenAction(action.actionId) })),
  );
  return seen.flatMap((each) => (changedLately(each.seen, context.now) ? [each.action] : [])).slice(0, shownActions);
}

const longestFilter = 200;

const sayable = (thing: Thing): string =>
  thing.kind === "resources" ? (thing.group ?? thing.ids.join(" ")) : thing.id;

function moreChanges(thing: Thing): readonly CommandButton[] {
  const which = thing.kind === "resources" ? sayable(thing) : `${thing.kind} ${thing.id}`;
  const button = resultButton("More changes", "history", { which });
  return which.length > longestFilter ? [] : [button];
}
