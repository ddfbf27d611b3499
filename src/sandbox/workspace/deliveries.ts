import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type JsonObject, parseJson, stringAt } from "./json-object.ts";

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

interface Transport {
  readonly name: "http" | "socket";
  send(outgoing: Outgoing): Promise<AppAnswer>;
}

/** The server side of Socket Mode (PLATFORM.md §14). The sandbox itself is delivered to over HTTP. */
export interface Sockets extends Transport {
  /** A single-use URL for one connection. */
  issueUrl(base: string): string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

interface HttpTarget {
  readonly url: string | undefined;
  readonly signingSecret: string;
  readonly deadlineMs: number;
  readonly fetch: typeof globalThis.fetch;
}

/** Sends signed HTTP requests (PLATFORM.md §1). */
export async function sendHttp({ url, ...target }: HttpTarget, outgoing: Outgoing): Promise<AppAnswer> {
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
