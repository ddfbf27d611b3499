import { type Alike, actionsByGroup, alikeAmong, allAlike, groupsWithAny } from "../../directory/group-index.ts";
import { accountIn, accountOf } from "../../service/account-ids.ts";
import { isFor } from "../../service/action-types.ts";
import type { Action } from "../../service/resources.ts";
import { shortMoment } from "../../time/format-moment.ts";
import { clipped, type Interval, merged } from "../../time/intervals.ts";
import { inSlices } from "../../time/slices.ts";
import { actionsIn, readableActions } from "../action.ts";
import { type Answer, isProblem, type Line, type LinePart, type Problem, resultButton, type Sign } from "../answer.ts";
import { defineQuery, type FillContext, type QueryContext } from "../command.ts";
import { processesOf, resourceWords } from "../exclusion/exclusion-body.ts";
import { whatOf } from "../exclusion/planned/plans.ts";
import { type Span, span, text } from "../field.ts";
import { type Thing, thingsMeant } from "../thing.ts";
import { withDayOff } from "./days-off.ts";
import { type Hold, holdingAny, holdsOf, isHolding } from "./holding.ts";
import { maySeeProject } from "./may-see.ts";
import { spanWords } from "./next.ts";
import { holdParts } from "./run-line.ts";
import {
  changedSince,
  groupsOf,
  lastRun,
  longestMs,
  namedBy,
  type Run,
  runsDuring,
  runsOfEach,
  scheduleKey,
  withKnownRuns,
} from "./runs.ts";

const hourMs = 3_600_000;
/** A schedule repeats within a week. */
const aroundMs = 8 * 24 * hourMs;
const shownLines = 20;
const shownNames = 6;
const shownTimes = 4;
/** Of which the last run is looked up. */
const mostActions = 50;
const note = "By their schedules: Curfew doesn't see the machines themselves.";

export const running = defineQuery({
  words: "running",
  aliases: ["what is running", "what's running", "what is up", "is <thing> running"],
  title: "What is up",
  summary: "Show what is up at a time, and why",
  operation: "ListActions",
  fields: {
    thing: text({
      label: "Thing",
      hint: "A resource id, group or project; every group without it",
      example: "staging",
      maxLength: 200,
      positional: "rest",
      optional: true,
    }),
    when: span({
      label: "When",
      hint: "A time, a day or a part of it, also a past one; now without it",
      optional: true,
    }),
  },
  answer: async (asked, context) => {
    const { said: thing, when } = await withDayOff({ said: asked.thing, when: asked.when }, context);
    const { account, rest = thing } = accountIn(thing ?? "", context.settings.accounts) ?? {};
    const things = rest ? await thingsMeant(rest, context) : undefined;
    return things && isProblem(things) ? things : runningAnswer(things, when, context, account);
  },
});

/** Which machines are up then, by whom or what, and until when. */
export async function runningAnswer(
  things: readonly Thing[] | undefined,
  when: Span | undefined,
  context: QueryContext,
  account?: string,
): Promise<Answer | Problem> {
  const isThere = (place: string) => account === undefined || accountOf(place) === account;
  const listed = await readableActions(context);
  if (isProblem(listed)) return listed;
  const { resourceGroups } = context.settings;
  const seen = new Set(groupsSeen(({ project }) => isThere(project), context).map(([name]) => name));
  const machines = things
    ? alikeAmong(things.flatMap((thing) => idsOf(thing, context)).filter(isThere), resourceGroups)
    : allAlike(resourceGroups).filter(({ listedBy }) => listedBy.some((name) => seen.has(name)));
  if (machines.length === 0)
    return { field: "thing", problem: "Curfew knows no machines of that. Name a group, a project or a resource's id." };
  const asked = timeAsked(when, context);
  const states = await statesOf(machines, things === undefined, asked, actionsIn(listed), context);
  const shown = [...states].sort((one, other) => one.rank - other.rank).slice(0, shownLines);
  const more = states.length - shownLines;
  return {
    title: titleOf(states, asked, context),
    note: [
      note,
      ...(things ? [] : [account === undefined ? "Only groups are shown." : `Only groups in ${account} are shown.`]),
      ...notesOn(states, asked, context),
      ...(more > 0 ? [`${more} more are not shown.`] : []),
    ].join(" "),
    items: await Promise.all(shown.map((state) => lineOf(state, asked, context))),
  };
}

function idsOf(thing: Thing, context: QueryContext): readonly string[] {
  switch (thing.kind) {
    case "resources":
      return thing.ids;
    case "exclusion":
      return namedBy(thing).ids;
    case "project":
      return idsInGroups(({ project }) => project === thing.id, context);
    case "action": {
      const groups = new Set(groupsOf(thing.action, context));
      return idsInGroups((_group, name) => groups.has(name), context);
    }
    default:
      return [];
  }
}

type Groups = QueryContext["settings"]["resourceGroups"];
type IsMeant = (group: Groups[string], name: string) => boolean;

const groupsSeen = (isMeant: IsMeant, { settings, may }: FillContext) =>
  Object.entries(settings.resourceGroups).filter(
    ([name, group]) => maySeeProject({ may }, group.project) && isMeant(group, name),
  );

const idsInGroups = (isMeant: IsMeant, context: QueryContext): readonly string[] => [
  ...new Set(groupsSeen(isMeant, context).flatMap(([, { ids }]) => ids)),
];

/** Resources that the same actions start and stop and the same exclusions hold. */
interface State {
  readonly ids: readonly string[];
  readonly actions: readonly Action[];
  readonly holds: readonly Hold[];
  readonly rank: number;
  readonly phases: () => Phases;
}

interface Phases {
  readonly all: readonly Phase[];
  /** Those in the time that is asked about. */
  readonly asked: readonly Phase[];
}

async function statesOf(
  machines: readonly Alike[],
  areAll: boolean,
  { spans }: Asked,
  listed: readonly Action[],
  context: QueryContext,
): Promise<readonly State[]> {
  const range = {
    from: Math.min(...spans.map(({ from }) => from)) - aroundMs,
    to: Math.max(...spans.map(({ to }) => to)) + aroundMs,
  };
  const held = areAll ? { since: range.from } : machines.flatMap(({ ids }) => ids);
  const parts = partsOf(machines, await holdsOf(held, context), listed, context);
  const actions = [...new Set(parts.flatMap((part) => part.actions))];
  const changed = changedSince(actions, [range], context.now);
  const asked = changed.slice(0, mostActions);
  const known = await withKnownRuns(runsDuring(asked, [range], context.now), asked, [range], context);
  const runsBy = new Map<Action, Run[]>(asked.map((action) => [action, []]));
  for (const run of known) runsBy.get(run.action)?.push(run);
  const runsOf = runsOfEach([range], context.now);
  const phasesIn = ({ actions: own, holds }: Part): Phases => {
    const runs = own.flatMap((action) => runsBy.get(action) ?? runsOf(action));
    const all = phasesOf(runs, holds, range);
    return { all, asked: all.filter((phase) => spans.some((each) => clipped(phase, each).length > 0)) };
  };
  const rankOf = oncePerTimes((part) => rank(phasesIn(part)), new Set(changed));
  return inSlices(
    (function* () {
      const states: State[] = [];
      for (const part of parts) {
        states.push({ ...part, rank: rankOf(part), phases: () => phasesIn(part) });
        yield;
      }
      return states;
    })(),
  );
}

/** Hundreds of groups share a few schedules. Those with an action that was changed, or that something holds, are looked at by themselves. */
function oncePerTimes<T>(read: (part: Part) => T, changed: ReadonlySet<Action>): (part: Part) => T {
  const known = new Map<string, T>();
  return (part) => {
    if (part.holds.length > 0 || part.actions.some((action) => changed.has(action))) return read(part);
    const key = part.actions
      .map((action) => `${isFor("start", action)} ${action.isEnabled} ${scheduleKey(action)}`)
      .join("\n");
    const found = known.get(key) ?? read(part);
    known.set(key, found);
    return found;
  };
}

/** What the schedule has stopped. */
export interface Off {
  /** In epoch ms. */
  readonly startsAt: number | undefined;
}

/** When the schedule next starts resources that it has stopped, as far as their known runs say. */
export function offNow(ids: readonly string[], listed: readonly Action[], context: FillContext) {
  const machines = alikeAmong(ids, context.settings.resourceGroups);
  return offAmong(
    (holds) => partsOf(machines, holds, listed, context),
    () => holdsOf(ids, context),
    context.now,
  );
}

/** The same of any parts of them; undefined where one of them may be up. */
export async function offAmong(
  partsUnder: (holds: readonly Hold[]) => readonly Pick<State, "actions" | "holds">[],
  holdsNow: () => Promise<readonly Hold[]>,
  now: number,
): Promise<Off | undefined> {
  // What held stops back is only looked up where that matters.
  if (!partsUnder([]).every((part) => offOf(part, now))) return undefined;
  const found = partsUnder(await holdsNow()).map((part) => offOf(part, now));
  const starts = found.flatMap((off) => off?.startsAt ?? []);
  return found.every(Boolean) ? { startsAt: starts.toSorted((one, other) => one - other)[0] } : undefined;
}

/** When the schedule next starts what it has stopped, by these actions; undefined for what may be up, and where there are none. */
function offOf({ actions, holds }: Pick<State, "actions" | "holds">, now: number): Off | undefined {
  const range = { from: now - aroundMs, to: now + aroundMs };
  const phases = phasesOf(runsDuring(actions, [range], now), holds, range);
  const at = phases.findIndex(({ to }) => to > now);
  const since = phases[at]?.began?.at;
  const starts = actions.filter((action) => isFor("start", action));
  // Before a start was changed it may have run at another time.
  const isSure = since !== undefined && changedSince(starts, [{ from: since, to: now }], now).length === 0;
  return isSure && phases[at]?.isUp === false ? { startsAt: phases[at + 1]?.began?.at } : undefined;
}

type Part = Pick<State, "ids" | "actions" | "holds">;

function partsOf(
  machines: readonly Alike[],
  holds: readonly Hold[],
  listed: readonly Action[],
  { settings, may }: FillContext,
): readonly Part[] {
  const actionsOf = actionsByGroup(listed);
  const groups = new Set(machines.flatMap((each) => each.groups));
  const known = new Map(
    [...groups].flatMap(([name, group]) => {
      const isSeen = settings.resourceGroups[name] === group && maySeeProject({ may }, group.project);
      if (!isSeen || group.actions === undefined) return [];
      return [[name, actionsOf(group).filter((action) => isFor("start", action) || isFor("stop", action))] as const];
    }),
  );
  const keeping = holds.filter(({ body }) => body.processes?.length);
  const holdsHolding = keeping.length === 0 ? () => [] : holdingAny(keeping);
  const held = keeping.flatMap(({ body }) => body.resourceIds ?? []);
  const heldGroups = new Set(groupsWithAny(held, settings.resourceGroups));
  const parts = new Map<string, Omit<Part, "ids"> & { readonly ids: (readonly string[])[] }>();
  for (const { groups, ids } of machines) {
    const own = groups.map(([name]) => name).filter((name) => known.has(name));
    const add = (some: readonly string[], held: readonly Hold[]) => {
      const key = [...own, ...held.map((hold) => holds.indexOf(hold))].join("\n");
      const part = parts.get(key) ?? {
        ids: [],
        actions: [...new Set(own.flatMap((name) => known.get(name) ?? []))],
        holds: held,
      };
      part.ids.push(some);
      parts.set(key, part);
    };
    // Of thousands of machines only those are looked at of which one is held.
    const mayBeHeld = groups.length === 0 || groups.some((group) => heldGroups.has(group));
    if (mayBeHeld) for (const id of ids) add([id], holdsHolding([id]));
    else add(ids, []);
  }
  return [...parts.values()].map(({ ids: [first = [], ...others], ...part }) => ({
    ...part,
    // Most are all machines of one group, thousands in all: not copied.
    ids: others.length === 0 ? first : [first, ...others].flat(),
  }));
}

/** Up, in part up, down, unknown. */
function rank({ asked }: Phases): number {
  const ups = asked.map(({ isUp }) => isUp);
  if (ups.includes(true)) return ups.every(Boolean) ? 0 : 1;
  return ups.includes(undefined) ? 3 : 2;
}

const signs = ["on", "on", "over", "unknown"] as const satisfies readonly Sign[];

/** "qa is up tomorrow 03:00, the other 4 are down" */
function titleOf(states: readonly State[], { spans, isMoment, inWords }: Asked, context: QueryContext): string {
  const isPast = spans.every(({ to }) => to <= context.now);
  const be = (count: number) => (isPast ? (count === 1 ? "was" : "were") : count === 1 ? "is" : "are");
  const of = (...ranks: readonly number[]) => states.filter(({ rank }) => ranks.includes(rank));
  const [up, down, unknown] = [of(0, 1), of(2), of(3)];
  const names = (some: readonly State[]) =>
    some.length > shownNames ? `${some.length} of ${states.length}` : joined(some.map((each) => nameOf(each, context)));
  const whole = isMoment || up.length !== 1 || up[0]?.rank === 1 ? "" : "all the time, ";
  const others = (some: readonly State[], what: string) =>
    some.length === 0
      ? []
      : [`${some.length === 1 ? names(some) : `the other ${some.length}`} ${be(some.length)} ${what}`];
  const partly = !isMoment && up.some(({ rank }) => rank === 1) ? "at some time " : "";
  if (up.length > 0)
    return [
      `${names(up)} ${be(up.length)} up ${whole}${partly}${inWords}`,
      ...others(down, "down"),
      ...others(unknown, "not known"),
    ].join(", ");
  if (down.length > 0)
    return [`${names(down)} ${be(down.length)} down ${inWords}`, ...others(unknown, "not known")].join(", ");
  return `Curfew doesn't know whether ${names(unknown)} ${be(unknown.length)} up ${inWords}`;
}

function joined(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const nameOf = ({ ids }: State, context: QueryContext): string => whatOf(ids, context);

function notesOn(states: readonly State[], { spans }: Asked, { now }: QueryContext): readonly string[] {
  const actions = [...new Set(states.flatMap((state) => state.actions))];
  const changed = changedSince(actions, spans, now).map(({ name, actionId }) => `“${name || actionId}”`);
  return changed.length > 0 ? [`Changed since, so its runs before are known only in part: ${changed.join(", ")}.`] : [];
}

async function lineOf(state: State, asked: Asked, context: QueryContext): Promise<Line> {
  const name = nameOf(state, context);
  const machines = resourceWords(state.ids);
  const { all, asked: phases } = state.phases();
  const [phase] = phases;
  const isSame = phases.every(({ isUp }) => isUp === phase?.isUp);
  const { holds } = state;
  const how = await (phase && isSame
    ? phaseParts(phase, { all, holds }, asked, context)
    : timesUp({ phases, holds }, asked, context));
  return {
    id: name,
    sign: signs[state.rank] ?? "unknown",
    name,
    parts: [...how, ...(machines === name ? [] : [machines])],
    menu: [
      resultButton("Status", "status", { thing: name }),
      resultButton("What runs next", "next", { thing: name }),
      resultButton("Why?", "why", { thing: name }),
    ],
  };
}

/** "up · kept up by erin until tomorrow 12:00 (regression tests) · next stop: tomorrow 20:00 (Nightly stop of qa)" */
async function phaseParts(
  phase: Phase,
  { all, holds }: Pick<Phases, "all"> & Pick<State, "holds">,
  { spans: [first] }: Asked,
  context: QueryContext,
): Promise<readonly LinePart[]> {
  const { isUp, began } = phase;
  const ends = all.find((each) => each.from >= phase.to && each.isUp !== isUp)?.began;
  if (isUp === undefined || !began) return ["Curfew knows no start and stop of it"];
  const at = first?.from ?? context.now;
  const by = keptBy(phase, holds, at);
  const isOver = by.length > 0 && by.every(({ until = at + 1 }) => until <= at);
  const process = isUp ? "stop" : "start";
  const next = isOver ? `no ${process} was due then, the next is ` : `next ${process}: `;
  return [
    isUp ? "up" : "down",
    ...(await holdParts(by, isUp ? "kept up" : "kept off", context)),
    ...(by.length > 0
      ? []
      : [{ before: isUp ? "started " : "since ", at: began.at, after: ` (${await ranAs(began, context)})` }]),
    ...(ends ? [{ before: next, at: ends.at, after: ` (${nameOfAction(ends)})` }] : []),
  ];
}

const nameOfAction = ({ action }: Run): string => action.name || action.actionId;

/** With how it went, unless that was well. */
async function ranAs(run: Run, context: QueryContext): Promise<string> {
  const last = run.at <= context.now ? await lastRun(run.action, context, { isNamed: true }) : undefined;
  const problem = last && Math.abs(last.at - run.at) <= 60_000 ? last.problem : undefined;
  return `${nameOfAction(run)}${problem ? `: ${problem}` : ""}`;
}

/** "up from today 05:30 to today 18:30" */
async function timesUp(
  { phases, holds }: { readonly phases: readonly Phase[] } & Pick<State, "holds">,
  { spans }: Asked,
  context: QueryContext,
): Promise<readonly LinePart[]> {
  const ups = phases.filter(({ isUp }) => isUp === true);
  const times = merged(ups.flatMap((phase) => spans.flatMap((each) => clipped(phase, each))));
  const by = new Set(ups.flatMap((phase) => keptBy(phase, holds, Math.max(phase.from, spans[0]?.from ?? 0))));
  const moment = (at: number) => shortMoment(at, context.actor.timeZone, context.now);
  const shown = times.slice(0, shownTimes).map(({ from, to }) => `${moment(from)} to ${moment(to)}`);
  const more = times.length - shownTimes;
  return [
    `up ${shown.join(", ")}${more > 0 ? ` and ${more} more times` : ""}`,
    ...(await holdParts([...by], "kept up", context)),
  ];
}

/** A time in which resources are up, or down; which of both is unknown before the first run. */
interface Phase extends Interval {
  readonly isUp: boolean | undefined;
  /** The run that began it. */
  readonly began: Run | undefined;
  /** The runs that did not end it, with what held them back. */
  readonly held: readonly { readonly at: number; readonly by: readonly Hold[] }[];
}

/**
 * When some resources are up within a time, by the runs that start and stop them all and by what holds all of them. What is started while
 * it is up begins another phase: it is up for that reason.
 */
function phasesOf(runs: readonly Run[], holds: readonly Hold[], { from, to }: Interval): readonly Phase[] {
  const found: Phase[] = [];
  let phase: Phase = { from, to, isUp: undefined, began: undefined, held: [] };
  for (const run of [...runs].sort((one, other) => one.at - other.at)) {
    const isUp = isFor("start", run.action) === true;
    if (phase.isUp === false && !isUp) continue;
    const by = holds.filter((hold) => isHolding(hold, run.at, processesOf[isUp ? "start" : "stop"][0]));
    if (by.length > 0) {
      phase = { ...phase, held: [...phase.held, { at: run.at, by }] };
      continue;
    }
    found.push({ ...phase, to: run.at });
    phase = { from: run.at, to, isUp, began: run, held: [] };
  }
  return [...found, phase];
}

/** What keeps resources as they are at a moment: what holds then, else what held the last run back that would have changed that. */
function keptBy({ isUp, held }: Phase, holds: readonly Hold[], at: number): readonly Hold[] {
  const then = holds.filter((hold) => isHolding(hold, at, processesOf[isUp ? "stop" : "start"][0]));
  return then.length > 0 ? then : (held.findLast((run) => run.at <= at)?.by ?? []);
}

/** The time that a question is about. */
interface Asked {
  readonly spans: readonly Interval[];
  /** A moment rather than a time. */
  readonly isMoment: boolean;
  readonly inWords: string;
}

/** “At 20:00”, “after 20:00” and “in 2 hours” ask about that moment; a day and a night about all of it. */
function timeAsked(when: Span | undefined, context: QueryContext): Asked {
  const { now, actor } = context;
  const [first, ...others] = when?.spans ?? [];
  if (!when || !first) return { spans: [{ from: now, to: now + 1 }], isMoment: true, inWords: "now" };
  const { from, to } = first;
  const isOpen = /^(?:after|from)\b/i.test(when.said) && to - from === 12 * hourMs;
  const isAhead = /^in (?!the\b)/i.test(when.said) && from === now;
  if (others.length === 0 && (isOpen || isAhead || (to - from === hourMs && from !== now))) {
    const at = isAhead ? to : from;
    return { spans: [{ from: at, to: at + 1 }], isMoment: true, inWords: shortMoment(at, actor.timeZone, now) };
  }
  const spans = when.spans.map((each) => ({ ...each, to: Math.min(each.to, each.from + longestMs) }));
  return { spans, isMoment: false, inWords: spans.map((each) => spanWords(each, context)).join(", ") };
}
