import type { AppFunction } from "../app-manifest.ts";
import type { JsonObject } from "../json-object.ts";

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
