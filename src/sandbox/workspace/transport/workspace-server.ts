import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type JsonObject, objectAt, parseJson } from "../json-object.ts";
import type { ApiWorkspace } from "../web-api/api-method.ts";
import { callApi } from "../web-api/call-api.ts";
import type { Fault, FaultPlan } from "./faults.ts";
import { type HookAnswer, respondToUrl } from "./respond-to-url.ts";
import type { SocketConnections } from "./socket-connections.ts";

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

export interface ServerParts {
  readonly workspace: ApiWorkspace;
  readonly sockets: SocketConnections;
  readonly faults: FaultPlan;
  readonly record: (call: ApiCall) => void;
}

interface Responder {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: JsonObject | string;
  readonly sent: JsonObject;
}

/** Slack's HTTP server: `/api/<method>`, the response URLs, and Socket Mode's `/link/`. */
export function createWorkspaceServer(parts: ServerParts): Server {
  const server = createServer((request, response) => {
    handle(parts, request, response).catch((error: unknown) => {
      const at = parts.workspace.now();
      parts.record({
        method: String(request.url),
        path: String(request.url),
        arguments: {},
        answer: `sandbox error: ${String(error)}`,
        status: 500,
        at,
      });
      response.destroy();
    });
  });
  server.on("upgrade", (request, socket, head) => parts.sockets.upgrade(request, socket, head));
  return server;
}

async function handle(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const body = await readBody(request);
  const [, method] = /^\/api\/([\w.]+)$/.exec(url.pathname) ?? [];
  const name = method ?? "response_url";
  const fault = parts.faults.next(name);
  const contentType = request.headers["content-type"] ?? "";
  const perform = (): Responder =>
    method === undefined
      ? hookReply(respondToUrl(url.pathname, contentType, body, parts.workspace), body)
      : apiReply(parts.workspace, { method, url, contentType, body, request });
  const { reply, isCut } = applyFault(fault, perform, body);
  await delay(fault?.delayMs);
  await fault?.until;
  const { status, headers, sent } = reply;
  const answer = typeof reply.answer === "string" ? reply.answer : parts.faults.altered(name, reply.answer);
  const at = parts.workspace.now();
  parts.record({ method: name, path: url.pathname, arguments: sent, answer: isCut ? null : answer, status, at });
  if (isCut) response.destroy();
  else send(response, status, headers, answer);
}

/** A fault replaces the call, unless it comes `afterwards`. */
function applyFault(
  fault: Fault | undefined,
  perform: () => Responder,
  body: string,
): { readonly reply: Responder; readonly isCut: boolean } {
  const isFailing =
    fault !== undefined &&
    (fault.error ?? fault.status ?? fault.retryAfterSeconds ?? fault.retryAfter ?? fault.reset) !== undefined;
  if (!isFailing) return { reply: perform(), isCut: false };
  const performed = fault.afterwards === true ? perform() : undefined;
  const sent = performed?.sent ?? objectAt(parseJson(body) ?? withoutToken(body));
  return { reply: { ...faultReply(fault), sent }, isCut: fault.reset === true };
}

function faultReply({ error, messages, status, retryAfterSeconds, retryAfter }: Fault): Omit<Responder, "sent"> {
  const wait = retryAfter ?? retryAfterSeconds;
  if (wait !== undefined) {
    return {
      status: 429,
      headers: { "retry-after": String(wait) },
      answer: { ok: false, error: "ratelimited" },
    };
  }
  const details = messages === undefined ? {} : { response_metadata: { messages } };
  if (error !== undefined) return { status: 200, headers: {}, answer: { ok: false, error, ...details } };
  return { status: status ?? 503, headers: {}, answer: "upstream connect error" };
}

function withoutToken(body: string): JsonObject {
  const { token: _token, ...rest } = Object.fromEntries(new URLSearchParams(body));
  return rest;
}

function apiReply(
  workspace: ApiWorkspace,
  call: { method: string; url: URL; contentType: string; body: string; request: IncomingMessage },
): Responder {
  const { method, url, contentType, body, request } = call;
  const { authorization } = request.headers;
  return callApi(
    { method, verb: request.method ?? "GET", query: url.searchParams, contentType, authorization, body },
    workspace,
  );
}

function hookReply({ status, body }: HookAnswer, sent: string): Responder {
  return { status, headers: {}, answer: body, sent: objectAt(parseJson(sent)) };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function delay(ms: number | undefined): Promise<void> | undefined {
  return ms === undefined ? undefined : new Promise((resolve) => setTimeout(resolve, ms));
}

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  answer: JsonObject | string,
): void {
  const isText = typeof answer === "string";
  response.writeHead(status, {
    "content-type": isText ? "text/html" : "application/json; charset=utf-8",
    "x-slack-req-id": crypto.randomUUID(),
    ...headers,
  });
  response.end(isText ? answer : JSON.stringify(answer));
}
