import { isFor } from "../../service/action-types.ts";
import { actionLine } from "../action.ts";
import { type CommandButton, type Item, isProblem, type Line } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import type { Resources } from "../thing.ts";
import { comingRuns, groupsOf, placeOf, type Run, type RunsOfThing, runsOf } from "./coming-runs.ts";
import { exclusionsAt, heldBack, heldRun } from "./holding.ts";
import { keepResourcesButton, keepRunningButtons } from "./keep-running.ts";
import { lastDue } from "./seen-parts.ts";

/** A run on one line, with its groups, what holds it back, and what prevents it. `ids`: the resources that the reader asked about. */
export async function runLine(run: Run, context: QueryContext, ids?: readonly string[]): Promise<Line> {
  const groups = groupsOf(run.action, context);
  const acted = ids ?? groups.flatMap((name) => context.settings.resourceGroups[name]?.ids ?? []);
  const { by, isPrevented } = await heldRun(run, acted, context);
  const { keep, forms } = isPrevented || ids !== undefined ? { forms: [] } : keepRunningButtons(run, context);
  const line = await actionLine(run.action, context, {
    more: [
      ...(by.length > 0 ? [`held back ${isPrevented ? "" : "in part "}by ${by.join(", ")}`] : []),
      ...(await lastDue(run.action, context)),
    ],
    on: groups.length > 0 ? `for ${groups.join(", ")}` : undefined,
    first: forms,
  });
  return { ...line, sign: isPrevented ? "off" : line.sign, button: keep };
}

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
  const actedOn = found?.dueIn ? [] : thing.ids;
  const lines = (found?.runs ?? []).slice(0, shownRuns).map((run) => runLine(run, context, actedOn));
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
  const at = stop?.at ?? context.now;
  const held = heldBack(thing.ids, await exclusionsAt(at, thing.ids, context), "stop-resource");
  if (held.length === thing.ids.length) return [];
  return keepResourcesButton(thing, await placeOf(thing, context), stop, context);
}
