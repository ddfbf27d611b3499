import type { Entity } from "../../directory/directory.ts";
import { resourceKeys } from "../../directory/resource-place.ts";
import { isFor } from "../../service/action-types.ts";
import type { QueryContext } from "../command.ts";
import { instant, isSwitchedOff, processesOf } from "../exclusion/exclusion-body.ts";
import type { Run } from "./coming-runs.ts";
import { maySeeProject } from "./may-see.ts";

type Exclusion = Entity<"exclusion">;

/** The exclusions that hold back some process of these resources at a moment and that the requester may see, soonest to end first. */
export async function exclusionsAt(
  at: number,
  ids: readonly string[] | undefined,
  context: QueryContext,
): Promise<readonly Exclusion[]> {
  const live = await context.directory.liveExclusions(at, ids?.flatMap(resourceKeys));
  return live.filter(
    ({ projectId, body }) =>
      maySeeProject(context, projectId) && !isSwitchedOff(body) && (instant(body.startDate) ?? at) <= at,
  );
}

/** Which of these resources exclusions hold back from a process. */
export function heldBack(ids: readonly string[], exclusions: readonly Exclusion[], process: string): readonly string[] {
  const keys = new Set(
    exclusions
      .filter(({ body }) => body.processes?.includes(process))
      .flatMap(({ body }) => (body.resourceIds ?? []).flatMap(resourceKeys)),
  );
  return ids.filter((id) => resourceKeys(id).some((key) => keys.has(key)));
}

export interface HeldRun {
  /** The names of the exclusions. */
  readonly by: readonly string[];
  /** The run does nothing to any of the resources. */
  readonly isPrevented: boolean;
}

/** The exclusions that hold back a run of an action that acts on these resources. */
export async function heldRun({ action, at }: Run, ids: readonly string[], context: QueryContext): Promise<HeldRun> {
  const verb = (["stop", "start"] as const).find((each) => isFor(each, action));
  if (verb === undefined || ids.length === 0) return { by: [], isPrevented: false };
  const [process] = processesOf[verb];
  const holding = (await exclusionsAt(at, ids, context)).filter(({ body }) => body.processes?.includes(process));
  const held = heldBack(ids, holding, process);
  return { by: holding.map(({ id, body }) => body.name ?? id), isPrevented: held.length === new Set(ids).size };
}
