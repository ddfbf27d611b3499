import type { JsonObject } from "./json-object.ts";
import { postMessage, type StoredMessage } from "./state/messages.ts";
import { openDirect, placeFields, type User, type WorkspaceState } from "./state/workspace-state.ts";
import type { AppAnswer, Outgoing } from "./transport/deliveries.ts";

/** The workspace with its connection to the app. */
export interface LiveWorkspace extends WorkspaceState {
  readonly send: (outgoing: Outgoing) => Promise<AppAnswer>;
  /** Runs later, for retries. */
  readonly schedule: (delayMs: number, run: () => void) => void;
  /** A single-use URL of Socket Mode. */
  readonly issueSocketUrl: () => string;
  /** Sends the app its own message where it subscribed, as Slack does. */
  readonly hearOwn: (message: StoredMessage) => void;
}

/** The result of a person's act. `shown` is the error code that Slack shows them. */
export type DeliveryOutcome = { readonly ok: true } | { readonly ok: false; readonly shown: string };

export const delivered: DeliveryOutcome = { ok: true };

/** Sends an interaction to the app, unless its manifest disables interactivity. */
export async function sendInteraction(
  workspace: LiveWorkspace,
  user: User,
  payload: JsonObject,
  kind: "interactive" | "options" = "interactive",
): Promise<AppAnswer> {
  if (!workspace.manifest.isInteractive) return { kind: "failed", error: "interactivity_not_enabled", reason: "" };
  return workspace.send({ kind, payload: { ...payloadBase(workspace, user), ...payload } });
}

/** The fields that all interaction payloads share (PLATFORM.md §6.1). */
function payloadBase(workspace: WorkspaceState, { id, handle, teamId }: User): JsonObject {
  return {
    token: workspace.app.verificationToken,
    api_app_id: workspace.app.appId,
    ...placeFields(workspace),
    user: { id, username: handle, name: handle, team_id: teamId },
  };
}

/** For interactions whose acknowledgement must be empty (PLATFORM.md §6.2). */
export function settleEmptyAck(
  workspace: LiveWorkspace,
  userId: string,
  channelId: string | null,
  answer: AppAnswer,
): DeliveryOutcome {
  if (answer.kind === "failed") return showFailure(workspace, userId, channelId, answer.error);
  return answer.body.kind === "empty"
    ? delivered
    : showFailure(workspace, userId, channelId, "invalid_interaction_response");
}

export function showFailure(
  workspace: LiveWorkspace,
  userId: string,
  channelId: string | null,
  error: string,
): DeliveryOutcome {
  showNotice(workspace, userId, channelId, `Something went wrong: the app failed with the error "${error}".`);
  return { ok: false, shown: error };
}

/** An ephemeral notice from Slack itself. Without a channel it goes to the direct message with the app. */
export function showNotice(workspace: WorkspaceState, userId: string, channelId: string | null, text: string): void {
  const place = channelId ?? openDirect(workspace, userId).id;
  postMessage(workspace, { channelId: place, userId: "USLACK", text, ephemeralTo: userId });
}
