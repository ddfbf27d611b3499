import { createHmac, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Signal } from "../signal.ts";
import { isJsonObject, type JsonObject, objectAt, parseJson, stringAt } from "./json-object.ts";

/** A request to the app. `options` is separate from `interactive` because over HTTP it has its own address. */
export interface Outgoing {
  readonly kind: "command" | "interactive" | "options" | "event";
  readonly payload: JsonObject;
  /** Set when an event is retried. */
  readonly retry?: { readonly attempt: number; readonly reason: string };
}

export type AckBody =
  | { readonly kind: "empty" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "json"; readonly value: unknown };

/** `error` is the code shown to the person, `reason` the one on a retried event. */
export type AppAnswer =
  | { readonly kind: "acknowledged"; readonly body: AckBody }
  | { readonly kind: "failed"; readonly error: string; readonly reason: string; readonly noRetry?: boolean };

export interface AppRequest extends Outgoing {
  readonly id: string;
  /** `command`, `block_actions`, `view_submission`, … or the event's type. */
  readonly type: string;
  readonly transport: "http" | "socket";
  readonly sentAt: number;
  /** Null until the app answers or the deadline passes. */
  readonly answer: AppAnswer | null;
  readonly tookMs: number | null;
}

export interface Transport {
  readonly name: "http" | "socket";
  send(outgoing: Outgoing): Promise<AppAnswer>;
}

interface Recording {
  readonly transport: () => Transport;
  readonly now: () => number;
  readonly signal: Signal;
  readonly altered: (type: string, payload: JsonObject) => JsonObject;
}

/** Sends requests to the app and keeps a list of them with their answers. */
export function recordDeliveries(list: AppRequest[], { transport, now, signal, altered }: Recording) {
  return async (given: Outgoing): Promise<AppAnswer> => {
    const { name, send } = transport();
    const type = typeOf(given);
    const outgoing = { ...given, payload: altered(type, given.payload) };
    const begun = { ...outgoing, id: randomUUID(), type, transport: name, sentAt: now() };
    const index = list.push({ ...begun, answer: null, tookMs: null }) - 1;
    signal.changed();
    const startedAt = performance.now();
    const answer = await send(outgoing);
    list[index] = { ...begun, answer, tookMs: performance.now() - startedAt };
    signal.changed();
    return answer;
  };
}

function typeOf({ kind, payload }: Outgoing): string {
  return kind === "command" ? "command" : String(objectAt(payload.event).type ?? payload.type);
}

interface HttpTarget {
  readonly requestUrl: () => string | undefined;
  readonly signingSecret: string;
  readonly deadlineMs: number;
  readonly fetch: typeof globalThis.fetch;
}

/** Sends signed HTTP requests (PLATFORM.md §1). */
export async function sendHttp(target: HttpTarget, outgoing: Outgoing): Promise<AppAnswer> {
  const url = target.requestUrl();
  if (url === undefined) return { kind: "failed", error: "dispatch_failed", reason: "connection_failed" };
  const { body, contentType } = encode(outgoing);
  // Real time, because the receiver compares it with its own clock.
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    "content-type": contentType,
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": sign(target.signingSecret, timestamp, body),
    "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
    ...retryHeaders(outgoing),
  };
  try {
    const signal = AbortSignal.timeout(target.deadlineMs);
    const response = await target.fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
    return readAnswer(response, await response.text());
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    return isTimeout
      ? { kind: "failed", error: "operation_timeout", reason: "http_timeout" }
      : { kind: "failed", error: "dispatch_failed", reason: "connection_failed" };
  }
}

/** `v0=` and the HMAC of version, timestamp and raw body (PLATFORM.md §1.1). */
export function sign(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
}

/** Forms have no charset, because Bolt compares the header for equality. */
function encode({ kind, payload }: Outgoing): { readonly body: string; readonly contentType: string } {
  if (kind === "event") return { body: JSON.stringify(payload), contentType: "application/json" };
  const form = new URLSearchParams();
  if (kind === "command") {
    for (const [name, value] of Object.entries(payload)) form.set(name, stringAt(value) ?? "");
  } else {
    form.set("payload", JSON.stringify(payload));
  }
  return { body: form.toString(), contentType: "application/x-www-form-urlencoded" };
}

function retryHeaders({ retry }: Outgoing): Record<string, string> {
  if (retry === undefined) return {};
  return { "x-slack-retry-num": String(retry.attempt), "x-slack-retry-reason": retry.reason };
}

function readAnswer(response: Response, text: string): AppAnswer {
  if (response.status !== 200) {
    const error = response.status >= 500 ? "http_service_error" : "http_client_error";
    return { kind: "failed", error, reason: "http_error", noRetry: response.headers.get("x-slack-no-retry") === "1" };
  }
  return { kind: "acknowledged", body: readBody(text, response.headers.get("content-type") ?? "") };
}

function readBody(text: string, contentType: string): AckBody {
  if (text === "") return { kind: "empty" };
  return contentType.startsWith("application/json") ? { kind: "json", value: parseJson(text) } : { kind: "text", text };
}

interface SocketOptions {
  readonly appId: string;
  readonly deadlineMs: number;
  readonly signal: Signal;
}

const maxConnections = 10;

/** The server side of Socket Mode (PLATFORM.md §14). */
export type SocketConnections = ReturnType<typeof createSocketConnections>;

export function createSocketConnections(options: SocketOptions) {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const open = new Set<WebSocket>();
  return {
    name: "socket" as const,
    /** A single-use URL for one connection. */
    issueUrl: (base: string) => {
      const ticket = randomUUID();
      tickets.add(ticket);
      return `${base.replace(/^http/, "ws")}/link/?ticket=${ticket}&app_id=${options.appId}`;
    },
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      if (url.pathname !== "/link/" || !tickets.delete(url.searchParams.get("ticket") ?? "")) {
        socket.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n");
        return;
      }
      server.handleUpgrade(request, socket, head, (connection) => acceptConnection(connection, open, options));
    },
    count: () => open.size,
    send: (outgoing: Outgoing) => sendOver(open, outgoing, options),
    /** Asks every client to disconnect, as Slack does before a refresh. */
    disconnect: (reason: "warning" | "refresh_requested" | "link_disabled") => {
      for (const connection of open) disconnect(connection, reason);
    },
    /** Sends a text that need not be an envelope. */
    say: (text: string) => {
      for (const connection of open) connection.send(text);
    },
    /** Closes every connection without a message. */
    drop: () => {
      for (const connection of open) connection.terminate();
    },
    close: () => {
      for (const connection of open) connection.terminate();
      server.close();
    },
  };
}

function acceptConnection(connection: WebSocket, open: Set<WebSocket>, { appId, signal }: SocketOptions): void {
  if (open.size >= maxConnections) {
    disconnect(connection, "too_many_websockets");
    return;
  }
  open.add(connection);
  connection.on("close", () => {
    open.delete(connection);
    signal.changed();
  });
  connection.on("error", () => connection.terminate());
  connection.send(
    JSON.stringify({
      type: "hello",
      connection_info: { app_id: appId },
      num_connections: open.size,
      debug_info: { host: "applink-sandbox", build_number: 1, approximate_connection_time: 18_060 },
    }),
  );
  signal.changed();
}

function disconnect(connection: WebSocket, reason: string): void {
  connection.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "applink-sandbox" } }));
  connection.close();
}

/** Sends each payload to one random connection. Only that one can acknowledge it. */
function sendOver(open: ReadonlySet<WebSocket>, outgoing: Outgoing, { deadlineMs }: SocketOptions): Promise<AppAnswer> {
  const connection = [...open][Math.floor(Math.random() * open.size)];
  if (connection === undefined) {
    return Promise.resolve({ kind: "failed", error: "dispatch_failed", reason: "connection_failed" });
  }
  const envelopeId = randomUUID();
  return new Promise((resolve) => {
    const settle = (answer: AppAnswer): void => {
      clearTimeout(deadline);
      connection.off("message", onMessage);
      connection.off("close", onTimeout);
      resolve(answer);
    };
    const onTimeout = (): void => settle({ kind: "failed", error: "operation_timeout", reason: "timeout" });
    const onMessage = (data: Buffer): void => {
      const frame = objectAt(parseJson(data.toString()));
      if (frame.envelope_id === envelopeId) settle({ kind: "acknowledged", body: readAck(frame.payload) });
    };
    const deadline = setTimeout(onTimeout, deadlineMs);
    connection.on("message", onMessage);
    connection.on("close", onTimeout);
    connection.send(JSON.stringify(envelope(envelopeId, outgoing)));
  });
}

const withResponsePayload = new Set(["view_submission", "block_suggestion"]);

function envelope(envelopeId: string, { kind, payload, retry }: Outgoing): object {
  const base = { envelope_id: envelopeId, payload };
  if (kind === "command") return { ...base, type: "slash_commands", accepts_response_payload: true };
  if (kind !== "event") {
    return {
      ...base,
      type: "interactive",
      accepts_response_payload: withResponsePayload.has(stringAt(payload.type) ?? ""),
    };
  }
  const retried = { retry_attempt: retry?.attempt ?? 0, retry_reason: retry?.reason ?? "" };
  return { ...base, type: "events_api", accepts_response_payload: false, ...retried };
}

/** The client library always sends a payload; an empty object is an empty acknowledgement. */
function readAck(payload: unknown): AckBody {
  const isBare = payload === undefined || (isJsonObject(payload) && Object.keys(payload).length === 0);
  return isBare ? { kind: "empty" } : { kind: "json", value: payload };
}
