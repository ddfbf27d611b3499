import { isFor } from "../../service/action-types.ts";
import type { Action } from "../../service/resources.ts";
import { actionLine } from "../action.ts";
import { type CommandButton, type Item, isProblem, type Line, type LinePart } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import type { Resources } from "../thing.ts";
import { comingRuns, groupsOf, placeOf, type RunsOfThing, runsOf } from "./coming-runs.ts";
import { exclusionsNow, heldBack } from "./holding.ts";
import { keepResourcesButton, keepRunningButtons } from "./keep-running.ts";
import { type KnownRun, type Reading, type RunsOfAction, readRuns } from "./read-runs.ts";

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
  const { keep, forms } = isOffered ? keepRunningButtons({ action, at: next.at }, context) : { forms: [] };
  const line = await actionLine(action, context, {
    more: [...(next && next.by.length > 0 ? [heldWords(next)] : []), ...more, ...lastParts(last)],
    on: groups.length > 0 ? `for ${groups.join(", ")}` : undefined,
    first: forms,
  });
  return { ...line, sign: next?.isPrevented ? "off" : line.sign, button: keep };
}

/** The last run, where it is known. */
export function lastParts(last: RunsOfAction["last"]): readonly LinePart[] {
  if (!last) return [];
  const held = last.by.length > 0 ? { after: `, ${heldWords(last)}` } : {};
  return [{ before: "last: ", at: last.at, ...held }, ...(last.problem ? [`last outcome ${last.problem}`] : [])];
}

const heldWords = ({ by, isPrevented }: KnownRun): string =>
  `held back ${isPrevented ? "" : "in part "}by ${by.map(({ name }) => name).join(", ")}`;

const shownRuns = 3;
const title = "What runs next";

export interface NextRuns {
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
  return found.dueIn ? "Actions don't name resources, so these may be for others." : undefined;
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
  return keepResourcesButton(thing, await placeOf(thing, context), stop, context);
}
