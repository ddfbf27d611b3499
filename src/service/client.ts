import { setTimeout as waitWithTimer } from "node:timers/promises";
import { type Dispatcher, Pool } from "undici";
import type { ServiceResult } from "./answer/call-outcome.ts";
import { callOutcome, unknownCall } from "./answer/call-outcome.ts";
import { explainExchange } from "./answer/explain-exchange.ts";
import { createRedactAnswer } from "./answer/redact-answer.ts";
import { type OperationAnswer, type OperationInput, type OperationName, operations } from "./operations.ts";
import { createRedact } from "./redact.ts";
import { createBackoff, type Sleep } from "./send/backoff.ts";
import type { Exchange } from "./send/dispatch-once.ts";
import { prepareRequest } from "./send/prepare-request.ts";
import { type CallOptions, sendWithRepeats } from "./send/retry.ts";
import { createSendRequest, type OnExchange } from "./send/send-request.ts";
import { createServiceError } from "./service-error.ts";

export interface ServiceClient {
  /** Never throws: every failure is in the result. */
  call<O extends OperationName>(
    operation: O,
    input: OperationInput<O>,
    options?: CallOptions,
  ): Promise<ServiceResult<OperationAnswer<O>>>;
  /** Like `call`, for an operation and an input known only at run time, such as a recorded change. */
  send(operation: OperationName, input: object, options?: SendOptions): Promise<ServiceResult<unknown>>;
  /** Starts no more retries, lets requests in flight finish, and frees the connections. */
  close(): Promise<void>;
}

export interface SendOptions extends Pick<CallOptions, "requesterId"> {
  /** An earlier call with the same input had an unknown outcome: what this one finds holds for both. */
  readonly isAfterUnknown?: boolean | undefined;
  /** Parts of the input that no error may show, even when the service quotes them. */
  readonly secrets?: readonly string[];
}

export interface ServiceClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** `close` leaves it open. Without one, the client keeps its own pool. */
  readonly dispatcher?: Dispatcher;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly sleep?: Sleep;
  readonly random?: () => number;
  readonly attemptTimeoutMs?: number;
  /** The default is the time that a public client waits (API.md, "Observed": Time-outs). */
  readonly callTimeoutMs?: number;
  /** Limit for quick calls in flight. Each slow operation has another quarter of that number. */
  readonly maxInFlight?: number;
  /** The maximum number of retries after the first attempt. */
  readonly retries?: number;
  /** Called after every attempt, with its duration. */
  readonly onExchange?: OnExchange;
}

/** The client derived from the operation table (API.md, "The client"). */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { attemptTimeoutMs = 15_000, callTimeoutMs = 60_000, maxInFlight = 32, retries = 3 } = options;
  const { now = Date.now, random = Math.random, sleep = sleepWithTimer } = options;
  const apiKey = checkKey(options.apiKey);
  const baseUrl = parseBaseUrl(options.baseUrl);
  const redactKey = createRedact(apiKey);
  const redactKeyInAnswer = createRedactAnswer([apiKey]);
  const backoff = createBackoff(sleep);
  const dispatcher = options.dispatcher ?? createPool(baseUrl.origin, attemptTimeoutMs);
  const { onExchange = () => undefined } = options;
  const send = createSendRequest({ baseUrl, apiKey, dispatcher, attemptTimeoutMs, maxInFlight, onExchange });
  const repeating = { send, backoff, retries, callTimeoutMs, now, random };
  const call = async <O extends OperationName>(
    operation: O,
    input: object,
    { secrets = [], isAfterUnknown = false, ...options }: SendOptions & CallOptions = {},
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
    const redactAnswer = secrets.length === 0 ? redactKeyInAnswer : createRedactAnswer([apiKey, ...secrets]);
    const before = isAfterUnknown ? [unknownCall, ...earlier] : earlier;
    return callOutcome(operation, before, isList(operation) ? last : redactAnswer(last), explain);
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

/** Lists are not stored, and searching a long one for secrets would delay other requests. */
const isList = (operation: OperationName): boolean => "isList" in operations[operation];

const sleepWithTimer: Sleep = (ms, signal) => waitWithTimer(ms, undefined, { signal });

/** Fails at start rather than at every call, without showing the key. */
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

const maxConnectMs = 5_000;

/**
 * Each attempt has its own time limit, so undici's limits are off. The semaphore bounds the connections: a limit here would
 * make quick calls wait behind slow ones again.
 */
const createPool = (origin: string, attemptTimeoutMs: number): Pool =>
  new Pool(origin, {
    connections: null,
    connectTimeout: Math.min(maxConnectMs, attemptTimeoutMs),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
