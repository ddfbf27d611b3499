import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { type Operation, type OperationName, operationNames, operations } from "../../service/operations.ts";
import { createSignal } from "../clock.ts";
import { listen, stopListening } from "../local-http.ts";
import { PlannedFaults } from "../planned-faults.ts";
import type { Account } from "./account.ts";
import { ApiError, type HandlerContext, type HandlerInput, handlers, invalidShape } from "./handlers.ts";
import { createRuns } from "./runs.ts";
import { createSeedAccount } from "./seed-account.ts";

export interface RecordedRequest {
  /** Undefined when the path matches no operation. */
  readonly operation: OperationName | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON, or the raw text when it is not JSON; undefined when empty. */
  readonly body: unknown;
  /** Undefined until answered, and forever when the connection was dropped. */
  status: number | undefined;
  readonly at: number;
}

export interface SandboxServiceOptions {
  readonly port?: number;
  readonly host?: string;
  readonly now?: () => number;
  readonly apiKey?: string;
  readonly account?: Account;
}

export type SandboxService = Awaited<ReturnType<typeof startSandboxService>>;

/** The cloud scheduling service in memory: its fifteen operations over HTTP (API.md), with faults on demand. */
export async function startSandboxService(options: SandboxServiceOptions = {}) {
  const { host = "127.0.0.1", now = Date.now, apiKey = `sk_${"sandbox".padEnd(32, "0")}` } = options;
  const account = options.account ?? createSeedAccount(now());
  const newId = createIds();
  const runs = createRuns(account, now, newId);
  const signal = createSignal();
  const requests: RecordedRequest[] = [];
  const faults: Faults = new Faults({
    stop: () => stopListening(server),
    start: async () => void (await listen(server, port, host)),
  });
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message);
    runs();
    const route = routeRequest(request.method, request.path);
    const fault = faults.take(route?.operation);
    const { method, path, query, body } = request;
    const recording: RecordedRequest = {
      operation: route?.operation,
      method,
      path,
      query: Object.fromEntries(query),
      body,
      status: undefined,
      at: now(),
    };
    if (fault?.kind !== "refuse") requests.push(recording);
    signal.changed();
    if (fault?.kind === "held" && fault.acts === "after") await fault.until;
    const answer = faultedAnswer(fault, () => answerRequest(request, route, apiKey, { account, now, newId }));
    if (fault?.kind === "latency") await delay(fault.ms, undefined, { ref: false });
    if (fault?.kind === "held") await fault.until;
    if (answer === undefined || response.destroyed) {
      message.socket.destroy();
    } else {
      recording.status = answer.status;
      send(response, answer);
    }
    signal.changed();
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, options.port ?? 0, host);
  return {
    baseUrl: `http://${host}:${port}`,
    apiKey,
    account,
    /** In order of arrival. */
    requests: requests as readonly Readonly<RecordedRequest>[],
    /** The scheduled runs so far. */
    runs,
    faults,
    /** Calls the listener after each request arrives and is answered, until the returned function is called. */
    onChange: signal.listen,
    close: () => stopListening(server),
  };
}

async function readRequest(message: IncomingMessage): Promise<ServiceRequest> {
  const [path = "", ...search] = (message.url ?? "").split("?");
  return {
    method: message.method ?? "",
    path,
    query: new URLSearchParams(search.join("?")),
    authorization: message.headers.authorization,
    contentType: message.headers["content-type"] ?? "",
    body: jsonOrText(await text(message)),
  };
}

function jsonOrText(body: string): unknown {
  try {
    return body === "" ? undefined : JSON.parse(body);
  } catch {
    return body;
  }
}

function send(response: ServerResponse, { status, body, headers }: ServiceAnswer): void {
  if (body === undefined) {
    response.writeHead(status, { ...headers }).end();
    return;
  }
  const isJson = typeof body !== "string";
  response
    .writeHead(status, { "content-type": isJson ? "application/json; charset=utf-8" : "text/html", ...headers })
    .end(isJson ? JSON.stringify(body) : body);
}

/** Starts above the ids of the seeds. */
function createIds(): HandlerContext["newId"] {
  let last = 100;
  return (prefix) => {
    last += 1;
    return `${prefix}-${String(last).padStart(8, "0")}`;
  };
}

interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly contentType: string;
  /** The parsed JSON, or the raw text when it is not JSON. */
  readonly body: unknown;
}

interface ServiceAnswer {
  readonly status: number;
  /** Sent as JSON; a string is sent unchanged, as HTML. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Route {
  readonly operation: OperationName;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the operation of a path. Ignores case and a trailing slash (API.md, "Observed": Paths). */
function routeRequest(method: string, path: string): Route | undefined {
  for (const operation of operationNames) {
    const row = operations[operation];
    const parameters = row.method === method ? parametersIn(row.path, path) : undefined;
    if (parameters !== undefined) return { operation, parameters };
  }
  return undefined;
}

function parametersIn(pattern: string, path: string): Record<string, string> | undefined {
  const escaped = pattern.replace(/\/$/, "").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const match = new RegExp(`^${escaped}/?$`, "i").exec(path);
  if (match === null) return undefined;
  try {
    const given = Object.entries(match.groups ?? {});
    return Object.fromEntries(given.map(([name, value]) => [name, decodeURIComponent(value)] as const));
  } catch {
    return undefined;
  }
}

/** Authenticates, checks and performs a request. Every failure becomes an error answer. */
function answerRequest(
  request: ServiceRequest,
  route: Route | undefined,
  apiKey: string,
  context: HandlerContext,
): ServiceAnswer {
  try {
    // API.md, "Authentication".
    if (request.authorization !== `AccessKey ${apiKey}`)
      throw new ApiError(401, "InvalidAccessKey", "The access key is missing or invalid.");
    if (route === undefined) throw invalidRequest(404, `There is no operation at ${request.method} ${request.path}.`);
    return perform(route.operation, route, request, context);
  } catch (error) {
    if (!(error instanceof ApiError))
      return { status: 500, body: { errorCode: "InternalError", message: String(error) } };
    const { status, code, message, modelState } = error;
    return { status, body: { errorCode: code, message, ...(modelState && { modelState }) } };
  }
}

function perform<O extends OperationName>(
  operation: O,
  { parameters }: Route,
  request: ServiceRequest,
  context: HandlerContext,
): ServiceAnswer {
  const row: Operation = operations[operation];
  const input = {
    ...parameters,
    ...(row.query && parsed(row.query, queryValues(row.query, request.query))),
    ...(row.body && parsed(row.body, knownFields(row.body, request))),
  } as HandlerInput<O>;
  const answer = handlers[operation](input, context);
  return answer === undefined ? { status: 204 } : { status: 200, body: answer };
}

const invalidRequest = (status: number, message: string) => new ApiError(status, "InvalidRequest", message);

/** Refuses a misspelt field, which would change nothing and still be answered 200. */
function knownFields(schema: z.ZodObject, { contentType, body }: ServiceRequest): object {
  if (!/^application\/json\b/i.test(contentType))
    throw invalidRequest(400, "The content type must be application/json.");
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalidRequest(400, "The body must be a JSON object.");
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(body).filter((field) => !known.includes(field));
  if (unknown.length === 0) return body;
  const message = `Unknown in this request: ${unknown.join(", ")}. It takes ${known.join(", ")}.`;
  const state = Object.fromEntries(unknown.map((field) => [field, ["is not a field of this request"]]));
  throw new ApiError(400, "InvalidParameter", message, state);
}

/** Converts query text to comma-separated lists and booleans (API.md, "GetAction"). */
function queryValues(schema: z.ZodObject, query: URLSearchParams): Record<string, unknown> {
  const given = Object.entries(schema.shape).flatMap(([name, field]) => {
    const text = query.get(name);
    return text === null ? [] : [[name, queryValue(withoutDefault(field), text)] as const];
  });
  return Object.fromEntries(given);
}

function queryValue(field: z.core.$ZodType, text: string): unknown {
  if (field instanceof z.ZodArray) return text.split(",").flatMap((item) => item.trim() || []);
  if (field instanceof z.ZodBoolean && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}

function withoutDefault(field: z.core.$ZodType): z.core.$ZodType {
  const isWrapped = field instanceof z.ZodOptional || field instanceof z.ZodDefault;
  return isWrapped ? withoutDefault(field.unwrap()) : field;
}

function parsed(schema: z.ZodObject, value: unknown): object {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const state: Record<string, string[]> = {};
  for (const { path, message } of error.issues) {
    const field = path.join(".");
    state[field] = [...(state[field] ?? []), message];
  }
  throw invalidShape(state);
}

/** A planned failure of the next requests: of one operation, of all changes, or of any request. Hits once, or `times` times. */
export type Fault = { readonly operation?: OperationName; readonly isForChanges?: true; readonly times?: number } & (
  | { readonly kind: "latency"; readonly ms: number }
  /** Answered when `until` resolves; performed before that, or after it. */
  | { readonly kind: "held"; readonly until: Promise<unknown>; readonly acts: "before" | "after" }
  /** Drops the connection and records nothing. The client sees a reset; for a refused connection use `down()`. */
  | { readonly kind: "refuse" }
  | { readonly kind: "reset-before" }
  /** Performs the request, then drops the connection instead of answering. */
  | { readonly kind: "reset-after" }
  /** Answers with this status and performs nothing. */
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number | string }
  /** Answers with a body that is not JSON (HTML by default). Performed when the status, 200 by default, is a success. */
  | { readonly kind: "garbage"; readonly status?: number; readonly contentType?: string; readonly body?: string }
);

/** Stops and starts the server. */
type Switch = Record<"stop" | "start", () => Promise<void>>;

/** The faults to come. */
class Faults extends PlannedFaults<Fault> {
  readonly #server: Switch;

  constructor(server: Switch) {
    super();
    this.#server = server;
  }

  /** Stops listening and drops every connection. Connections are refused until `up()`. */
  async down(): Promise<void> {
    this.isDown = true;
    await this.#server.stop();
  }

  async up(): Promise<void> {
    await this.#server.start();
    this.isDown = false;
  }

  take(operation: OperationName | undefined): Fault | undefined {
    return this.use((fault) => matches(fault, operation));
  }
}

function matches(fault: Fault, operation: OperationName | undefined): boolean {
  if (fault.operation !== undefined) return fault.operation === operation;
  return fault.isForChanges !== true || (operation !== undefined && operations[operation].effect !== "read");
}

/** Applies the fault to the answer; undefined when the connection must be dropped. */
function faultedAnswer(fault: Fault | undefined, answer: () => ServiceAnswer): ServiceAnswer | undefined {
  if (fault === undefined) return answer();
  switch (fault.kind) {
    case "latency":
    case "held":
      return answer();
    case "refuse":
    case "reset-before":
      return undefined;
    case "reset-after":
      answer();
      return undefined;
    case "status":
      return {
        status: fault.status,
        body: {
          errorCode: fault.status === 429 ? "TooManyRequests" : "ServiceUnavailable",
          message: "Try again later.",
        },
        headers: fault.retryAfterSeconds === undefined ? {} : { "retry-after": String(fault.retryAfterSeconds) },
      };
    case "garbage": {
      const { status = 200, contentType = "text/html", body = errorPage } = fault;
      if (status < 300) answer();
      return { status, headers: { "content-type": contentType }, body };
    }
    default:
      return fault satisfies never;
  }
}

const errorPage = "<html><body><h1>Something went wrong</h1></body></html>";
