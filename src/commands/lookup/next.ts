import { isCommon } from "../../directory/common-words.ts";
import { accountIn, accountOf } from "../../service/account-ids.ts";
import type { Action } from "../../service/resources.ts";
import { shortDay, shortMoment } from "../../time/format-moment.ts";
import type { Interval } from "../../time/intervals.ts";
import { wallClockAt } from "../../time/wall-clock.ts";
import { type ListedAction, mentioning, readableActions } from "../action.ts";
import { type Answer, isProblem, type Problem, resultButton } from "../answer.ts";
import { defineQuery, type QueryContext } from "../command.ts";
import { dayOf } from "../exclusion/kept-until.ts";
import { comingRun, runAfter } from "../exclusion/next-run.ts";
import { choice, defined, type Span, span, text } from "../field.ts";
import { type Thing, thingsMeant, thingsNamed, withoutQuestion } from "../thing.ts";
import { dayOffWords, daysOffIn, withDayOff } from "./days-off.ts";
import { listAnswer, pageField } from "./page-of.ts";
import { dueLines, type Verb, verbOf } from "./run-line.ts";
import {
  changedSince,
  longestMs,
  namedBy,
  type Run,
  type RunsOfThing,
  runsDuring,
  runsOf,
  runsOfKind,
  unknownDuring,
  withKnownRuns,
} from "./runs.ts";
import { changedLately, seenLine } from "./seen-parts.ts";

const dayMs = 24 * 3_600_000;
/** Of which the last run is looked up. */
const mostActions = 50;
const shownLater = 3;
const shownNames = 3;

const kinds = { stops: "stop", starts: "start", backups: "backup" } as const satisfies Record<string, Verb>;

export const next = defineQuery({
  words: "next",
  aliases: [
    "what's next",
    "what is next",
    "what runs next",
    "when does <thing> run",
    { phrase: "when does <thing> stop", sets: { only: "stops" } },
    { phrase: "when will <thing> stop", sets: { only: "stops" } },
    { phrase: "when does <thing> start", sets: { only: "starts" } },
    { phrase: "when will <thing> start", sets: { only: "starts" } },
  ],
  title: "What runs next",
  summary: "Show what runs when, what is held back, and keep it running",
  operation: "ListActions",
  isOnHome: true,
  fields: {
    only: choice(
      [
        { value: "stops", label: "Stops" },
        { value: "starts", label: "Starts" },
        { value: "backups", label: "Backups" },
      ],
      { label: "Only", optional: true, positional: true },
    ),
    thing: text({
      label: "Thing",
      hint: "A resource id, a group, a project or words of an action; everything without it",
      example: "staging",
      maxLength: 200,
      positional: "rest",
      optional: true,
    }),
    when: span({
      label: "When",
      hint: "A day, a part of it or a time, also a past one; the next 24 hours without it",
      optional: true,
    }),
    page: pageField,
  },
  answer: async ({ only, page = 1, ...asked }, context) => {
    const { said, when } = await withDayOff({ said: asked.thing, when: asked.when }, context);
    const { account, rest = said } = accountIn(said ?? "", context.settings.accounts) ?? {};
    const thing = rest || undefined;
    const all = await readableActions(context);
    if (isProblem(all)) return all;
    const listed = all.filter(({ action }) => account === undefined || accountOf(action.actionId) === account);
    const named = thing && when ? await namedWithTime(thing, when, context) : undefined;
    const things = named ?? (thing === undefined ? undefined : await thingsAsked(thing, listed, context));
    if (things && isProblem(things)) return isCommon(thing ?? "") ? unread : things;
    return nextAnswer({ only, thing: said, when: named ? undefined : when, page, things }, listed, context);
  },
});

const unread: Problem = {
  field: "thing",
  problem: "Curfew found no thing and no time in that. Write it like “next staging” or “next stops tonight”.",
  buttons: [resultButton("Next 24 hours", "next")],
};

/** “Stop staging at 19:00” may be the name of an action. */
export async function namedWithTime(
  thing: string,
  { said }: Span,
  context: QueryContext,
): Promise<readonly Thing[] | undefined> {
  const found = await Promise.all([`${thing} ${said}`, `${said} ${thing}`].map((name) => thingsNamed(name, context)));
  return found.find(({ length }) => length > 0);
}

/** What the words name; else the actions that they are words of, also of their type. */
async function thingsAsked(
  said: string,
  listed: readonly ListedAction[],
  context: QueryContext,
): Promise<readonly Thing[] | Problem> {
  const things = await thingsMeant(said, context);
  const words = isProblem(things) && !isCommon(said) ? withoutQuestion(said) : "";
  const actions = words === "" ? [] : mentioning(listed, words);
  if (actions.length === 0) return things;
  return actions.map(({ action }) => {
    const { actionId: id, name } = action;
    return { kind: "action", id, name: name || id, action };
  });
}

interface Asked {
  readonly only: keyof typeof kinds | undefined;
  readonly thing: string | undefined;
  readonly when: Span | undefined;
  readonly page: number;
  readonly things: readonly Thing[] | undefined;
}

/** What is shown: the runs in the time that was asked for, and those after it that are shown beside them or instead. */
interface Found {
  readonly runs: readonly Run[];
  readonly later: readonly Run[];
}

async function nextAnswer(
  asked: Asked,
  listed: readonly ListedAction[],
  context: QueryContext,
): Promise<Answer | Problem> {
  const { only, thing: said, when, page, things } = asked;
  const found = things ? ((await runsOfAny(things, listed, context)) ?? runsOfKind(things, listed)) : { runs: listed };
  if (!found)
    return {
      field: "thing",
      problem: `Curfew does not know the project of ${things?.[0]?.name}. So it can't say what runs there next. Name a group or a project.`,
    };
  const all = found.runs.map(({ action }) => action);
  const actions = only ? all.filter((action) => verbOf(action) === kinds[only]) : all;
  const spans = spansAsked(when, context.now);
  const { runs, later } = await runsAsked(actions, spans, asked, context);
  const [thing, ...others] = things ?? [];
  const of = thing && (others.length === 0 ? thing.name : `“${said}”`);
  const ids = found.dueIn === undefined && others.length === 0 ? resourcesOf(thing) : undefined;
  const hasLast = thing !== undefined && when === undefined;
  const shownWhen = when ? `${when.said} (${spans.map((each) => spanWords(each, context)).join(", ")})` : undefined;
  const inTime = shownWhen ?? (runs.length > 0 && later.length > 0 ? "to come" : "in the next 24 hours");
  return listAnswer({
    ...{ all: runs.length > 0 ? [...runs, ...later] : [], page, noun: only ? kinds[only] : "run" },
    command: { words: "next", input: defined({ only, thing: said, when }) },
    narrowed: [inTime, found.dueIn ? `due in ${found.dueIn}` : (of ?? said)].filter(Boolean).join(", "),
    note: await noteOn({ found, actions, spans }, asked, context),
    whenEmpty: "“actions” shows all actions.",
    nextWhenEmpty: later.length > 0 ? "The next one comes later." : "“actions” shows all actions.",
    lines: async (shown) => [
      ...(await dueLines(shown.length > 0 ? shown : later, context, { ids, hasLast })),
      ...(await changesOf(actions, spans, asked, context)),
    ],
  });
}

function resourcesOf(thing: Thing | undefined): readonly string[] | undefined {
  if (thing?.kind === "exclusion") return namedBy(thing).ids;
  return thing?.kind === "resources" ? thing.ids : undefined;
}

function spansAsked(when: Span | undefined, now: number): readonly Interval[] {
  if (when === undefined) return [{ from: now, to: now + dayMs + 1 }];
  return when.spans.map(({ from, to }) => ({ from, to: Math.min(to, from + longestMs) }));
}

/** “today 18:00 to tomorrow 06:00”; of a whole day only the day. */
export function spanWords({ from, to }: Interval, context: QueryContext): string {
  const { zone, dayZone } = dayOf(context);
  const [start, end] = [wallClockAt(from, dayZone), wallClockAt(to, dayZone)];
  const isWhole = start.hour + start.minute + end.hour + end.minute === 0;
  const [first, last] = [shortDay(from, dayZone), shortDay(to - 1, dayZone)];
  if (isWhole) return first === last ? first : `${first} to ${last}`;
  return `${shortMoment(from, zone, context.now)} to ${shortMoment(to, zone, context.now)}`;
}

async function runsAsked(
  actions: readonly Action[],
  spans: readonly Interval[],
  { only, when, things }: Asked,
  context: QueryContext,
): Promise<Found> {
  const { now } = context;
  // Without a time the service's own word is enough, and quick for thousands of actions.
  const bySchedule = when ? runsDuring(actions, spans, now) : runsSoon(actions, spans, now);
  const isPast = when !== undefined && spans.some(({ from }) => from < now);
  const isKnowable = isPast && actions.length <= mostActions;
  const runs = isKnowable ? await withKnownRuns(bySchedule, actions, spans, context) : bySchedule;
  const end = Math.max(now, ...spans.map(({ to }) => to - 1));
  const isEach = when === undefined && (things?.some(({ kind }) => kind !== "project") ?? only !== undefined);
  if (runs.length > 0 && !isEach) return { runs: inOrder(runs), later: [] };
  const comingOf = (some: readonly Action[]) => inOrder(some.flatMap((action) => runLater(action, end, now)));
  if (!isEach) return { runs: inOrder(runs), later: comingOf(actions).slice(0, things ? shownLater : 1) };
  // A group has a next stop and a next start, however many actions it has.
  const isOne = things?.every(({ kind }) => kind === "action") ?? true;
  const keyOf = (action: Action) => (isOne ? action.actionId : verbOf(action));
  const known = new Set(runs.map(({ action }) => keyOf(action)));
  const coming = comingOf(actions.filter((action) => !known.has(keyOf(action))));
  const later = new Map([...coming].reverse().map((run) => [keyOf(run.action), run]));
  return { runs: inOrder(runs), later: inOrder([...later.values()]) };
}

const runsSoon = (actions: readonly Action[], spans: readonly Interval[], now: number): readonly Run[] =>
  actions.flatMap((action) => runLater(action, now, now)).filter(({ at }) => spans.some(({ to }) => at < to));

const inOrder = (runs: readonly Run[]): readonly Run[] => [...runs].sort((one, other) => one.at - other.at);

function runLater(action: Action, after: number, now: number): readonly Run[] {
  const at = comingRun(action, now) === undefined ? undefined : runAfter(action, after);
  return at === undefined ? [] : [{ action, at }];
}

/** What was changed in the service lately, beside what has been. */
async function changesOf(
  actions: readonly Action[],
  spans: readonly Interval[],
  { when }: Asked,
  context: QueryContext,
) {
  const isPast = when !== undefined && spans.some(({ from }) => from < context.now);
  if (!isPast || actions.length > mostActions) return [];
  const lines = actions.map(async ({ actionId, name, projectId }) => {
    const change = changedLately(await context.seenAction(actionId), context.now);
    return change
      ? [await seenLine({ ...change, actionId, name: name ?? actionId, projectId: projectId ?? null }, context)]
      : [];
  });
  return (await Promise.all(lines)).flat();
}

const mayBeOthers = "These may be for other machines.";
const tooLong = "At most 14 days are shown. Name a later day to see it.";

interface Noted {
  readonly found: RunsOfThing;
  readonly actions: readonly Action[];
  readonly spans: readonly Interval[];
}

async function noteOn({ found, actions, spans }: Noted, { when, things }: Asked, context: QueryContext) {
  const { now } = context;
  const isNamed = things !== undefined;
  const unknown = unknownDuring(actions, when ? spans : [], now);
  const changed = when ? changedSince(actions, spans, now) : [];
  const off = isNamed ? actions.filter(({ isEnabled }) => isEnabled === false) : [];
  const notes = [
    ...(found.isAnywhere ? [`Curfew does not know the project of ${things?.[0]?.name}.`] : []),
    ...(found.dueIn === undefined ? [] : [mayBeOthers]),
    ...(unknown.length > 0 ? [`Curfew knows only the next run of ${names(unknown)}.`] : []),
    ...(changed.length > 0 ? [`Changed since, so only the last run is known: ${names(changed)}.`] : []),
    ...(off.length > 0 ? [`Switched off: ${names(off)}.`] : []),
    ...(when ? await holidayNotes(spans, context) : []),
    ...(when?.spans.some(({ from, to }) => to - from > longestMs) ? [tooLong] : []),
  ];
  return notes.join(" · ") || undefined;
}

const names = (actions: readonly Action[]): string => {
  const shown = actions.slice(0, shownNames).map(({ name, actionId }) => `“${name || actionId}”`);
  return [...shown, ...(actions.length > shownNames ? ["others"] : [])].join(", ");
};

async function holidayNotes(spans: readonly Interval[], context: QueryContext): Promise<readonly string[]> {
  const off = await daysOffIn(spans, context);
  return off
    .slice(0, shownNames)
    .map((each) => `${dayOffWords(each)}, is in the calendar “${each.calendar}”: schedules run all the same.`);
}

/** The runs of things that one text may mean. */
async function runsOfAny(
  things: readonly Thing[],
  all: readonly Run[],
  context: QueryContext,
): Promise<RunsOfThing | undefined> {
  const [first, ...others] = await Promise.all(things.map((thing) => runsOf(thing, all, context)));
  if (others.length === 0) return first;
  const wanted = new Set([first, ...others].flatMap((each) => each?.runs ?? []));
  return { runs: all.filter((run) => wanted.has(run)) };
}
