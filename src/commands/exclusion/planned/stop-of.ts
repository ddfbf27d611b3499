import { wallClockAt } from "../../../time/wall-clock.ts";
import { isProblem } from "../../answer.ts";
import type { FillContext } from "../../command.ts";
import { afterRunMs } from "../kept-until.ts";
import { nextRunOf } from "../next-run.ts";

/** `HH:MM` right before these resources are stopped next; undefined where no action of theirs says it. */
export async function timeBeforeStop(
  resourceIds: readonly string[],
  zone: string,
  context: FillContext,
): Promise<string | undefined> {
  const run = await nextRunOf({ resourceIds }, context);
  if (run === undefined || isProblem(run)) return undefined;
  // The service may be ahead by seconds.
  const { hour, minute } = wallClockAt(run.at - afterRunMs, zone);
  return [hour, minute].map((each) => String(each).padStart(2, "0")).join(":");
}
