import type { HistorySubjects } from "../about-changes/about-changes.ts";
import type { Thing } from "../thing.ts";

/** The changes of any of these things. */
export function changesOf(things: readonly Thing[]): HistorySubjects {
  return {
    subjects: things.flatMap((thing): HistorySubjects["subjects"] => {
      if (thing.kind !== "resources") return [{ kind: thing.kind, id: thing.id }];
      return thing.group === undefined ? [] : [{ kind: "group", id: thing.group.toLowerCase() }];
    }),
    resourceIds: things.flatMap((thing) => (thing.kind === "resources" ? thing.ids : [])),
  };
}
