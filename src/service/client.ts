import { setTimeout as waitWithTimer } from "node:timers/promises";
import { type Dispatcher, Pool } from "undici";
import type { z } from "zod";
import { readRetryAfter } from "../time/retry-after.ts";
import { withSignal } from "../time/within.ts";
import { callOutcome, type ServiceResult, unknownCall } from "./call-outcome.ts";
import { CallSlots, NoSlotError } from "./call-slots.ts";
import { dispatchOnce, type Exchange } from "./dispatch-once.ts";
import { explainExchange } from "./explain-exchange.ts";
import {
  type Effect,
  type Operation,
  type OperationAnswer,
  type OperationInput,
  type OperationName,
  operations,
} from "./operations.ts";
import { createRedactAnswer } from "./read-answer.ts";
import { createRedact, createServiceError, type RequestLine } from "./service-error.ts";

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

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The Slack user who requested the call: one person's calls never crowd out others'. */
  readonly requesterId?: string | undefined;
}

export interface SendOptions extends Pick<CallOptions, "requesterId"> {
  /** An earlier call with the same input had an unknown outcome: what this one finds holds for both. */
  readonly isAfterUnknown?: boolean | undefined;
  /** Parts of the input that no error may show, even when the service quotes them. */
  readonly secrets?: readonly string[];
}

export interface ServiceClientOptions {
  readonly baseUrl: string;
  /** A function where the key may change: it gives the one in force. */
  readonly apiKey: string | (() => string);
  /** Called when the service refuses a key. True if another one is in force by then, with which the request is sent again. */
  readonly onKeyRefused?: (key: string) => Promise<boolean>;
  /** Called when the service takes a key. Must not throw. */
  readonly onKeyTaken?: () => void;
  /** `close` leaves it open. Without one, the client keeps its own pool. */
  readonly dispatcher?: Dispatcher;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly random?: () => number;
  readonly attemptTimeoutMs?: number;
  /** The default is the time that a public client waits (API.md, "Observed": Time-outs). */
  readonly callTimeoutMs?: number;
  /** Limit for quick calls in flight. Each slow operation has another quarter of that number. */
  readonly maxInFlight?: number;
  /** The maximum number of retries after the first attempt. */
  readonly retries?: number;
  /** Called after every attempt, with its duration. Must not throw. */
  readonly onExchange?: (request: ServiceRequest, exchange: Exchange, ms: number) => void;
}

/** The client derived from the operation table (API.md, "The client"). */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { apiKey } = options;
  const keyNow = typeof apiKey === "string" ? () => apiKey : apiKey;
  // An answer may quote an earlier key.
  const keys = [checkKey(keyNow())];
  const baseUrl = parseBaseUrl(options.baseUrl);
  const dispatcher = options.dispatcher ?? createPool(baseUrl.origin, options.attemptTimeoutMs);
  const closing = new AbortController();
  let hidesKeys = hiding(keys);
  const takeKey = (): string => {
    const key = keyNow();
    if (!keys.includes(key)) {
      keys.push(key);
      hidesKeys = hiding(keys);
    }
    return key;
  };
  const sendWithRepeats = createSending(options, { baseUrl, dispatcher, closing: closing.signal, takeKey });
  const call = async <O extends OperationName>(
    operation: O,
    input: object,
    { secrets = [], isAfterUnknown = false, ...options }: SendOptions & CallOptions = {},
  ) => {
    const prepared = prepareRequest(operation, input);
    const { request } = prepared;
    if (prepared.kind === "invalid") {
      const { redact } = hiding([...keys, ...secrets]);
      const message = `The request is not valid: ${prepared.problems.join("; ")}.`;
      const error = createServiceError(request, { code: "InvalidRequest", message }, redact);
      return { kind: "failed", error } as const;
    }
    const { earlier, last } = await sendWithRepeats(prepared.request, options);
    const { redact, redactAnswer } = secrets.length === 0 ? hidesKeys : hiding([...keys, ...secrets]);
    const explain = (exchange: Exchange, problem?: string) => explainExchange(request, exchange, problem, redact);
    const before = isAfterUnknown ? [unknownCall, ...earlier] : earlier;
    return callOutcome(operation, before, isList(operation) ? last : redactAnswer(last), explain);
  };
  let closed: Promise<void> | undefined;
  return {
    call,
    send: call,
    close: () => {
      closing.abort();
      closed ??= options.dispatcher ? Promise.resolve() : dispatcher.close();
      return closed;
    },
  };
}

interface Sending {
  readonly baseUrl: URL;
  readonly dispatcher: Dispatcher;
  readonly closing: AbortSignal;
  readonly takeKey: () => string;
}

function createSending(options: ServiceClientOptions, { baseUrl, dispatcher, closing, takeKey }: Sending) {
  const { attemptTimeoutMs = defaultAttemptMs, callTimeoutMs = 60_000, maxInFlight = 32, retries = 3 } = options;
  const { now = Date.now, random = Math.random, sleep = sleepWithTimer, onExchange } = options;
  const { onKeyRefused = async () => false, onKeyTaken } = options;
  const pathPrefix = baseUrl.pathname.replace(/\/+$/, "");
  const slots = new CallSlots(maxInFlight);

  /** Sends a request once, with a key (API.md, "Authentication"). */
  const sendWith = async (key: string, request: ServiceRequest, signal: AbortSignal): Promise<Exchange> => {
    const { method, path, body = null } = request;
    const contentType = body === null ? {} : { "content-type": "application/json" };
    const headers = { accept: "application/json", authorization: `AccessKey ${key}`, ...contentType };
    const wire = { origin: baseUrl.origin, path: pathPrefix + path, method, headers, body };
    const startedAt = performance.now();
    const exchange = await withSignal(attemptTimeoutMs, [signal], (each) => dispatchOnce(dispatcher, wire, each));
    onExchange?.(request, exchange, performance.now() - startedAt);
    return exchange;
  };
  /** The same with the key in force. A refused key may have been replaced just now; a request with it was certainly not acted on. */
  const attempt = async (request: ServiceRequest, signal: AbortSignal): Promise<Exchange> => {
    for (;;) {
      const key = takeKey();
      const exchange = await sendWith(key, request, signal);
      const status = exchange.kind === "answered" ? exchange.status : 0;
      if (status >= 200 && status < 300) onKeyTaken?.();
      if (status !== 401 || signal.aborted || !(await onKeyRefused(key))) return exchange;
    }
  };
  /** Waits before a retry. True if the whole pause passed. */
  const pause = (ms: number, signal: AbortSignal): Promise<boolean> =>
    withSignal(callTimeoutMs, [signal, closing], async (each) => {
      if (each.aborted) return false;
      await sleep(ms, each).catch((error: unknown) => {
        if (!each.aborted) throw error;
      });
      return !each.aborted;
    });
  /**
   * Sends a request until the answer is final, no retry is allowed, or the time is up. undici's retry interceptor would not do: the
   * outcome depends on what each attempt may have done, and the interceptor does not report that.
   */
  return ({ operation, ...rest }: ServiceRequest, { signal, requesterId }: CallOptions) => {
    const request = { operation, ...rest };
    const endsAt = performance.now() + callTimeoutMs;
    return withSignal(callTimeoutMs, [signal], async (whole) => {
      const earlier: Exchange[] = [];
      for (;;) {
        const last = await slots
          .run({ operation, requesterId }, whole, () => attempt(request, whole))
          .catch((cause: unknown): Exchange => ({ kind: "not-sent", cause }));
        const delayMs = repeatDelayMs(earlier.length, last, now(), random);
        const isFinal = earlier.length >= retries || !mayRepeat(operations[operation].effect, last);
        if (isFinal || delayMs >= endsAt - performance.now() || !(await pause(delayMs, whole)))
          return { earlier, last };
        earlier.push(last);
      }
    });
  };
}

const hiding = (secrets: readonly string[]) => ({
  redact: createRedact(secrets),
  redactAnswer: createRedactAnswer(secrets),
});

const firstDelayMs = 500;
const maxDelayMs = 8_000;

/** The delay before a retry: exponential, half of it random so that callers spread out, and never less than `Retry-After`. */
function repeatDelayMs(repeatsBefore: number, exchange: Exchange, nowMs: number, random: () => number): number {
  const backoffMs = Math.min(firstDelayMs * 2 ** repeatsBefore, maxDelayMs);
  const named = exchange.kind === "answered" ? readRetryAfter(exchange.headers["retry-after"], nowMs) : undefined;
  return Math.max(backoffMs * (0.5 + random() / 2), named ?? 0);
}

/**
 * Whether a request may be retried after this exchange (API.md, "The client"). A create may be retried only when the service
 * certainly did not act. Everything else may also be retried where that is harmless and may help.
 */
function mayRepeat(effect: Effect, exchange: Exchange): boolean {
  switch (exchange.kind) {
    case "not-sent":
      // The call has already waited for a slot once. Report the failure rather than keep the requester waiting.
      return !(exchange.cause instanceof NoSlotError);
    case "lost":
      return effect !== "create";
    case "answered":
      if (exchange.status === 429) return true;
      if (exchange.status < 300) return effect === "read" && exchange.body === "cut-off";
      return effect !== "create" && [502, 503, 504].includes(exchange.status);
  }
}

/** Lists are not stored, and searching a long one for secrets would delay other requests. */
const isList = (operation: OperationName): boolean => "isList" in operations[operation];

const sleepWithTimer = (ms: number, signal: AbortSignal) => waitWithTimer(ms, undefined, { signal });

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

const defaultAttemptMs = 15_000;
const maxConnectMs = 5_000;

/**
 * Each attempt has its own time limit, so undici's limits are off. The slots bound the connections: a limit here would
 * make quick calls wait behind slow ones again.
 */
const createPool = (origin: string, attemptTimeoutMs = defaultAttemptMs): Pool =>
  new Pool(origin, {
    connections: null,
    connectTimeout: Math.min(maxConnectMs, attemptTimeoutMs),
    headersTimeout: 0,
    bodyTimeout: 0,
  });

/** A request as it goes over the wire. `path` is relative to the base address. */
interface ServiceRequest extends RequestLine {
  readonly method: Operation["method"];
  readonly body: string | undefined;
}

type Prepared =
  | { readonly kind: "ready"; readonly request: ServiceRequest }
  | { readonly kind: "invalid"; readonly request: RequestLine; readonly problems: readonly string[] };

/** Checks an input against the operation's row and builds the request: encodes path and query, fills in defaults. */
function prepareRequest(operation: OperationName, input: object): Prepared {
  const row: Operation = operations[operation];
  const { method } = row;
  const query = row.query?.safeParse(input);
  const body = row.body?.safeParse(input);
  const path = fillPath(row.path, input);
  const problems = [...path.problems, ...[query, body].flatMap((read) => read?.error?.issues.map(describeIssue) ?? [])];
  if (problems.length > 0) return { kind: "invalid", request: { operation, method, path: row.path }, problems };
  const whole = path.filled + writeQuery(query?.data);
  return {
    kind: "ready",
    request: { operation, method, path: whole, body: body?.data && JSON.stringify(body.data) },
  };
}

function fillPath(path: string, parameters: object) {
  const problems: string[] = [];
  let filled = "";
  for (const part of path.split("/").slice(1)) {
    if (!part.startsWith("{")) {
      filled += `/${part}`;
      continue;
    }
    const name = part.slice(1, -1);
    const value: unknown = Reflect.get(parameters, name);
    const problem = problemOf(value);
    if (problem) problems.push(`${name}: ${problem}`);
    else filled += `/${encodeURIComponent(String(value))}`;
  }
  return { filled, problems };
}

/** Servers and proxies resolve `.` and `..`, so the request would reach another address. */
function problemOf(parameter: unknown): string | undefined {
  if (typeof parameter !== "string" || parameter === "." || parameter === ".." || loneSurrogate.test(parameter))
    return "is not an identifier";
  return parameter.trim() === "" ? "must not be empty" : undefined;
}

const loneSurrogate = /\p{Surrogate}/u;

/** Joins lists with commas (API.md, `include` of an action). Leaves out absent and empty values. */
function writeQuery(query: Readonly<Record<string, unknown>> | undefined): string {
  const pairs = Object.entries(query ?? {})
    .map(([name, value]) => [name, [value ?? []].flat().map(encodeValue).join(",")])
    .filter(([, value]) => value !== "");
  return pairs.length === 0 ? "" : `?${pairs.map((pair) => pair.join("=")).join("&")}`;
}

const encodeValue = (value: unknown): string => encodeURIComponent(String(value));

const describeIssue = ({ path, message }: z.core.$ZodIssue): string =>
  [path.join("."), message].filter((part) => part !== "").join(": ");
