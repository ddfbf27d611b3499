import { z } from "zod";
import { type OperationName, operationNames, operations } from "../service/operations.ts";
import { knownName } from "./known-name.ts";

/** A list of operations as curfew.yaml writes it: exact names, `reads` for all that only read, `"*"` for all. */
export const operationSet = z
  .array(knownName("operation", [...operationNames, "reads", "*"]))
  .min(1, "must name at least one operation")
  .transform((entries): ReadonlySet<OperationName> => new Set(entries.flatMap(namedBy)));

function namedBy(entry: OperationName | "reads" | "*"): readonly OperationName[] {
  if (entry === "*") return operationNames;
  if (entry === "reads") return operationNames.filter((name) => operations[name].effect === "read");
  return [entry];
}
