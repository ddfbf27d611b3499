import type { Exchange } from "./exchange.ts";
import { mayRepeat } from "./may-repeat.ts";
import { operations } from "./operations.ts";
import { Deadline } from "./patience.ts";
import type { Backoff } from "./pauses.ts";
import type { ServiceRequest } from "./prepare-request.ts";
import { repeatDelayMs } from "./repeat-delay.ts";
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
  /** The Slack user for whom the service is called. */
  readonly requesterId?: string | undefined;
}

export interface Tries {
  readonly earlier: readonly Exchange[];
  readonly last: Exchange;
}

/**
 * Sends a request until it is answered for good, may not be repeated, or the time is up. Done here and not by undici's retry
 * interceptor, because the outcome depends on what each single try may have done, and that the interceptor does not tell.
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
