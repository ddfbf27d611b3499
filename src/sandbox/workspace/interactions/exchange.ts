import type { JsonObject } from "../json-object.ts";
import { placeFields } from "../state/enterprise.ts";
import type { User } from "../state/people.ts";
import type { WorkspaceState } from "../state/workspace-state.ts";
import type { AppAnswer, AppRequests, Outgoing } from "../transport/deliveries.ts";

/** The shared needs of every interaction: the workspace, the transport to the app, and a timer for retries. */
export interface Exchange {
  readonly workspace: WorkspaceState;
  readonly appRequests: AppRequests;
  readonly schedule: (delayMs: number, run: () => void) => void;
}

/** The result of a person's act. `shown` is the error code that Slack shows them. */
export type DeliveryOutcome = { readonly ok: true } | { readonly ok: false; readonly shown: string };

export const delivered: DeliveryOutcome = { ok: true };

/** Sends an interaction to the app, unless its manifest disables interactivity. */
export function sendInteraction(exchange: Exchange, kind: Outgoing["kind"], payload: JsonObject): Promise<AppAnswer> {
  return exchange.workspace.manifest.isInteractive
    ? exchange.appRequests.send({ kind, payload })
    : Promise.resolve({ kind: "failed", error: "interactivity_not_enabled", reason: "" });
}

/** For interactions whose acknowledgement must be empty (PLATFORM.md §6.2). */
export function settleEmptyAck(
  exchange: Exchange,
  userId: string,
  channelId: string | null,
  answer: AppAnswer,
): DeliveryOutcome {
  if (answer.kind === "failed") return showFailure(exchange, userId, channelId, answer.error);
  return answer.body.kind === "empty"
    ? delivered
    : showFailure(exchange, userId, channelId, "invalid_interaction_response");
}

export function showFailure(
  exchange: Exchange,
  userId: string,
  channelId: string | null,
  error: string,
): DeliveryOutcome {
  showNotice(exchange.workspace, userId, channelId, `Something went wrong: the app failed with the error "${error}".`);
  return { ok: false, shown: error };
}

/** An ephemeral notice from Slack itself. Without a channel it goes to the direct message with the app. */
export function showNotice(workspace: WorkspaceState, userId: string, channelId: string | null, text: string): void {
  const place = channelId ?? workspace.channels.openDirect(userId, workspace.app.botUserId).id;
  workspace.messages.post({ channelId: place, userId: "USLACK", text, ephemeralTo: userId });
}

/** The fields that all interaction payloads share (PLATFORM.md §6.1). */
export function payloadBase({ workspace }: Exchange, user: User): JsonObject {
  return {
    token: workspace.app.verificationToken,
    api_app_id: workspace.app.appId,
    ...placeFields(workspace),
    user: { id: user.id, username: user.handle, name: user.handle, team_id: user.teamId },
  };
}
