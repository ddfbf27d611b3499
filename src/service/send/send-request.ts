import type { Dispatcher } from "undici";
import { CallSemaphore, type Leave } from "./call-semaphore.ts";
import type { Deadline } from "./deadline.ts";
import { dispatchOnce, type Exchange } from "./dispatch-once.ts";
import type { ServiceRequest } from "./prepare-request.ts";

/** Never throws. */
export type OnExchange = (request: ServiceRequest, exchange: Exchange, ms: number) => void;

/** `requesterId` keeps one person's calls from crowding out others'. */
export type SendRequest = (
  request: ServiceRequest,
  deadline: Deadline,
  requesterId: string | undefined,
) => Promise<Exchange>;

interface Sending {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly dispatcher: Dispatcher;
  readonly attemptTimeoutMs: number;
  readonly maxInFlight: number;
  readonly onExchange: OnExchange;
}

/** Sends a request once, with the key (API.md, "Authentication"), when the semaphore lets it start. */
export function createSendRequest({
  baseUrl,
  apiKey,
  dispatcher,
  attemptTimeoutMs,
  maxInFlight,
  onExchange,
}: Sending): SendRequest {
  const semaphore = new CallSemaphore(maxInFlight);
  const pathPrefix = baseUrl.pathname.replace(/\/+$/, "");
  const withoutBody = { accept: "application/json", authorization: `AccessKey ${apiKey}` };
  const withBody = { ...withoutBody, "content-type": "application/json" };

  return async (request, deadline, requesterId) => {
    let leave: Leave;
    try {
      leave = await semaphore.enter({ operation: request.operation, requesterId }, deadline);
    } catch (cause) {
      return { kind: "not-sent", cause };
    }
    const { method, path, body = null } = request;
    const headers = body === null ? withoutBody : withBody;
    const wire = { origin: baseUrl.origin, path: pathPrefix + path, method, headers, body };
    const startedAt = performance.now();
    const last = await dispatchOnce(dispatcher, wire, deadline, attemptTimeoutMs);
    leave();
    onExchange(request, last, performance.now() - startedAt);
    return last;
  };
}
