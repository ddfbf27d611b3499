import { type Operation, operations } from "../../service/operations.ts";
import type { ServiceChange } from "../change.ts";

/**
 * How Curfew can find out the unknown outcome of a change: it reads the result, or sends the same request again.
 * Undefined where only a person who looks in the service can: a second creation would be a second thing.
 */
export function wayToCheck({ operation }: Pick<ServiceChange, "operation">): "read" | "repeat" | undefined {
  const { readBack, effect, isOnce }: Operation = operations[operation];
  if (readBack) return "read";
  return effect === "create" || isOnce ? undefined : "repeat";
}
