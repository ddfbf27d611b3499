import type { Directory, Entity } from "../../directory/directory.ts";
import { instant, isSwitchedOff } from "./exclusion-body.ts";

type Exclusion = Entity<"exclusion">;

/** The exclusions, soonest to end first, that hold back one of these processes of one of these resources at `at` (epoch ms). */
export async function exclusionsHolding(
  directory: Pick<Directory, "liveExclusions">,
  held: { readonly resourceIds: readonly string[]; readonly processes: readonly string[] },
  at: number,
): Promise<readonly Exclusion[]> {
  const live = await directory.liveExclusions(at, held.resourceIds);
  return live.filter(
    ({ body }) =>
      !isSwitchedOff(body) &&
      (instant(body.startDate) ?? at) <= at &&
      (body.processes ?? []).some((process) => held.processes.includes(process)),
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
    .map((by) => {
      const theirs = new Set((by.body.resourceIds ?? []).map((resource) => resource.toLowerCase()));
      return {
        by,
        resourceIds: held.resourceIds.filter((resource) => theirs.has(resource.toLowerCase())),
        processes: held.processes.filter((process) => by.body.processes?.includes(process)),
      };
    });
}
