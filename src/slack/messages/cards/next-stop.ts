import { createPlans } from "../../../changes/planned/plans.ts";
import type { ChangeStore } from "../../../changes/ports.ts";
import { runAfter } from "../../../commands/exclusion/next-run.ts";
import { exclusionsHolding } from "../../../commands/exclusion/overlapping-exclusions.ts";
import { heldBack } from "../../../commands/lookup/holding.ts";
import type { Plan } from "../../../commands/query-ports.ts";
import type { DirectoryStore, ResourceGroup } from "../../../directory/directory.ts";
import { actionsNamed, isFor } from "../../../service/action-types.ts";
import type { Action } from "../../../service/resources.ts";

export interface NextStop {
  readonly action: string;
  /** In epoch ms. */
  readonly at: number;
}

type Store = Pick<ChangeStore, "planned" | "waiting"> & Pick<DirectoryStore, "liveExclusions">;

const stop = "stop-resource";
/** After so many that are prevented, the next one is not known. */
const mostRuns = 100;

/**
 * When an action of the group stops it first after `end`, as far as the service's next runs and daily schedules say. A run that another
 * exclusion or a plan keeps from all of the group stops nothing.
 */
export async function nextStopAfter(
  group: ResourceGroup,
  listed: readonly Action[],
  end: number,
  store: Store,
): Promise<NextStop | undefined> {
  const stops = actionsNamed(group, listed).filter((action) => action.isEnabled !== false && isFor("stop", action));
  // At the very moment of its end an exclusion holds nothing back any more.
  let next = firstAfter(stops, end - 1);
  if (!next) return undefined;
  const plans = await createPlans(store)();
  for (let runs = 0; next && runs < mostRuns; runs++) {
    if (!(await isPrevented(group, next.at, plans, store))) return next;
    next = firstAfter(stops, next.at);
  }
  return undefined;
}

function firstAfter(stops: readonly Action[], after: number): NextStop | undefined {
  const runs = stops.flatMap((action) => {
    const at = runAfter(action, after);
    return at === undefined ? [] : [{ action: action.name || action.actionId, at }];
  });
  return runs.sort((one, other) => one.at - other.at)[0];
}

async function isPrevented({ ids }: ResourceGroup, at: number, plans: readonly Plan[], store: Store): Promise<boolean> {
  const live = await exclusionsHolding(store, { resourceIds: ids, processes: [stop] }, at);
  const then = plans.filter(
    ({ processes, spans }) =>
      processes.includes(stop) && spans.some(({ startsAt, endsAt }) => startsAt <= at && endsAt > at),
  );
  return heldBack(ids, [...live, ...then.map((body) => ({ body }))], stop).length === ids.length;
}
