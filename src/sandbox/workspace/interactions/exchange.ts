import type { AppAnswer, AppRequests, Outgoing } from "../deliveries.ts";
import { placeFields } from "../enterprise.ts";
import type { JsonObject } from "../json-object.ts";
import type { User } from "../people.ts";
import type { WorkspaceState } from "../workspace-state.ts";

/** What an interaction needs: the workspace, the way to the app, and a clock for what is sent again. */
export interface Exchange {
  readonly workspace: WorkspaceState;
  readonly appRequests: AppRequests;
  readonly schedule: (delayMs: number, run: () => void) => void;
}

/** What became of something a person did. `shown` is the error code Slack puts before them. */
export type DeliveryOutcome = { readonly ok: true } | { readonly ok: false; readonly shown: string };

export const delivered: DeliveryOutcome = { ok: true };

/** Sends what a person did to the app, unless its manifest does not provide for it. */
export function sendInteraction(exchange: Exchange, kind: Outgoing["kind"], payload: JsonObject): Promise<AppAnswer> {
  return exchange.workspace.manifest.isInteractive
    ? exchange.appRequests.send({ kind, payload })
    : Promise.resolve({ kind: "failed", error: "interactivity_not_enabled", reason: "" });
}

/** For interactions whose acknowledgement may say nothing (platform.md §6.2). */
export function settleBare(
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

/** An ephemeral line from Slack itself; where there is no channel it goes to the direct message with the app. */
export function showNotice(workspace: WorkspaceState, userId: string, channelId: string | null, text: string): void {
  const place = channelId ?? workspace.channels.openDirect(userId, workspace.app.botUserId).id;
  workspace.messages.post({ channelId: place, userId: "USLACK", text, ephemeralTo: userId });
}

/** The fields every interaction payload shares (platform.md §6.1). */
export function payloadBase({ workspace }: Exchange, user: User): JsonObject {
  return {
    token: workspace.app.verificationToken,
    api_app_id: workspace.app.appId,
    ...placeFields(workspace),
    user: { id: user.id, username: user.handle, name: user.handle, team_id: user.teamId },
  };
}
