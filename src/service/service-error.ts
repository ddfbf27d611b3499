import type { OperationName } from "./operations.ts";
import type { Redact } from "./redact.ts";

/** Curfew's own codes. An error may instead carry the service's `errorCode` or the name of an HTTP status (`NotFound`). */
export type OwnErrorCode =
  | "Cancelled"
  | "ConnectionLost"
  | "InvalidRequest"
  | "Redirected"
  | "ServiceSlow"
  | "TimedOut"
  | "TooManyRequests"
  | "Unreachable"
  | "UnreadableAnswer";

/** The request that an error is about. `path` includes the parameters and the query. */
export interface RequestLine {
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly cause?: unknown;
}

/** Why a call did not succeed. The message is for people; match on `code`. Only `createServiceError` makes it, so it holds no secret. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: string;
  readonly status: number | undefined;
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;

  constructor(request: RequestLine, failure: Failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.code = failure.code;
    this.status = failure.status;
    this.operation = request.operation;
    this.method = request.method;
    this.path = request.path;
  }
}

/** Redacts every part that may come from outside, so that no caller can forget it. */
export function createServiceError(request: RequestLine, failure: Failure, redact: Redact): ServiceError {
  return new ServiceError(
    { ...request, path: redact(request.path) },
    {
      ...failure,
      code: redact(failure.code),
      message: redact(failure.message),
      cause: summariseCause(failure.cause, redact),
    },
  );
}

/** Transport errors may hold raw bytes of an answer (undici's parser error does), so only name, message, stack and code are kept. */
export function summariseCause(cause: unknown, redact: Redact): Error | undefined {
  if (!(cause instanceof Error)) return undefined;
  const summary = new Error(redact(cause.message));
  summary.name = redact(cause.name);
  summary.stack = redact(cause.stack ?? "");
  return "code" in cause && typeof cause.code === "string"
    ? Object.assign(summary, { code: redact(cause.code) })
    : summary;
}
