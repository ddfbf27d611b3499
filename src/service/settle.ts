import type { Answered, Exchange } from "./exchange.ts";
import { type Operation, type OperationAnswer, type OperationName, operations } from "./operations.ts";
import { readAnswer } from "./read-answer.ts";
import { isRefusal, mayHaveActed } from "./retry.ts";
import type { ServiceError } from "./service-error.ts";

/**
 * What all the tries of one call add up to. Nobody is told "failed" about something that may have happened: one earlier try that may
 * have been acted on makes the outcome unknown, unless the last answer tells what became of it.
 */
export function settle<O extends OperationName>(
  operation: O,
  earlier: readonly Exchange[],
  last: Exchange,
  explain: (exchange: Exchange, problem?: string) => ServiceError,
): ServiceResult<OperationAnswer<O>> {
  const row: Operation = operations[operation];
  if (isSuccess(last)) return settleSuccess(operation, last, (problem) => explain(last, problem));
  if (row.effect === "read") return { kind: "failed", error: explain(last) };
  if (mayHaveActed(last)) return { kind: "unknown", error: explain(last) };
  const doubtful = earlier.findLast(mayHaveActed);
  if (!doubtful) return { kind: "failed", error: explain(last) };
  if (!isRefusal(last)) return { kind: "unknown", error: explain(doubtful) };
  return settleRefusedRepeat(row, last, explain(last));
}

const isSuccess = (exchange: Exchange): exchange is Answered =>
  exchange.kind === "answered" && exchange.status >= 200 && exchange.status < 300;

function settleSuccess<O extends OperationName>(
  operation: O,
  answered: Answered,
  explain: (problem: string) => ServiceError,
): ServiceResult<OperationAnswer<O>> {
  const read = readAnswer(operation, answered);
  if (read.kind === "read") return { kind: "succeeded", answer: read.answer };
  if (operations[operation].effect === "read") return { kind: "failed", error: explain(read.problem) };
  // Whoever sent it, nobody knows whether the request came through to the service.
  if (read.kind === "page") return { kind: "unknown", error: explain(read.problem) };
  const note = `The service said that this was done, but its answer could not be read: ${read.problem}.`;
  return { kind: "succeeded", answer: undefined, note };
}

/**
 * A repeat was refused after a try that may have been acted on. Where a request that worked can be repeated, the refusal stands for
 * the first try too; a deletion that worked leaves nothing to find; otherwise the refusal may itself be the first try's doing.
 */
function settleRefusedRepeat(row: Operation, refusal: Exchange, error: ServiceError): ServiceResult<never> {
  if (row.effect === "delete" && refusal.kind === "answered" && refusal.status === 404) {
    const note = "The first try got no clear answer; when it was repeated, there was nothing left to delete.";
    return { kind: "succeeded", answer: undefined, note };
  }
  const tellsNothing = row.effect === "delete" || row.refusesRepeat === true;
  return { kind: tellsNothing ? "unknown" : "failed", error };
}

/** How a call ended, as far as can be known (design.md, "The service client"). */
export type ServiceResult<T> =
  /** Done. No `answer` where spec.md shows no body, or where a change was made but its answer could not be read (`note` says so). */
  | { readonly kind: "succeeded"; readonly answer: T | undefined; readonly note?: string }
  /** Certainly nothing was changed. */
  | { readonly kind: "failed"; readonly error: ServiceError }
  /** It may have happened. */
  | { readonly kind: "unknown"; readonly error: ServiceError };
