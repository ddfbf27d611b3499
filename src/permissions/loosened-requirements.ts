import { type OperationName, operationNames, operations } from "../service/operations.ts";
import { type Loosening, list, unique } from "./loosened-roles.ts";
import { type Requirement, requiredFor } from "./requirements.ts";

/** Changes that need no reason or no ticket any more, or tickets of another form. */
export function loosenedRequirements(next: readonly Requirement[], old: readonly Requirement[]): readonly Loosening[] {
  const changing = operationNames.filter((name) => operations[name].effect !== "read");
  const found = changing.map((operation): readonly [OperationName, string | undefined] => [
    operation,
    howLoosened(operation, next, old),
  ]);
  return unique(found.flatMap(([, how]) => how ?? [])).map((how) => {
    const alike = found.filter(([, each]) => each === how).map(([operation]) => operation);
    return { path: "require", text: `${list(alike)} ${how}.` };
  });
}

function howLoosened(
  operation: OperationName,
  next: readonly Requirement[],
  old: readonly Requirement[],
): string | undefined {
  const [now, before] = [requiredFor(next, operation), requiredFor(old, operation)];
  const dropped = [
    ...(before.reason && !now.reason ? ["reason"] : []),
    ...(before.ticket && !now.ticket ? ["ticket"] : []),
  ];
  if (dropped.length > 0) return `no longer needs a ${dropped.join(" and a ")}`;
  return before.ticket !== undefined && before.ticket !== now.ticket
    ? `takes tickets of the form ${now.ticket}, instead of ${before.ticket}`
    : undefined;
}
