import type { Signal } from "../../signal.ts";
import type { AppFunction } from "../app-functions.ts";
import type { JsonObject } from "../json-object.ts";
import type { Ids } from "./ids.ts";

export type ExecutionEnd =
  | { readonly kind: "completed"; readonly outputs: JsonObject }
  | { readonly kind: "failed"; readonly error: string };

/** One run of a step. It stays in progress until the app completes or fails it (PLATFORM.md §18.1). */
export interface Execution {
  readonly id: string;
  readonly workflowId: string;
  readonly step: AppFunction;
  readonly inputs: JsonObject;
  /** Valid until its end. */
  readonly token: string;
  readonly end: ExecutionEnd | undefined;
}

export interface Executions {
  readonly all: readonly Execution[];
  start(step: AppFunction, inputs: JsonObject, workflowId: string): Execution;
  find(id: string): Execution | undefined;
  end(id: string, end: ExecutionEnd): void;
  /** Resolves when the app has ended it. */
  ended(id: string): Promise<ExecutionEnd>;
  /** Whether a running execution has this token. */
  holdsToken(token: string): boolean;
}

export function createExecutions(ids: Ids, signal: Signal): Executions {
  const all: Execution[] = [];
  const waiting = new Map<string, (end: ExecutionEnd) => void>();
  return {
    all,
    start: (step, inputs, workflowId) => {
      const token = `xwfp-sandbox-${ids.hex(24)}`;
      const execution = { id: ids.next("Fx"), workflowId, step, inputs, token, end: undefined };
      all.push(execution);
      signal.changed();
      return execution;
    },
    find: (id) => all.find((execution) => execution.id === id),
    end: (id, end) => {
      const index = all.findIndex((execution) => execution.id === id);
      const execution = all[index];
      if (!execution) return;
      all[index] = { ...execution, end };
      waiting.get(id)?.(end);
      signal.changed();
    },
    ended: (id) => new Promise((resolve) => void waiting.set(id, resolve)),
    holdsToken: (token) => all.some((execution) => execution.token === token && execution.end === undefined),
  };
}
