import PQueue from "p-queue";
import type { Dispatcher } from "undici";
import { type Exchange, exchange } from "./exchange.ts";
import type { ServiceRequest } from "./prepare-request.ts";
import { withTimeLimit } from "./time-limit.ts";

/** Never throws. */
export type OnExchange = (request: ServiceRequest, exchange: Exchange, ms: number) => void;

export type SendRequest = (request: ServiceRequest, signal: AbortSignal) => Promise<Exchange>;

interface Sending {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly dispatcher: Dispatcher;
  readonly attemptTimeoutMs: number;
  readonly maxInFlight: number;
  readonly onExchange: OnExchange;
}

/** Sends a request once, with the key (spec.md, "Authentication"), when fewer than `maxInFlight` others are on their way. */
export function createSendRequest({
  baseUrl,
  apiKey,
  dispatcher,
  attemptTimeoutMs,
  maxInFlight,
  onExchange,
}: Sending): SendRequest {
  const queue = new PQueue({ concurrency: maxInFlight });
  const pathPrefix = baseUrl.pathname.replace(/\/+$/, "");

  const send = async (request: ServiceRequest, signal: AbortSignal): Promise<Exchange> => {
    const { method, path, body } = request;
    const headers = {
      accept: "application/json",
      authorization: `AccessKey ${apiKey}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const wire = { origin: baseUrl.origin, path: pathPrefix + path, method, headers, body: body ?? null };
    const startedAt = performance.now();
    const last = await withTimeLimit(attemptTimeoutMs, signal, (limited) => exchange(dispatcher, wire, limited));
    onExchange(request, last, performance.now() - startedAt);
    return last;
  };

  return async (request, signal) => {
    const running: { exchange?: Promise<Exchange> } = {};
    const start = () => {
      running.exchange = send(request, signal);
      return running.exchange;
    };
    try {
      return await queue.add(start, { signal });
    } catch (cause) {
      // The queue gives up at once when the signal aborts; what became of a request already on its way only the exchange knows.
      return running.exchange ?? { kind: "not-sent", cause };
    }
  };
}
