import { readRetryAfter } from "../../time/retry-after.ts";
import { type Effect, operations } from "../operations.ts";
import type { Backoff } from "./backoff.ts";
import { NoSlotError } from "./call-semaphore.ts";
import { Deadline } from "./deadline.ts";
import type { Exchange } from "./dispatch-once.ts";
import type { ServiceRequest } from "./prepare-request.ts";
import type { SendRequest } from "./send-request.ts";

export interface Repeating {
  readonly send: SendRequest;
  readonly backoff: Backoff;
  readonly retries: number;
  readonly callTimeoutMs: number;
  readonly now: () => number;
  readonly random: () => number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The Slack user who requested the call. */
  readonly requesterId?: string | undefined;
}

export interface Tries {
  readonly earlier: readonly Exchange[];
  readonly last: Exchange;
}

/**
 * Sends a request until the answer is final, no retry is allowed, or the time is up. undici's retry interceptor would not do: the
 * outcome depends on what each attempt may have done, and the interceptor does not report that.
 */
export async function sendWithRepeats(
  { send, backoff, retries, callTimeoutMs, now, random }: Repeating,
  request: ServiceRequest,
  { signal, requesterId }: CallOptions,
): Promise<Tries> {
  const { effect } = operations[request.operation];
  const deadline = new Deadline(callTimeoutMs, signal);
  const pauseBeforeRepeat = async (repeatsBefore: number, last: Exchange) => {
    const delayMs = repeatDelayMs(repeatsBefore, last, now(), random);
    return delayMs < deadline.leftMs && (await backoff.pause(delayMs, deadline));
  };
  const earlier: Exchange[] = [];
  try {
    for (;;) {
      const last = await send(request, deadline, requesterId);
      const isFinal = earlier.length >= retries || !mayRepeat(effect, last);
      if (isFinal || !(await pauseBeforeRepeat(earlier.length, last))) return { earlier, last };
      earlier.push(last);
    }
  } finally {
    deadline.close();
  }
}

const firstDelayMs = 500;
const maxDelayMs = 8_000;

/** The delay before a retry: exponential, half of it random so that callers spread out, and never less than `Retry-After`. */
export function repeatDelayMs(repeatsBefore: number, exchange: Exchange, nowMs: number, random: () => number): number {
  const backoffMs = Math.min(firstDelayMs * 2 ** repeatsBefore, maxDelayMs);
  const named = exchange.kind === "answered" ? readRetryAfter(exchange.headers["retry-after"], nowMs) : undefined;
  return Math.max(backoffMs * (0.5 + random() / 2), named ?? 0);
}

/**
 * Whether a request may be retried after this exchange (API.md, "The client"). A create may be retried only when the service
 * certainly did not act. Everything else may also be retried where that is harmless and may help.
 */
export function mayRepeat(effect: Effect, exchange: Exchange): boolean {
  switch (exchange.kind) {
    case "not-sent":
      // The call has already waited for a slot once. Report the failure rather than keep the requester waiting.
      return !(exchange.cause instanceof NoSlotError);
    case "lost":
      return effect !== "create";
    case "answered":
      if (exchange.status === 429) return true;
      if (exchange.status < 300) return effect === "read" && exchange.body === "cut-off";
      return effect !== "create" && isPassingTrouble(exchange.status);
  }
}

const isPassingTrouble = (status: number): boolean => status === 502 || status === 503 || status === 504;

/** Whether the service may have acted on a request that did not succeed. */
export function mayHaveActed(exchange: Exchange): boolean {
  switch (exchange.kind) {
    case "not-sent":
      return false;
    case "lost":
      return true;
    case "answered":
      return !isRefusal(exchange) && exchange.status !== 429 && !sentElsewhere.includes(exchange.status);
  }
}

/** A 4xx refuses before acting. The exceptions: 408 comes from time-outs along the way, and 429 only means "not now". */
export const isRefusal = (exchange: Exchange): boolean =>
  exchange.kind === "answered" &&
  exchange.status >= 400 &&
  exchange.status < 500 &&
  exchange.status !== 408 &&
  exchange.status !== 429;

/** These redirects ask for the same request at another address. Servers use 302 and 303 also after acting. */
const sentElsewhere: readonly number[] = [301, 307, 308];
