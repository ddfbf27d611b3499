import type { ResourceGroup } from "../../directory/directory.ts";
import { groupsListingAll, groupsNaming } from "../../directory/group-index.ts";
import type { ReadService } from "../../directory/read-service.ts";
import { typesByForm } from "../../directory/resources.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { actionsNamed, actsOn, isFor, resourceTypeLabel } from "../../service/action-types.ts";
import type { Action } from "../../service/resources.ts";
import type { Interval } from "../../time/intervals.ts";
import { oncePer } from "../../time/once-per.ts";
import { outcomeWords, readableActions } from "../action.ts";
import { isProblem, type Problem } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import { instant, processesOf } from "../exclusion/exclusion-body.ts";
import { comingRun, mayRunAfter, runsAfter } from "../exclusion/next-run.ts";
import { scheduledRuns } from "../schedule-facts.ts";
import type { Resources, Thing } from "../thing.ts";
import { type Hold, heldBack, holdsOf, isHolding } from "./holding.ts";
import { maySeeProject } from "./may-see.ts";

/** The next run of an action. */
export interface Run {
  readonly action: Action;
  /** In epoch ms. */
  readonly at: number;
}

/** The coming runs of every action that the requester may see, soonest first. */
export async function comingRuns(context: QueryContext): Promise<readonly Run[] | Problem> {
  const listed = await readableActions(context);
  if (isProblem(listed)) return listed;
  const runs = listed.flatMap(({ action }) => {
    const at = comingRun(action, context.now);
    return at === undefined ? [] : [{ action, at }];
  });
  return runs.sort((one, other) => one.at - other.at);
}

export interface RunsOfThing {
  readonly runs: readonly Run[];
  /** Where they are, in words, if it is only known that they are of the same kind there; undefined if they certainly act on it. */
  readonly dueIn?: string | undefined;
  /** Their project is not known, so these are the runs of all projects for their type. */
  readonly isAnywhere?: true;
}

/** The coming runs that concern a thing. An action does not name its resources (API.md), so only groups may know theirs. */
export async function runsOf(
  thing: Thing,
  runs: readonly Run[],
  context: QueryContext,
): Promise<RunsOfThing | undefined> {
  if (thing.kind === "action") return { runs: runs.filter(({ action }) => action.actionId === thing.id) };
  if (thing.kind === "project") return { runs: runs.filter(({ action }) => action.projectId === thing.id) };
  const resources = thing.kind === "exclusion" ? namedBy(thing) : thing;
  if (resources.kind !== "resources") return undefined;
  const groups = knowingGroups(resources, context);
  if (groups) {
    const actions = runs.map(({ action }) => action);
    const named = new Set(groups.flatMap((group) => actionsNamed(group, actions)));
    return { runs: runs.filter(({ action }) => named.has(action)) };
  }
  const { project, type } = await placeOf(resources, context);
  if (project === undefined) return undefined;
  const name = (await context.directory.get("project", project))?.name ?? project;
  return {
    runs: runs.filter(({ action }) => action.projectId === project && (!type || actsOn(action, type) !== false)),
    dueIn: type ? `${name}, ${resourceTypeLabel(type)}` : name,
  };
}

/** Of resources whose project is not known, the runs that certainly act on their type, wherever. */
export function runsOfKind(things: readonly Thing[], listed: readonly Run[]): RunsOfThing | undefined {
  const types = things.flatMap((thing) => (thing.kind === "resources" ? thing.ids.flatMap(typesByForm) : []));
  const [type] = types;
  if (type === undefined || new Set(types).size > 1) return undefined;
  const runs = listed.filter(({ action }) => actsOn(action, type) === true);
  return runs.length > 0 ? { runs, dueIn: `any project, ${resourceTypeLabel(type)}`, isAnywhere: true } : undefined;
}

export function namedBy({ exclusion, name }: Thing & { readonly kind: "exclusion" }): Resources {
  return { kind: "resources", ids: exclusion.body.resourceIds ?? [], group: undefined, name };
}

/** The groups that hold all these resources and know their actions; undefined if there is none. */
function knowingGroups({ ids }: Resources, { settings, may }: QueryContext): readonly ResourceGroup[] | undefined {
  const groups = groupsListingAll(ids, settings.resourceGroups).flatMap(([, group]) =>
    group.actions !== undefined && maySeeProject({ may }, group.project) ? [group] : [],
  );
  return groups.length > 0 ? groups : undefined;
}

/** The names of the groups that an action acts on. */
export function groupsOf(action: Action, { settings, may }: Pick<QueryContext, "settings" | "may">): readonly string[] {
  return groupsNaming([action], settings.resourceGroups).flatMap(([name, { project }]) =>
    maySeeProject({ may }, project) ? [name] : [],
  );
}

export interface Place {
  readonly project?: string | undefined;
  readonly type?: string | undefined;
}

/** The one project and type of resources, as far as the requester may see them. */
export async function placeOf({ ids }: Resources, context: QueryContext): Promise<Place> {
  const places = (await context.directory.placesOf(ids)).filter(
    ({ projectId, isPast }) => !isPast && (projectId === undefined || maySeeProject(context, projectId)),
  );
  const formed = new Set(places.flatMap(({ id, source }) => (source === "form" ? [id] : [])));
  const types = places.flatMap(({ id, source, types: own }) => (source === "form" || !formed.has(id) ? own : []));
  return { project: only(places.map(({ projectId }) => projectId)), type: only(types) };
}

function only(values: readonly (string | undefined)[]): string | undefined {
  const [value, ...others] = new Set(values.filter((each) => each !== undefined));
  return others.length === 0 ? value : undefined;
}

export interface KnownRun {
  /** In epoch ms. */
  readonly at: number;
  /** The exclusions and plans that hold it back. */
  readonly by: readonly Hold[];
  /** The resources that it does nothing to. */
  readonly held: readonly string[];
  /** It does nothing to any of the resources. */
  readonly isPrevented: boolean;
}

export interface RunsOfAction {
  readonly next: KnownRun | undefined;
  /** `problem`: how it went, unless it went well. */
  readonly last:
    | (KnownRun & { readonly outcome: string | undefined; readonly problem: string | undefined })
    | undefined;
}

export interface Reading {
  /** The resources that the reader asked about; without them, those of the groups that name the action. */
  readonly ids?: readonly string[] | undefined;
  /** The reader named something: the service is asked for the last run, too. */
  readonly isNamed?: boolean | undefined;
}

/** The next and the last run of an action, and what holds them back. `why`, `status` and `next` all show this. */
export async function readRuns(action: Action, context: QueryContext, reading: Reading): Promise<RunsOfAction> {
  const ids = idsOf(action, reading, context);
  const nextAt = comingRun(action, context.now);
  const last = await lastRun(action, context, reading);
  const holds = ids.length > 0 && (nextAt !== undefined || last) ? await holdsOf(ids, context) : [];
  return {
    next: nextAt === undefined ? undefined : { at: nextAt, ...heldAt(nextAt, action, ids, holds) },
    last: last && { ...last, ...heldAt(last.at, action, ids, holds) },
  };
}

const idsOf = (action: Action, { ids }: Reading, context: QueryContext): readonly string[] =>
  ids ?? idsIn(groupsOf(action, context), context);

/** The resources of groups, by their names. */
export const idsIn = (groups: readonly string[], { settings }: Pick<QueryContext, "settings">): readonly string[] => [
  ...new Set(groups.flatMap((name) => settings.resourceGroups[name]?.ids ?? [])),
];

/** What holds a run back that is due at a moment, of what holds its resources. */
export function heldAt(
  at: number,
  action: Action,
  ids: readonly string[],
  holds: readonly Hold[],
): Omit<KnownRun, "at"> {
  const verb = (["stop", "start"] as const).find((each) => isFor(each, action));
  if (verb === undefined || ids.length === 0) return { by: [], held: [], isPrevented: false };
  const [process] = processesOf[verb];
  const by = holds.filter((hold) => isHolding(hold, at, process));
  const held = heldBack(ids, by, process);
  return { by, held, isPrevented: held.length === ids.length };
}

/** The later one of the run that was last seen to be due and of the last one that the service reports. */
export async function lastRun(action: Action, context: QueryContext, { isNamed }: Reading) {
  const seenAt = (await context.seenAction(action.actionId))?.lastAt ?? undefined;
  const isReadable = isNamed && context.may("GetAction", { projectId: action.projectId ?? unknownProject });
  const ran = isReadable ? await reportedRun(action.actionId, context.read) : undefined;
  if (ran === undefined || (seenAt !== undefined && ran.at < seenAt - toleranceMs))
    return seenAt === undefined ? undefined : { at: seenAt, outcome: undefined, problem: undefined };
  return {
    at: seenAt !== undefined && ran.at <= seenAt + toleranceMs ? seenAt : ran.at,
    outcome: ran.outcome,
    problem: ran.isWell ? undefined : ran.outcome,
  };
}

/** The longest time that is looked at. */
export const longestMs = 14 * 24 * 3_600_000;

/** The runs of actions in some spans, past ones only as far as the schedule is the same since then. */
export const runsDuring = (actions: readonly Action[], spans: readonly Interval[], now: number): readonly Run[] =>
  actions.flatMap(runsOfEach(spans, now));

/** The same of one action at a time. */
export function runsOfEach(spans: readonly Interval[], now: number): (action: Action) => readonly Run[] {
  const momentsOf = oncePerSchedule((action) => spans.flatMap((span) => momentsDuring(action, span, now)));
  return (action) => {
    if (action.isEnabled === false) return [];
    const changedAt = instant(action.lastModifiedDate) ?? 0;
    return momentsOf(action).flatMap((at) => (at > now || at > changedAt ? [{ action, at }] : []));
  };
}

/** Thousands of actions share a few schedules. */
function oncePerSchedule<T>(read: (action: Action) => T): (action: Action) => T {
  const known = new Map<string, T>();
  return (action) => {
    const key = scheduleKey(action);
    const found = known.get(key) ?? read(action);
    known.set(key, found);
    return found;
  };
}

/**
 * Actions with the same one run at the same times, as far as they were not changed since and are switched on. A list is mostly the same for
 * hours, and has thousands of actions.
 */
export const scheduleKey = oncePer((action: Action) => JSON.stringify([action.schedule, action.nextExecutionDate]));

const momentsDuring = (action: Action, { from, to }: Interval, now: number): readonly number[] => [
  ...until(Math.min(to, now + 1), scheduledRuns(action.schedule, from - 1)),
  ...until(to, runsAfter(action, Math.max(from - 1, now))),
];

function until(end: number, moments: Iterable<number>): readonly number[] {
  const found: number[] = [];
  for (const at of moments) {
    if (at >= end) break;
    found.push(at);
  }
  return found;
}

/** Those whose coming runs nobody can know in some spans: only the next one is known. */
export function unknownDuring(actions: readonly Action[], spans: readonly Interval[], now: number): readonly Action[] {
  if (spans.length === 0) return [];
  const isUnknown = oncePerSchedule((action) =>
    spans.some(({ from, to }) => to > now && mayRunAfter(action, Math.max(from, now))),
  );
  return actions.filter((action) => action.isEnabled !== false && isUnknown(action));
}

/** Those that were changed since the past part of some spans, so that their schedule does not say when they ran then. */
export const changedSince = (actions: readonly Action[], spans: readonly Interval[], now: number): readonly Action[] =>
  actions.filter(({ lastModifiedDate }) => {
    const at = instant(lastModifiedDate) ?? 0;
    return spans.some(({ from }) => from < at && from < now);
  });

/** With the last run of each action that is known by itself, rather than by its schedule. */
export async function withKnownRuns(
  runs: readonly Run[],
  actions: readonly Action[],
  spans: readonly Interval[],
  context: QueryContext,
): Promise<readonly Run[]> {
  const known = await Promise.all(
    actions.map(async (action) => {
      const last = await lastRun(action, context, { isNamed: true });
      const isAsked = last && spans.some(({ from, to }) => last.at >= from && last.at < to);
      const isFound = runs.some((run) => run.action === action && Math.abs(run.at - (last?.at ?? 0)) <= toleranceMs);
      return isAsked && !isFound ? [{ action, at: last.at }] : [];
    }),
  );
  return [...runs, ...known.flat()];
}

/** Clocks differ a little, and a run begins a little after it was due. */
export const toleranceMs = 60_000;

/** The last run of an action that the service reports; `at`: when it began, in epoch ms. */
async function reportedRun(actionId: string, read: ReadService) {
  const found = await read("GetAction", { id: actionId, include: ["lastExecution"] });
  const run = found.kind === "succeeded" ? found.answer?.lastExecution : undefined;
  const at = instant(run?.startDate);
  if (at === undefined) return undefined;
  // Public clients show both (API.md, "Observed").
  const isWell = run?.result?.code === "success" || run?.result?.code === 0;
  return { at, outcome: outcomeWords(run) || undefined, isWell };
}
