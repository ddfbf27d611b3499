import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { AckBody, AppAnswer, Outgoing } from "../../src/sandbox/workspace/deliveries.ts";
import { isJsonObject, objectAt, parseJson, stringAt } from "../../src/sandbox/workspace/json-object.ts";

const maxConnections = 10;

const appId = "A0CURFEW";

/** The server side of Socket Mode (PLATFORM.md §14). */
export function createSocketConnections(deadlineMs: number, changed: () => void) {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const open = new Set<WebSocket>();
  return {
    name: "socket" as const,
    /** A single-use URL for one connection. */
    issueUrl: (base: string) => {
      const ticket = randomUUID();
      tickets.add(ticket);
      return `${base.replace(/^http/, "ws")}/link/?ticket=${ticket}&app_id=${appId}`;
    },
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      if (url.pathname !== "/link/" || !tickets.delete(url.searchParams.get("ticket") ?? "")) {
        socket.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n");
        return;
      }
      server.handleUpgrade(request, socket, head, (connection) => acceptConnection(connection, open, changed));
    },
    count: () => open.size,
    send: (outgoing: Outgoing) => sendOver(open, outgoing, deadlineMs),
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

function acceptConnection(connection: WebSocket, open: Set<WebSocket>, changed: () => void): void {
  if (open.size >= maxConnections) {
    disconnect(connection, "too_many_websockets");
    return;
  }
  open.add(connection);
  connection.on("close", () => {
    open.delete(connection);
    changed();
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
  changed();
}

function disconnect(connection: WebSocket, reason: string): void {
  connection.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "applink-sandbox" } }));
  connection.close();
}

/** Sends each payload to one random connection. Only that one can acknowledge it. */
function sendOver(open: ReadonlySet<WebSocket>, outgoing: Outgoing, deadlineMs: number): Promise<AppAnswer> {
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
