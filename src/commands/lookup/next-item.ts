import { isFor } from "../../service/action-types.ts";
import { type CommandButton, type Fact, type Item, isProblem } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import type { Resources } from "../thing.ts";
import { comingRuns, placeOf, type Run, type RunsOfThing, runsOf } from "./coming-runs.ts";
import { exclusionsAt, heldBack, heldRun } from "./holding.ts";
import { keepResourcesButton } from "./keep-running.ts";

const shownRuns = 3;
const title = "What runs next";

/** What would stop or start resources next, with a button that keeps them out of the next stop. */
export async function nextItem(thing: Resources, context: QueryContext): Promise<Item> {
  const all = await comingRuns(context);
  if (isProblem(all)) return { title, facts: [{ label: "", value: all.problem }] };
  const found = await runsOf(thing, all, context);
  const actedOn = found?.dueIn ? [] : thing.ids;
  const shown = found?.runs.slice(0, shownRuns) ?? [];
  const note = noteOn(found);
  return {
    title: found?.dueIn ? `Due in ${found.dueIn}` : title,
    facts: note ? [{ label: "", value: note }] : [],
    steps: await Promise.all(shown.map((run) => stepOf(run, actedOn, context))),
    buttons: await keepButton(thing, found, context),
  };
}

function noteOn(found: RunsOfThing | undefined): string | undefined {
  if (!found) return "Curfew does not know its project, so it cannot say what runs next.";
  if (found.runs.length === 0) return "Nothing is scheduled.";
  return found.dueIn ? "Actions do not name their resources, so these may be for others." : undefined;
}

async function stepOf(run: Run, actedOn: readonly string[], context: QueryContext): Promise<Fact> {
  const { by, isPrevented } = await heldRun(run, actedOn, context);
  const name = run.action.name ?? run.action.actionId;
  const held = by.length > 0 ? `, held back ${isPrevented ? "" : "in part "}by ${by.join(" and ")}` : "";
  return { label: `${name}${held}`, value: { at: run.at } };
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
