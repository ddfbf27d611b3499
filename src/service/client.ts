import { setTimeout as waitWithTimer } from "node:timers/promises";
import { type Dispatcher, Pool } from "undici";
import type { Exchange } from "./exchange.ts";
import { explainExchange } from "./explain-exchange.ts";
import type { OperationAnswer, OperationInput, OperationName } from "./operations.ts";
import { createBackoff, type Sleep } from "./pauses.ts";
import { prepareRequest } from "./prepare-request.ts";
import { createRedact } from "./redact.ts";
import { type CallOptions, sendWithRepeats } from "./retry.ts";
import { createSendRequest, type OnExchange } from "./send-request.ts";
import { createServiceError } from "./service-error.ts";
import type { ServiceResult } from "./settle.ts";
import { settle } from "./settle.ts";

export interface ServiceClient {
  /** Never throws: whatever happens is in the result. */
  call<O extends OperationName>(
    operation: O,
    input: OperationInput<O>,
    options?: CallOptions,
  ): Promise<ServiceResult<OperationAnswer<O>>>;
  /** The same for an operation and an input known only at run time, such as a recorded change's. */
  send(operation: OperationName, input: object, options?: SendOptions): Promise<ServiceResult<unknown>>;
  /** Starts no more repeats, lets the requests on their way finish, and frees the connections. */
  close(): Promise<void>;
}

export interface SendOptions extends Pick<CallOptions, "requesterId"> {
  /** What in the input must not be seen in an error, even when the service quotes it. */
  readonly secrets?: readonly string[];
}

export interface ServiceClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Left open by `close`; without one the client keeps a pool of its own. */
  readonly dispatcher?: Dispatcher;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly sleep?: Sleep;
  readonly random?: () => number;
  readonly attemptTimeoutMs?: number;
  /** The default is what a public client waits (observed.md, "Time-outs"). */
  readonly callTimeoutMs?: number;
  /** How many quick calls may be on their way at once; of slow ones each operation has a quarter of that number beside. */
  readonly maxInFlight?: number;
  /** How often a request may be repeated after the first try. */
  readonly retries?: number;
  /** Told of every try when it is over, and how long it took from when it began. */
  readonly onExchange?: OnExchange;
}

/** The client derived from the operation table (design.md, "The service client"). */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { attemptTimeoutMs = 15_000, callTimeoutMs = 60_000, maxInFlight = 32, retries = 3 } = options;
  const { now = Date.now, random = Math.random, sleep = sleepWithTimer } = options;
  const apiKey = checkKey(options.apiKey);
  const baseUrl = parseBaseUrl(options.baseUrl);
  const redactKey = createRedact(apiKey);
  const backoff = createBackoff(sleep);
  const dispatcher = options.dispatcher ?? createPool(baseUrl.origin, attemptTimeoutMs);
  const { onExchange = () => undefined } = options;
  const send = createSendRequest({ baseUrl, apiKey, dispatcher, attemptTimeoutMs, maxInFlight, onExchange });
  const repeating = { send, backoff, retries, callTimeoutMs, now, random };
  const call = async <O extends OperationName>(
    operation: O,
    input: object,
    { secrets = [], ...options }: SendOptions & CallOptions = {},
  ) => {
    const redact = secrets.length === 0 ? redactKey : createRedact([apiKey, ...secrets]);
    const prepared = prepareRequest(operation, input);
    const { request } = prepared;
    if (prepared.kind === "invalid") {
      const message = `The request is not valid: ${prepared.problems.join("; ")}.`;
      const error = createServiceError(request, { code: "InvalidRequest", message }, redact);
      return { kind: "failed", error } as const;
    }
    const { earlier, last } = await sendWithRepeats(repeating, prepared.request, options);
    const explain = (exchange: Exchange, problem?: string) => explainExchange(request, exchange, problem, redact);
    return settle(operation, earlier, last, explain);
  };
  let closing: Promise<void> | undefined;
  return {
    call,
    send: call,
    close: () => {
      backoff.stop();
      closing ??= options.dispatcher ? Promise.resolve() : dispatcher.close();
      return closing;
    },
  };
}

const sleepWithTimer: Sleep = (ms, signal) => waitWithTimer(ms, undefined, { signal });

/** Fails at start rather than at every call, and without showing the key. */
function checkKey(apiKey: string): string {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("the service's key must be printable ASCII without spaces");
  return apiKey;
}

function parseBaseUrl(baseUrl: string): URL {
  const url = new URL(baseUrl);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError("the service's base address must begin with https:// or http://");
  return url;
}

const longestConnectMs = 5_000;

/**
 * Waiting for an answer is limited per attempt, so undici's own limits on that are off. How many connections there are follows from
 * the semaphore: a limit here would have quick calls wait behind slow ones once more.
 */
const createPool = (origin: string, attemptTimeoutMs: number): Pool =>
  new Pool(origin, {
    connections: null,
    connectTimeout: Math.min(longestConnectMs, attemptTimeoutMs),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
