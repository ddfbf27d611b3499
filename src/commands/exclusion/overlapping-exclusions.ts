import type { Directory, Entity } from "../../directory/directory.ts";
import { isSameResource, resourceKeys } from "../../directory/resources.ts";
import { instant, isSwitchedOff } from "./exclusion-body.ts";

type Exclusion = Entity<"exclusion">;

/** The exclusions, soonest to end first, that hold back one of these processes, or any, of one of these resources, or any, at `at` (epoch ms). */
export async function exclusionsHolding(
  directory: Pick<Directory, "liveExclusions">,
  {
    resourceIds,
    processes,
  }: { readonly resourceIds?: readonly string[] | undefined; readonly processes?: readonly string[] },
  at: number,
): Promise<readonly Exclusion[]> {
  const live = await directory.liveExclusions(at, resourceIds?.flatMap(resourceKeys));
  return live.filter(
    ({ body }) =>
      !isSwitchedOff(body) &&
      (instant(body.startDate) ?? at) <= at &&
      (processes === undefined || (body.processes ?? []).some((process) => processes.includes(process))),
  );
}

/** The resources and processes that another exclusion still holds back when one ends. */
export interface AlsoHeld {
  readonly by: Exclusion;
  readonly resourceIds: readonly string[];
  readonly processes: readonly string[];
}

/** The resources that other exclusions still hold back when this one ends at `endsAt` (epoch ms). */
export async function alsoHeld(
  { id, body }: Exclusion,
  endsAt: number,
  directory: Pick<Directory, "liveExclusions">,
): Promise<readonly AlsoHeld[]> {
  const held = { resourceIds: body.resourceIds ?? [], processes: body.processes ?? [] };
  const others = await exclusionsHolding(directory, held, endsAt);
  return others
    .filter((other) => other.id !== id)
    .map((by) => ({
      by,
      resourceIds: held.resourceIds.filter((id) => by.body.resourceIds?.some((other) => isSameResource(id, other))),
      processes: held.processes.filter((process) => by.body.processes?.includes(process)),
    }))
    .filter(({ resourceIds }) => resourceIds.length > 0);
}
