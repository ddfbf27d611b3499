import { randomUUID } from "node:crypto";
import type { Signal } from "../../signal.ts";
import type { JsonObject } from "../json-object.ts";
import type { FaultPlan } from "./faults.ts";

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

export interface AppRequests {
  readonly list: readonly AppRequest[];
  send(outgoing: Outgoing): Promise<AppAnswer>;
}

export interface Transport {
  readonly name: "http" | "socket";
  send(outgoing: Outgoing): Promise<AppAnswer>;
}

export function createAppRequests(
  transport: () => Transport,
  now: () => number,
  signal: Signal,
  { altered }: Pick<FaultPlan, "altered">,
): AppRequests {
  const list: AppRequest[] = [];
  return {
    list,
    send: async (given) => {
      const { name, send } = transport();
      const outgoing = { ...given, payload: altered(typeOf(given), given.payload) };
      const sent = {
        ...outgoing,
        id: randomUUID(),
        type: typeOf(given),
        transport: name,
        sentAt: now(),
        answer: null,
        tookMs: null,
      };
      const index = list.push(sent) - 1;
      signal.changed();
      const startedAt = performance.now();
      const answer = await send(outgoing);
      list[index] = { ...sent, answer, tookMs: performance.now() - startedAt };
      signal.changed();
      return answer;
    },
  };
}

function typeOf({ kind, payload }: Outgoing): string {
  if (kind === "command") return "command";
  const { event, type } = payload;
  const source = typeof event === "object" && event !== null && "type" in event ? event.type : type;
  return String(source);
}
