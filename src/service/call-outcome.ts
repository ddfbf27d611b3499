import { type Answered, type Exchange, isRefusal, mayHaveActed } from "./dispatch-once.ts";
import { type Operation, type OperationAnswer, type OperationName, operations } from "./operations.ts";
import { readAnswer } from "./read-answer.ts";
import type { ServiceError } from "./service-error.ts";

/**
 * Combines all attempts of one call into its outcome. A change that may have happened is never reported as failed: if the service
 * may have acted on an earlier attempt, the outcome is unknown, unless the last answer settles it.
 */
export function callOutcome<O extends OperationName>(
  operation: O,
  earlier: readonly Exchange[],
  last: Exchange,
  explain: (exchange: Exchange, problem?: string) => ServiceError,
): ServiceResult<OperationAnswer<O>> {
  const row: Operation = operations[operation];
  if (isSuccess(last)) return successOutcome(operation, last, (problem) => explain(last, problem));
  if (row.effect === "read") return { kind: "failed", error: explain(last) };
  if (mayHaveActed(last)) return { kind: "unknown", error: explain(last) };
  const doubtful = earlier.findLast(mayHaveActed);
  if (!doubtful) return { kind: "failed", error: explain(last) };
  // Much may have changed since an earlier call, so a refusal of now says nothing of it; but nothing is left to delete.
  const isLate = doubtful === unknownCall && row.effect !== "delete";
  if (!isRefusal(last) || isLate)
    return { kind: "unknown", error: explain(doubtful === unknownCall ? last : doubtful) };
  return refusedRepeatOutcome(row, last, explain(last));
}

/** Stands for an earlier call whose outcome is unknown. */
export const unknownCall: Exchange = { kind: "lost", cause: undefined };

const isSuccess = (exchange: Exchange): exchange is Answered =>
  exchange.kind === "answered" && exchange.status >= 200 && exchange.status < 300;

function successOutcome<O extends OperationName>(
  operation: O,
  answered: Answered,
  explain: (problem: string) => ServiceError,
): ServiceResult<OperationAnswer<O>> {
  const read = readAnswer(operation, answered);
  if (read.kind === "read") return { kind: "succeeded", answer: read.answer };
  if (operations[operation].effect === "read") return { kind: "failed", error: explain(read.problem) };
  // The page's sender is unknown, and so is whether the request reached the service.
  if (read.kind === "page") return { kind: "unknown", error: explain(read.problem) };
  const note = `The service did this, but its answer could not be read: ${read.problem}.`;
  return { kind: "succeeded", answer: undefined, note };
}

/**
 * The service refused a retry after it may have acted on an earlier attempt. If the operation can be repeated after success, the
 * refusal holds for the first attempt too. A deletion that worked leaves nothing to find. Otherwise the first attempt may have
 * caused the refusal.
 */
function refusedRepeatOutcome(row: Operation, refusal: Exchange, error: ServiceError): ServiceResult<never> {
  if (row.effect === "delete" && refusal.kind === "answered" && refusal.status === 404) {
    const note = "The first try got no clear answer; when it was repeated, there was nothing left to delete.";
    return { kind: "succeeded", answer: undefined, note };
  }
  const isInconclusive = row.effect === "delete" || row.refusesRepeat === true;
  return { kind: isInconclusive ? "unknown" : "failed", error };
}

/** Why a list lacks what an account says now. */
export interface Absence {
  /** The code of the error; undefined if it may still answer. */
  readonly code: string | undefined;
  /** Nothing is known from before. */
  readonly isUnknown: boolean;
}

/** The known outcome of a call (API.md, "The client"). */
export type ServiceResult<T> =
  /** Done. No `answer` where API.md shows no body, or where a change was made but its answer was unreadable (`note` says so). */
  | {
      readonly kind: "succeeded";
      readonly answer: T | undefined;
      readonly note?: string;
      /** The accounts of the service that did not answer, whose part of a list is what was known last. */
      readonly missing?: ReadonlyMap<string, Absence>;
    }
  /** Certainly nothing changed. */
  | { readonly kind: "failed"; readonly error: ServiceError }
  /** It may have happened. */
  | { readonly kind: "unknown"; readonly error: ServiceError };
