import { timeAt } from "../../../time/format-moment.ts";
import { isProblem } from "../../answer.ts";
import type { FillContext } from "../../command.ts";
import { afterRunMs } from "../kept-until.ts";
import { nextRunOf } from "../next-run.ts";

/** `HH:MM` right before the first of these resources is stopped (or started) next; undefined where no action of theirs says it. */
export async function timeBeforeStop(
  resourceIds: readonly string[],
  zone: string,
  context: FillContext,
  process: "stop" | "start",
): Promise<string | undefined> {
  const groups = Object.values(context.settings.resourceGroups).filter(({ ids }) =>
    ids.some((id) => resourceIds.includes(id)),
  );
  const isOfOne = groups.some(({ ids }) => resourceIds.every((id) => ids.includes(id)));
  const runs = isOfOne
    ? [await nextRunOf({ resourceIds }, context, process)]
    : await Promise.all(groups.map((group) => nextRunOf({ group }, context, process)));
  const ats = runs.flatMap((run) => (run === undefined || isProblem(run) ? [] : [run.at]));
  const times = ats.map((at) => timeAt(at - afterRunMs, zone));
  const isKnown = resourceIds.every((id) => groups.some(({ ids }) => ids.includes(id)));
  // The service may be ahead by seconds.
  return isKnown ? times.toSorted()[0] : undefined;
}
