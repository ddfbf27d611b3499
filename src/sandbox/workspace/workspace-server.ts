import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { respondToUrl } from "./interactions/respond.ts";
import { type JsonObject, objectAt, parseJson } from "./json-object.ts";
import type { LiveWorkspace } from "./live-workspace.ts";
import type { Fault, Faults } from "./transport/faults.ts";
import type { SocketConnections } from "./transport/socket-connections.ts";
import { callApi } from "./web-api/call-api.ts";

/** One call by the app, to a Web API method or a `response_url`. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly arguments: JsonObject;
  /** Null when the connection was closed instead. */
  readonly answer: JsonObject | string | null;
  readonly status: number;
  readonly at: number;
}

interface ServerParts {
  readonly workspace: LiveWorkspace;
  readonly sockets: SocketConnections;
  readonly faults: Faults;
  /** Gets each call with its answer. */
  readonly calls: ApiCall[];
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: JsonObject | string;
  readonly sent: JsonObject;
}

/** Slack's HTTP server: `/api/<method>`, the response URLs, and Socket Mode's `/link/`. */
export function createWorkspaceServer(parts: ServerParts): Server {
  const server = createServer((request, response) => {
    handle(parts, request, response).catch((error: unknown) => {
      const path = String(request.url);
      const answer = `sandbox error: ${String(error)}`;
      record(parts, { method: path, path, arguments: {}, answer, status: 500, at: parts.workspace.now() });
      response.destroy();
    });
  });
  server.on("upgrade", (request, socket, head) => parts.sockets.upgrade(request, socket, head));
  return server;
}

function record({ calls, workspace }: ServerParts, call: ApiCall): void {
  calls.push(call);
  workspace.signal.changed();
}

async function handle(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { workspace, faults } = parts;
  const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://localhost");
  const body = await text(request);
  const [, method] = /^\/api\/([\w.]+)$/.exec(path) ?? [];
  const name = method ?? "response_url";
  const fault = faults.next(name);
  const { authorization, "content-type": contentType = "" } = request.headers;
  const perform = (): Reply => {
    if (method !== undefined) {
      const verb = request.method ?? "GET";
      return callApi({ method, verb, query, contentType, authorization, body }, workspace);
    }
    const answer = respondToUrl(path, contentType, body, workspace);
    return { status: answer.status, headers: {}, answer: answer.body, sent: objectAt(parseJson(body)) };
  };
  const reply = replyWith(fault, perform, body);
  if (fault?.delayMs !== undefined) await delay(fault.delayMs);
  await fault?.until;
  const isCut = fault?.reset === true;
  const { status, headers, sent } = reply;
  const answer = typeof reply.answer === "string" ? reply.answer : faults.altered(name, reply.answer);
  record(parts, { method: name, path, arguments: sent, answer: isCut ? null : answer, status, at: workspace.now() });
  if (isCut) response.destroy();
  else send(response, status, headers, answer);
}

/** A fault replaces the call, unless it comes `afterwards` or only delays it. */
function replyWith(fault: Fault | undefined, perform: () => Reply, body: string): Reply {
  const failure = fault === undefined ? undefined : failureOf(fault);
  if (failure === undefined) return perform();
  const { token: _token, ...form } = Object.fromEntries(new URLSearchParams(body));
  const sent = fault?.afterwards === true ? perform().sent : objectAt(parseJson(body) ?? form);
  return { headers: {}, ...failure, sent };
}

type Failure = Pick<Reply, "status" | "answer"> & Partial<Pick<Reply, "headers">>;

function failureOf({ error, messages, status, retryAfterSeconds, retryAfter, reset }: Fault): Failure | undefined {
  const wait = retryAfter ?? retryAfterSeconds;
  if (wait !== undefined)
    return { status: 429, headers: { "retry-after": String(wait) }, answer: { ok: false, error: "ratelimited" } };
  const details = messages === undefined ? {} : { response_metadata: { messages } };
  if (error !== undefined) return { status: 200, answer: { ok: false, error, ...details } };
  if (status === undefined && reset === undefined) return undefined;
  return { status: status ?? 503, answer: "upstream connect error" };
}

function send(response: ServerResponse, status: number, headers: Reply["headers"], answer: JsonObject | string): void {
  const isText = typeof answer === "string";
  response.writeHead(status, {
    "content-type": isText ? "text/html" : "application/json; charset=utf-8",
    "x-slack-req-id": crypto.randomUUID(),
    ...headers,
  });
  response.end(isText ? answer : JSON.stringify(answer));
}
