import { actsOn } from "../../service/action-types.ts";
import { unknownLines } from "../about-changes/history.ts";
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
import { verbsFor } from "../exclusion/exclusion-body.ts";
import { endOf, exclusionLines } from "../exclusion/exclusion-line.ts";
import { keptCount } from "../exclusion/list-exclusions.ts";
import { planLines } from "../exclusion/planned/plans.ts";
import { type Input, text, toggle } from "../field.ts";
import { changesOf } from "../filter.ts";
import { type Resources, resolveThing, type Thing, thingsNamed } from "../thing.ts";
import { eachOnce, latestLines, whatIs } from "./about-thing.ts";
import { exclusionsNow, heldBack } from "./holding.ts";
import { knownLines } from "./known-lists.ts";
import { nextRuns, runLine } from "./run-line.ts";
import { comingRuns, groupsOf, namedBy, type Run, runsOf } from "./runs.ts";
import { userAnswer } from "./user-show.ts";

const shownExclusions = 5;
const shownPlans = 3;
const shownRuns = 3;
const shownChanges = 3;
const mostThings = 4;

export const status = defineQuery({
  words: "status",
  aliases: ["status of <thing>", "is <thing> excluded", "show status of <thing>"],
  title: "Status",
  summary: "Show whether something is kept, by whom, and what's next",
  step: { name: "check_status", title: "Check what is kept", inputs: ["thing"] },
  operation: "ListActions",
  isOnHome: true,
  fields: {
    thing: text({
      label: "Thing",
      hint: "A machine's id, group, project, action or user. Everything without it",
      example: "staging",
      maxLength: 200,
      positional: "rest",
      keepsMentions: true,
      optional: true,
    }),
    more: toggle({ label: "More", hidden: "all", optional: true }),
  },
  answer: async ({ thing: said, more }, context) => {
    const answer = await answerOf(said, context);
    return isProblem(answer) || more ? answer : inShort(answer, { ...(said ? { thing: said } : {}), more: true });
  },
});

async function answerOf(said: string | undefined, context: QueryContext): Promise<Answer | Problem> {
  if (said === undefined) return overview(context);
  const several = await thingsJoined(said, context);
  if (several) return statusOfAll(several, context);
  const thing = await resolveThing(said, context, "status");
  return isProblem(thing) ? thing : statusOf(thing, context);
}

const shownLines = 10;

function inShort(answer: Answer, input: Input): Answer {
  const { items, buttons = [] } = answer;
  if (items.length <= shownLines) return answer;
  return {
    ...answer,
    items: items.slice(0, shownLines),
    buttons: [...buttons.slice(0, 2), resultButton("More", "status", input)],
  };
}

/** "staging and qa"; undefined where it is one thing, or only ids, which are answered together. */
async function thingsJoined(said: string, context: QueryContext): Promise<readonly Thing[] | undefined> {
  const parts = said.split(/\s*,\s*|\s+(?:and|&)\s+/i).filter(Boolean);
  if (parts.length < 2 || parts.length > mostThings || (await thingsNamed(said, context)).length > 0) return undefined;
  const things = await Promise.all(parts.map((part) => resolveThing(part, context)));
  const known = things.flatMap((thing) => (isProblem(thing) ? [] : [thing]));
  const isNamed = known.some((thing) => thing.kind !== "resources" || thing.group !== undefined);
  return isNamed && known.length === parts.length ? known : undefined;
}

/** Each with its verdict above what is known of it. */
async function statusOfAll(things: readonly Thing[], context: QueryContext): Promise<Answer> {
  const answers = await Promise.all(things.map((thing) => statusOf(thing, context)));
  const items = answers.flatMap((answer): readonly (Item | Line)[] => [
    { title: answer.title, facts: answer.note ? [{ label: "", value: answer.note }] : [] },
    ...answer.items,
  ]);
  return { title: things.map(({ name }) => name).join(", "), items: eachOnce(items) };
}

export type Exclusions = Awaited<ReturnType<typeof exclusionsNow>>;

/** What is excluded now, and what runs next. */
async function overview(context: QueryContext): Promise<Answer> {
  const inForce = await exclusionsNow(undefined, context);
  const runs = await comingRuns(context);
  return {
    title: keptCount(inForce.length),
    items: [
      ...(await unknownLines(context)),
      ...(await exclusionItems(inForce, context)),
      ...(await planLines(context, undefined, shownPlans)),
      ...(await runItems(runs, context)),
    ],
    buttons: [
      ...(inForce.length > shownExclusions ? [resultButton("All of them", "exclusion list", {})] : []),
      resultButton("Next 24 hours", "next", {}),
    ],
  };
}

/** What a thing is, what holds it and until when, what is planned and runs next, and what was changed last. */
export async function statusOf(thing: Thing, context: QueryContext): Promise<Answer> {
  if (thing.kind === "user") return userAnswer(thing.user, context);
  const answer = await presentOf(thing, context);
  const [what, { lines }] = await Promise.all([whatIs(thing, context), latestLines(thing, shownChanges, context)]);
  return {
    ...answer,
    note: [what, answer.note].filter(Boolean).join(" "),
    items: eachOnce([...answer.items, ...lines]),
  };
}

async function presentOf(thing: Exclude<Thing, { readonly kind: "user" }>, context: QueryContext): Promise<Answer> {
  switch (thing.kind) {
    case "resources":
      return resourcesAnswer(thing, context);
    case "project":
      return projectAnswer(thing, context);
    case "action":
      return actionAnswer(thing, context);
    case "exclusion": {
      const over = endOf(thing.exclusion, context.now) !== undefined;
      const items = await exclusionLines([thing.exclusion], context, true);
      const next = over ? [] : (await nextRuns(namedBy(thing), context)).items;
      return {
        title: `${thing.name}: ${over ? "over" : keptState(thing.exclusion.body.processes)}`,
        items: [...items, ...next],
        buttons: askWhy(thing.id),
      };
    }
    default: {
      const { lines, note: known } = await knownLines(thing, context);
      return { title: thing.name, note: known, items: lines };
    }
  }
}

async function resourcesAnswer(thing: Resources, context: QueryContext): Promise<Answer> {
  const inForce = await exclusionsNow(thing.ids, context);
  const { items, keep } = await nextRuns(thing, context);
  return {
    title: `${thing.name}: ${verdict(thing.ids, inForce)}`,
    items: [
      ...(await unknownLines(context, changesOf([thing]))),
      ...(await exclusionItems(inForce, context)),
      ...(await planLines(context, thing.ids, shownPlans)),
      ...items,
    ],
    buttons: [...keep, ...askWhy(thing.group ?? thing.ids.join(" "))],
  };
}

const keptState = (processes: readonly string[] | undefined): string => {
  const { did, how } = verbsFor(processes);
  return `${did} ${how}`;
};

/** "kept running", for all of them or for some. Curfew sees neither what was made elsewhere nor what the reader may not see. */
function verdict(ids: readonly string[], inForce: Exclusions): string {
  const processes = [...new Set(inForce.flatMap(({ body }) => body.processes ?? []))];
  const held = processes.map((process) => ({ process, count: heldBack(ids, inForce, process).length }));
  const wholly = held.filter(({ count }) => count === ids.length).map(({ process }) => process);
  const partly = held.filter(({ count }) => count > 0 && count < ids.length).map(({ process }) => process);
  const parts = [
    ...(wholly.length > 0 ? [keptState(wholly)] : []),
    ...(partly.length > 0 ? [`in part ${keptState(partly)}`] : []),
  ];
  return parts.join(", ") || "on schedule, as far as Curfew knows";
}

async function projectAnswer(thing: Thing & { readonly kind: "project" }, context: QueryContext): Promise<Answer> {
  const all = await exclusionsNow(undefined, context);
  const inForce = all.filter(({ projectId }) => projectId === thing.id);
  const runs = await comingRuns(context);
  const own = isProblem(runs) ? runs : ((await runsOf(thing, runs, context))?.runs ?? []);
  return {
    title: `${thing.name}: ${keptCount(inForce.length).toLowerCase()}`,
    items: [
      ...(await exclusionItems(inForce, context)),
      ...(await planLines(context, undefined, shownPlans, thing.id)),
      ...(await runItems(own, context, true)),
    ],
    buttons: [
      ...(inForce.length > shownExclusions ? [resultButton("All of them", "exclusion list", { which: thing.id })] : []),
      resultButton("Next 24 hours", "next", { thing: thing.id }),
      ...askWhy(thing.id),
    ],
  };
}

/** Only the groups that name an action tell which resources it acts on; else exclusions of such resources may hold it back. */
async function actionAnswer(thing: Thing & { readonly kind: "action" }, context: QueryContext): Promise<Answer> {
  const { action, id, name } = thing;
  const groups = groupsOf(action, context);
  const ids = groups.flatMap((group) => context.settings.resourceGroups[group]?.ids ?? []);
  const all = await exclusionsNow(groups.length > 0 ? ids : undefined, context);
  const near = all.filter(
    ({ projectId, body }) => projectId === action.projectId && actsOn(action, body.resourceType ?? "") !== false,
  );
  return {
    title: name,
    ...(groups.length > 0 || near.length === 0 ? {} : { note: "These may be other machines than it acts on." }),
    items: [
      await runLine(action, context, { offersKeep: true, isNamed: true }),
      ...(await exclusionItems(near, context)),
    ],
    buttons: [resultButton("Show action", "action show", { action: id }), ...askWhy(id)],
  };
}

export const exclusionItems = (exclusions: Exclusions, context: QueryContext): Promise<readonly Line[]> =>
  exclusionLines(exclusions.slice(0, shownExclusions), context, true);

async function runItems(
  runs: readonly Run[] | Problem,
  context: QueryContext,
  isNamed = false,
): Promise<readonly (Item | Line)[]> {
  if (isProblem(runs)) return [{ title: "What runs next", facts: [{ label: "", value: runs.problem }] }];
  const shown = runs.slice(0, shownRuns);
  return Promise.all(shown.map(({ action }) => runLine(action, context, { offersKeep: true, isNamed })));
}

const longestThing = 200;
const askWhy = (thing: string): readonly CommandButton[] =>
  thing.length > longestThing ? [] : [resultButton("Why?", "why", { thing })];
