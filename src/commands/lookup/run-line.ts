import { consoleAddress } from "../../permissions/requirements.ts";
import { actsOn, isFor } from "../../service/action-types.ts";
import { type Action, resourceTypes } from "../../service/resources.ts";
import { shortMoment } from "../../time/format-moment.ts";
import { actionLine, actionMenu, placeWords } from "../action.ts";
import {
  type CommandButton,
  formButton,
  type Item,
  isProblem,
  type Line,
  type LinePart,
  resultButton,
  type Sign,
} from "../answer.ts";
import type { FillContext, QueryContext } from "../command.ts";
import { resourceWords } from "../exclusion/exclusion-body.ts";
import { afterRunMs } from "../exclusion/kept-until.ts";
import { comingRun } from "../exclusion/next-run.ts";
import { whatOf } from "../exclusion/planned/plans.ts";
import { defined } from "../field.ts";
import type { Resources } from "../thing.ts";
import { exclusionsNow, type Hold, heldBack, holdsOfEach } from "./holding.ts";
import {
  comingRuns,
  groupsOf,
  heldAt,
  idsIn,
  type KnownRun,
  lastRun,
  type Place,
  placeOf,
  type Reading,
  type Run,
  type RunsOfAction,
  type RunsOfThing,
  readRuns,
  runsOf,
  toleranceMs,
} from "./runs.ts";

interface RunLine extends Reading {
  /** Also the buttons that prevent its next run. */
  readonly offersKeep?: boolean;
  readonly more?: readonly LinePart[];
}

/** An action on one line, with its next and its last run, what holds them back, and its groups. */
export async function runLine(
  action: Action,
  context: QueryContext,
  { offersKeep = false, more = [], ...reading }: RunLine = {},
): Promise<Line> {
  const groups = groupsOf(action, context);
  const { next, last } = await readRuns(action, context, reading);
  const isOffered = offersKeep && next !== undefined && !next.isPrevented;
  const { keep, forms } = isOffered ? keepRunningButtons({ action, at: next.at }, context, groups) : { forms: [] };
  const line = await actionLine(action, context, {
    more: [...(next && next.by.length > 0 ? [heldWords(next)] : []), ...more, ...lastParts(last)],
    on: groups.length > 0 ? `for ${groups.join(", ")}` : undefined,
    first: forms,
  });
  return { ...line, sign: next?.isPrevented ? "off" : line.sign, button: keep };
}

/** The last run, where it is known. */
function lastParts(last: RunsOfAction["last"]): readonly LinePart[] {
  if (!last) return [];
  const held = last.by.length > 0 ? { after: `, ${heldWords(last)}` } : {};
  return [{ before: "last: ", at: last.at, ...held }, ...(last.problem ? [`last outcome ${last.problem}`] : [])];
}

const heldWords = ({ by, isPrevented }: KnownRun): string =>
  `held back ${isPrevented ? "" : "in part "}by ${by.map(({ name }) => name).join(", ")}`;

const shownRuns = 3;
const title = "What runs next";

interface NextRuns {
  readonly items: readonly (Item | Line)[];
  /** Keeps the resources out of the next stop. */
  readonly keep: readonly CommandButton[];
}

/** What would stop or start resources next. */
export async function nextRuns(thing: Resources, context: QueryContext): Promise<NextRuns> {
  const all = await comingRuns(context);
  if (isProblem(all)) return { items: [{ title, facts: [{ label: "", value: all.problem }] }], keep: [] };
  const found = await runsOf(thing, all, context);
  const reading = { ids: found?.dueIn ? undefined : thing.ids, isNamed: true };
  const lines = (found?.runs ?? []).slice(0, shownRuns).map(({ action }) => runLine(action, context, reading));
  const note = noteOn(found);
  const heading = found?.dueIn ? `Due in ${found.dueIn}` : title;
  return {
    items: [...(note ? [{ title: heading, facts: [{ label: "", value: note }] }] : []), ...(await Promise.all(lines))],
    keep: await keepButton(thing, found, context),
  };
}

function noteOn(found: RunsOfThing | undefined): string | undefined {
  if (!found) return "Curfew doesn't know its project, so it can't say what's next.";
  if (found.runs.length === 0) return "Nothing is scheduled.";
  return found.dueIn ? "These may be for other machines." : undefined;
}

/** None while an exclusion holds them all back when the next stop comes. */
async function keepButton(
  thing: Resources,
  found: RunsOfThing | undefined,
  context: QueryContext,
): Promise<readonly CommandButton[]> {
  const stop = found?.runs.find(({ action }) => isFor("stop", action));
  const ids = thing.ids;
  const isPrevented = stop
    ? (await readRuns(stop.action, context, { ids })).next?.isPrevented
    : heldBack(ids, await exclusionsNow(ids, context), "stop-resource").length === ids.length;
  if (isPrevented) return [];
  return exclusionForm(await placeOf(thing, context), ids, stop && stop.at + afterRunMs, context);
}

/** How an action's verb goes: of a run to come, of one that was, and after "was due to". */
const verbs = {
  stop: ["stops", "stopped", "stop"],
  start: ["starts", "started", "start"],
  backup: ["backs up", "backed up", "back up"],
  other: ["runs for", "ran for", "run for"],
} as const;

export type Verb = keyof typeof verbs;

export const verbOf = (action: Action): Verb =>
  (["stop", "start", "backup"] as const).find((verb) => isFor(verb, action)) ?? "other";

interface About {
  /** The resources that were asked about; without them, those of the groups that name the action. */
  readonly ids: readonly string[] | undefined;
  /** Also when it ran last. */
  readonly hasLast: boolean;
}

/** Runs, each on one line: when, what it acts on, and whether it takes or took place. */
export async function dueLines(runs: readonly Run[], context: QueryContext, about: About): Promise<readonly Line[]> {
  const due = runs.map((run) => {
    const groups = groupsOf(run.action, context);
    return { ...run, groups, acted: about.ids ?? idsIn(groups, context) };
  });
  const holds = await holdsOfEach(
    due.map(({ acted }) => acted),
    context,
  );
  return Promise.all(due.map((run, index) => dueLine({ ...run, holds: holds[index] ?? [] }, context, about)));
}

interface Due extends Run {
  /** The names of the groups that name its action. */
  readonly groups: readonly string[];
  /** The resources that it acts on, as far as that is known. */
  readonly acted: readonly string[];
  readonly holds: readonly Hold[];
}

async function dueLine(
  { action, at, groups, acted, holds }: Due,
  context: QueryContext,
  { ids, hasLast }: About,
): Promise<Line> {
  const { now } = context;
  const held = heldAt(at, action, acted, holds);
  const last = at <= now ? await lastRun(action, context, { isNamed: true }) : undefined;
  const outcome = last && Math.abs(last.at - at) <= toleranceMs ? last.outcome : undefined;
  const isWell = last?.problem === undefined;
  const what = (ids ? whatOf(ids, context) : groups.join(", ")) || (await placeWords(action, context));
  const machines = resourceWords(acted);
  const happens = happensTo(what, { verb: verbOf(action), isPast: at <= now, outcome, isWell });
  const isNext = at === comingRun(action, now) && !held.isPrevented;
  const { keep, forms } = isNext ? keepRunningButtons({ action, at }, context, groups) : { forms: [] };
  return {
    id: `${action.actionId} ${at}`,
    sign: signOf({ isPrevented: held.isPrevented, isPast: at <= now, outcome, isWell }),
    name: action.name || action.actionId,
    address: consoleAddress(context.settings, "action", action.actionId),
    parts: [
      { at },
      ...(held.by.length === 0
        ? [isPlainFrom(action, at, now) ? what : happens.plain]
        : await heldParts(held, happens, verbOf(action), context)),
      ...(hasLast ? lastParts((await readRuns(action, context, { ids, isNamed: true })).last) : []),
      ...(acted.length > 0 && machines !== what ? [machines] : []),
    ],
    menu: [...forms, ...actionMenu(action.actionId)],
    button: keep,
  };
}

/** Its name says what it does: "Stop staging". */
const isPlainFrom = (action: Action, at: number, now: number): boolean =>
  at > now && action.name?.toLowerCase().startsWith(`${verbs[verbOf(action)][2]} `) === true;

interface Went {
  readonly isPast: boolean;
  readonly outcome: string | undefined;
  readonly isWell: boolean;
}

function signOf({ isPrevented, isPast, outcome, isWell }: Went & { readonly isPrevented: boolean }): Sign {
  if (isPrevented) return "off";
  if (!isPast) return "run";
  return outcome === undefined ? "unknown" : isWell ? "done" : "failed";
}

interface Happens {
  readonly plain: string;
  /** In front of what holds it back, for all of the resources. */
  readonly not: string;
}

function happensTo(what: string, { verb, isPast, outcome, isWell }: Went & { readonly verb: Verb }): Happens {
  const [does, did, due] = verbs[verb];
  const not = `${isPast ? "did" : "does"} not ${due} ${what}`;
  if (!isPast) return { plain: `${does} ${what}`, not };
  if (outcome === undefined) return { plain: `was due to ${due} ${what}, how it went is not known`, not };
  return { plain: isWell ? `${did} ${what} (${outcome})` : `was due to ${due} ${what}: ${outcome}`, not };
}

/** "does not stop web: kept up by alice until today 19:00 (load test)" */
async function heldParts(
  { by, held, isPrevented }: Omit<KnownRun, "at">,
  { plain, not }: Happens,
  verb: Verb,
  context: QueryContext,
): Promise<readonly LinePart[]> {
  const lead = isPrevented ? not : `${plain}, but not ${resourceWords(held)}`;
  const parts = await holdParts(by, verb === "start" ? "kept off" : "kept up", context);
  return parts.map((part, index) => (index === 0 ? leading(`${lead}: `, part) : part));
}

const leading = (lead: string, part: LinePart): LinePart =>
  typeof part === "string" ? `${lead}${part}` : { ...part, before: `${lead}${part.before ?? ""}` };

/** "kept up by alice until today 19:00 (load test)", each. */
export async function holdParts(
  holds: readonly Hold[],
  kept: string,
  context: QueryContext,
): Promise<readonly LinePart[]> {
  if (holds.length === 0) return [];
  const origins = await context.origins(holds.flatMap(({ id }) => id ?? []));
  return holds.map((hold) => holdPart(hold, kept, hold.reason ?? origins.get(hold.id ?? "")?.reason, context));
}

const longestReason = 100;

function holdPart(
  { name, ownerId, until, isPlanned }: Hold,
  kept: string,
  reason: string | undefined,
  { actor, now }: QueryContext,
): LinePart {
  const cut = reason && reason.length > longestReason ? `${reason.slice(0, longestReason)}…` : reason;
  const why = [isPlanned ? "planned" : undefined, cut].filter(Boolean).join(": ");
  const end = until === undefined ? "" : ` until ${shortMoment(until, actor.timeZone, now)}`;
  const after = `${end}${why ? ` (${why})` : ""}`;
  if (ownerId === null) return `${kept} by “${name}”, made outside Curfew,${after}`;
  return ownerId === actor.userId ? `${kept} by you${after}` : { before: `${kept} by `, person: ownerId, after };
}

type KeepContext = Pick<FillContext, "may" | "now" | "settings">;

interface RunButtons {
  /** Keeps the one group that the action acts on. */
  readonly keep?: CommandButton;
  /** Where no group names what the action acts on: the form, and the one that makes such a group. */
  readonly forms: readonly CommandButton[];
}

/** What prevents a run that stops something, as far as the requester may. `names`: the groups that it acts on. */
export function keepRunningButtons(
  { action, at }: Run,
  context: KeepContext,
  names: readonly string[] = groupsOf(action, context),
): RunButtons {
  if (!isFor("stop", action)) return { forms: [] };
  const until = at + afterRunMs;
  const [name, ...others] = names;
  const group = name !== undefined && others.length === 0 ? context.settings.resourceGroups[name] : undefined;
  if (!group) {
    const place = { project: action.projectId ?? undefined, type: typeOf(action) };
    const [form] = exclusionForm(place, [], until, context);
    if (!form) return { forms: [] };
    const label = { label: "Keep running…" };
    return { forms: [{ ...form, ...label }, ...(names.length === 0 ? [nameMachines(action, place)] : [])] };
  }
  const { ids, type, project } = group;
  if (!mayExclude({ type, project }, ids, until, context)) return { forms: [] };
  const input = { resourceIds: ids, type, project, process: "stop", until };
  return { keep: resultButton("Keep running", "exclusion create", input), forms: [] };
}

/** An action does not name its machines (API.md). A group that does makes one press enough from then on. */
function nameMachines({ actionId }: Action, { project, type }: Place): CommandButton {
  return formButton("Name its machines…", "group save", { ...defined({ project, type }), actions: [actionId] });
}

/** Opens the form for excluding these resources, filled with what is known. */
function exclusionForm(
  { project, type }: Place,
  ids: readonly string[],
  until: number | undefined,
  context: KeepContext,
): readonly CommandButton[] {
  if (!mayExclude({ project, type }, ids, until ?? context.now, context)) return [];
  const known = { project, until, type: resourceTypes.find((each) => each === type) };
  const input = { ...defined({ resourceIds: ids.length > 0 ? ids : undefined, ...known }), process: "stop" };
  return [formButton("Keep running", "exclusion create", input)];
}

function mayExclude(
  { project, type }: Place,
  resourceIds: readonly string[],
  until: number,
  { may, now }: KeepContext,
) {
  const exclusionLengthMs = Math.max(0, until - now);
  return may("CreateActionExclusion", { projectId: project, resourceType: type, resourceIds, exclusionLengthMs });
}

const typeOf = (action: Action): string | undefined => resourceTypes.find((type) => actsOn(action, type) === true);
