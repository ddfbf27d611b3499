import type { Entity } from "../../directory/directory.ts";
import { resourceKeys } from "../../directory/resource-place.ts";
import type { QueryContext } from "../command.ts";
import { isSwitchedOff, startOf } from "../exclusion/exclusion-body.ts";
import { endOf } from "../exclusion/exclusion-line.ts";
import { exclusionsHolding } from "../exclusion/overlapping-exclusions.ts";
import { maySeeProject } from "./may-see.ts";

type Exclusion = Entity<"exclusion">;

/**
 * The exclusions that hold back some process of these resources at a moment and that the requester may see, soonest to end first. Of the
 * past only with `ids`.
 */
export async function exclusionsAt(
  at: number,
  ids: readonly string[] | undefined,
  context: QueryContext,
): Promise<readonly Exclusion[]> {
  const known =
    ids && at < context.now
      ? await pastExclusions(at, ids, context)
      : await exclusionsHolding(context.directory, { resourceIds: ids }, at);
  return known.filter(({ projectId }) => maySeeProject(context, projectId));
}

async function pastExclusions(at: number, ids: readonly string[], { directory }: QueryContext) {
  const known = await directory.exclusionsNaming(ids.flatMap(resourceKeys));
  return known.filter(
    (exclusion) =>
      !isSwitchedOff(exclusion.body) && (startOf(exclusion.body) ?? at) <= at && (endOf(exclusion, at) ?? at + 1) > at,
  );
}

interface Holding {
  readonly body: {
    readonly processes?: readonly string[] | undefined;
    readonly resourceIds?: readonly string[] | undefined;
  };
}

/** Which of these resources exclusions hold back from a process. */
export function heldBack(ids: readonly string[], exclusions: readonly Holding[], process: string): readonly string[] {
  const keys = new Set(
    exclusions
      .filter(({ body }) => body.processes?.includes(process))
      .flatMap(({ body }) => (body.resourceIds ?? []).flatMap(resourceKeys)),
  );
  return ids.filter((id) => resourceKeys(id).some((key) => keys.has(key)));
}
