import { randomUUID } from "node:crypto";
import type { Signal } from "../../signal.ts";
import { type JsonObject, objectAt } from "../json-object.ts";

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
