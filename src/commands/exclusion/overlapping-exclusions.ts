import type { Directory, Entity } from "../../directory/directory.ts";
import { instant, isSwitchedOff } from "./exclusion-body.ts";

type Exclusion = Entity<"exclusion">;

/** The exclusions, soonest to end first, that keep one of these resources from one of these processes at a moment (epoch ms). */
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

/** What another exclusion keeps back where one exclusion ends. */
export interface AlsoHeld {
  readonly by: Exclusion;
  readonly resourceIds: readonly string[];
  readonly processes: readonly string[];
}

/** What others keep from the same processes when this exclusion ends at a moment (epoch ms). */
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
