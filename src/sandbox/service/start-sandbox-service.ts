import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { OperationName } from "../../service/operations.ts";
import { listen, stopListening } from "../local-http.ts";
import { createSignal } from "../signal.ts";
import type { Account } from "./account.ts";
import { answerRequest, routeRequest, type ServiceAnswer, type ServiceRequest } from "./answer-request.ts";
import { Faults, faultedAnswer } from "./faults.ts";
import type { HandlerContext } from "./handlers.ts";
import { createRuns, type Run } from "./runs.ts";
import { createSeedAccount } from "./seed/create-seed-account.ts";

export interface SandboxService {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly account: Account;
  /** In order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** The scheduled runs so far. */
  runs(): readonly Run[];
  readonly faults: Faults;
  /** Calls the listener after each request arrives and is answered, until the returned function is called. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface RecordedRequest {
  /** Undefined when the path matches no operation. */
  readonly operation: OperationName | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON, or the raw text when it is not JSON; undefined when empty. */
  readonly body: unknown;
  /** Undefined until answered, and forever when the connection was dropped. */
  readonly status: number | undefined;
  readonly at: number;
}

export interface SandboxServiceOptions {
  readonly port?: number;
  readonly host?: string;
  readonly now?: () => number;
  readonly apiKey?: string;
  readonly account?: Account;
}

/** The cloud scheduling service in memory: its fifteen operations over HTTP (API.md), with faults on demand. */
export async function startSandboxService(options: SandboxServiceOptions = {}): Promise<SandboxService> {
  const { host = "127.0.0.1", now = Date.now, apiKey = `sk_${"sandbox".padEnd(32, "0")}` } = options;
  const account = options.account ?? createSeedAccount(now());
  const newId = createIds();
  const runs = createRuns(account, now, newId);
  const signal = createSignal();
  const requests: Recording[] = [];
  const faults: Faults = new Faults({
    stop: () => stopListening(server),
    start: async () => void (await listen(server, port, host)),
  });
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message);
    runs();
    const route = routeRequest(request.method, request.path);
    const fault = faults.take(route?.operation);
    const recording = record(request, route?.operation, now());
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
    requests,
    runs,
    faults,
    onChange: signal.listen,
    close: () => stopListening(server),
  };
}

type Recording = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };

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

function record(request: ServiceRequest, operation: OperationName | undefined, at: number): Recording {
  const { method, path, query, body } = request;
  return { operation, method, path, query: Object.fromEntries(query), body, status: undefined, at };
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
