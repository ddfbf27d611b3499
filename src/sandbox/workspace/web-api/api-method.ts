import type { JsonObject } from "../json-object.ts";
import type { StoredMessage } from "../state/messages.ts";
import type { Allowance } from "../state/rate-limits.ts";
import type { WorkspaceState } from "../state/workspace-state.ts";
import type { ApiArguments } from "./api-arguments.ts";

export type ApiAnswer = JsonObject & { readonly ok: boolean };

/** One simulated Web API method. */
export interface ApiMethod {
  readonly token: "bot" | "app";
  /** Null when any token is accepted. `run` checks scopes that depend on the kind of conversation. */
  readonly scope: string | null;
  readonly limit: Allowance;
  /** Read methods accept only forms and queries. */
  readonly takesJson: boolean;
  run(args: ApiArguments, workspace: ApiWorkspace): ApiAnswer;
}

/** The workspace state, and the server's functions that methods need. */
export interface ApiWorkspace extends WorkspaceState {
  issueSocketUrl(): string;
  /** The app hears its own messages too, where it subscribed. */
  hearOwn(message: StoredMessage): void;
}

export function succeed(answer: JsonObject = {}): ApiAnswer {
  return { ok: true, ...answer };
}

export function fail(error: string, details: JsonObject = {}): ApiAnswer {
  return { ok: false, error, ...details };
}

/** `invalid_arguments` with its messages (PLATFORM.md §9.1). */
export function failArguments(...messages: readonly string[]): ApiAnswer {
  return fail("invalid_arguments", {
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  });
}

export function failScope(needed: string, workspace: WorkspaceState): ApiAnswer {
  return fail("missing_scope", { needed, provided: workspace.manifest.scopes.join(",") });
}
