import { isDeepStrictEqual } from "node:util";
import { formatDuration } from "../time/duration.ts";
import { type LintFinding, warning } from "./lint-finding.ts";
import type { Settings } from "./settings.ts";
import type { Warning } from "./warnings-section.ts";

/** Entries of `warnings` without an effect. */
export function lintWarnings({ warnings, watch }: Settings): readonly LintFinding[] {
  return warnings.flatMap((entry, index) => {
    const path = ["warnings", index];
    // Of two that are alike the first counts.
    const same = warnings.findIndex(
      (other, place) => place !== index && covers(other, entry) && (place < index || !covers(entry, other)),
    );
    return [
      ...(same === -1 ? [] : [warning(path, `warnings.${same} warns this channel of all of it already`)]),
      ...(entry.beforeMs < watch.everyMs
        ? [
            warning(
              [...path, "before"],
              `shorter than watch.every, ${formatDuration(watch.everyMs)}: a run may come before Curfew looks`,
            ),
          ]
        : []),
    ];
  });
}

/** Whether one entry warns of everything that another does, as early and at the same hours. */
function covers(one: Warning, other: Warning): boolean {
  return (
    one.channel === other.channel &&
    one.beforeMs >= other.beforeMs &&
    (one.quiet === undefined || isDeepStrictEqual(one.quiet, other.quiet)) &&
    [...other.processes].every((each) => one.processes.has(each)) &&
    (one.projects === undefined || [...(other.projects ?? [unnamed])].every((each) => one.projects?.has(each)))
  );
}

/** A project that no entry names. */
const unnamed = "\0";
