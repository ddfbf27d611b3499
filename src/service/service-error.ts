import type { OperationName } from "./operations.ts";
import type { Redact } from "./redact.ts";

/** Codes of our own; the service's `errorCode` and the name of an HTTP status (`NotFound`) can stand in their place. */
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

/** The request an error is about; `path` carries the parameters and the query. */
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

/** Why a call did not succeed. The message is for people; match on `code`. Holds nothing secret: made by `createServiceError` only. */
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

/** Every part that may come from outside is redacted here, so that no caller can forget it. */
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

/** The transport's errors may hold raw bytes of an answer (undici's parser error does), so only the telling parts are kept. */
function summariseCause(cause: unknown, redact: Redact): Error | undefined {
  if (!(cause instanceof Error)) return undefined;
  const summary = new Error(redact(cause.message));
  summary.name = redact(cause.name);
  summary.stack = redact(cause.stack ?? "");
  return "code" in cause && typeof cause.code === "string"
    ? Object.assign(summary, { code: redact(cause.code) })
    : summary;
}
