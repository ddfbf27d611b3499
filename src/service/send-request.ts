import PQueue from "p-queue";
import type { Dispatcher } from "undici";
import { type Exchange, exchange } from "./exchange.ts";
import type { ServiceRequest } from "./prepare-request.ts";
import { withTimeLimit } from "./time-limit.ts";

export type SendRequest = (request: ServiceRequest, signal: AbortSignal) => Promise<Exchange>;

interface Sending {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly dispatcher: Dispatcher;
  readonly attemptTimeoutMs: number;
  readonly maxInFlight: number;
}

/** Sends a request once, with the key (spec.md, "Authentication"), when fewer than `maxInFlight` others are on their way. */
export function createSendRequest({
  baseUrl,
  apiKey,
  dispatcher,
  attemptTimeoutMs,
  maxInFlight,
}: Sending): SendRequest {
  const queue = new PQueue({ concurrency: maxInFlight });
  const pathPrefix = baseUrl.pathname.replace(/\/+$/, "");

  const send = ({ method, path, body }: ServiceRequest, signal: AbortSignal): Promise<Exchange> => {
    const headers = {
      accept: "application/json",
      authorization: `AccessKey ${apiKey}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const wire = { origin: baseUrl.origin, path: pathPrefix + path, method, headers, body: body ?? null };
    return withTimeLimit(attemptTimeoutMs, signal, (attemptSignal) => exchange(dispatcher, wire, attemptSignal));
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
