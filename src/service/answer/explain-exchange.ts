import { STATUS_CODES } from "node:http";
import type { Redact } from "../redact.ts";
import { NoSlotError } from "../send/call-semaphore.ts";
import { isCancellation, isTimeLimit } from "../send/deadline.ts";
import type { Answered, Exchange } from "../send/dispatch-once.ts";
import { mayHaveActed } from "../send/retry.ts";
import { createServiceError, type OwnErrorCode, type RequestLine, type ServiceError } from "../service-error.ts";
import { type ErrorBody, readErrorBody } from "./read-error-body.ts";

/** The error for an exchange that did not succeed. `problem` says what was wrong with a 2xx answer. */
export function explainExchange(
  request: RequestLine,
  exchange: Exchange,
  problem: string | undefined,
  redact: Redact,
): ServiceError {
  switch (exchange.kind) {
    case "not-sent":
    case "lost":
      return createServiceError(request, { ...explainSilence(exchange), cause: exchange.cause }, redact);
    case "answered":
      return createServiceError(
        request,
        { ...explainAnswer(exchange, problem, redact), status: exchange.status },
        redact,
      );
  }
}

interface Explanation {
  readonly code: string;
  readonly message: string;
}

const own = (code: OwnErrorCode, message: string): Explanation => ({ code, message });

function explainSilence({ kind, cause }: { kind: "not-sent" | "lost"; cause: unknown }): Explanation {
  const isSent = kind === "lost";
  if (cause instanceof NoSlotError) {
    return own(
      "ServiceSlow",
      "The service is slow to answer, and too many requests wait for it already, so this one was not sent. Try again in a few minutes.",
    );
  }
  if (isTimeLimit(cause)) {
    return own("TimedOut", isSent ? "The service did not answer in time." : "The request could not be sent in time.");
  }
  if (isCancellation(cause)) {
    return own("Cancelled", isSent ? "The call was cancelled before an answer came." : "The call was cancelled.");
  }
  if (isSent) return own("ConnectionLost", `The connection was lost before the service answered${codeOf(cause)}.`);
  return own("Unreachable", `Could not connect to the service${codeOf(cause)}.`);
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : "";

function explainAnswer(answered: Answered, problem: string | undefined, redact: Redact): Explanation {
  const { status, headers, text } = answered;
  if (status < 300) return own("UnreadableAnswer", `The service's answer could not be read: ${problem}.`);
  if (status < 400) {
    const target = headers.location ? ` to ${redact(headers.location).slice(0, 200)}` : "";
    return own("Redirected", `The service redirected the request${target}: check its base address.`);
  }
  const { code = statusName(status), message }: ErrorBody = readErrorBody(text, redact);
  if (status === 429) return own("TooManyRequests", message ?? "The service answered 429 Too Many Requests.");
  if (message === undefined)
    return { code, message: `The service answered ${status} ${STATUS_CODES[status] ?? ""}`.trim().concat(".") };
  // The change may have happened, so quote the service: its “try again” must not look like Curfew's advice.
  return { code, message: mayHaveActed(answered) ? `The service said: “${message}”` : message };
}

/** `Not Found` → `NotFound`. */
const statusName = (status: number): string => STATUS_CODES[status]?.replace(/[^A-Za-z]/g, "") ?? `Status${status}`;
