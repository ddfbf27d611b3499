import type { AppAnswer, Outgoing } from "./deliveries.ts";
import { type JsonObject, stringAt } from "./json-object.ts";
import { openDirect, placeFields, postMessage, type StoredMessage, type User, type WorkspaceState } from "./state.ts";

/** The workspace with its connection to the app. */
export interface LiveWorkspace extends WorkspaceState {
  readonly send: (outgoing: Outgoing) => Promise<AppAnswer>;
  /** Runs later, for retries. */
  readonly schedule: (delayMs: number, run: () => void) => void;
  /** A single-use URL of Socket Mode. */
  readonly issueSocketUrl: () => string | undefined;
  /** Sends the app its own message where it subscribed, as Slack does. */
  readonly hearOwn: (message: StoredMessage) => void;
}

/** A person at their client of the workspace. */
export interface Client {
  readonly workspace: LiveWorkspace;
  readonly user: User;
}

/** The result of a person's act. `shown` is the error code that Slack shows them. */
export type DeliveryOutcome = { readonly ok: true } | { readonly ok: false; readonly shown: string };

export const delivered: DeliveryOutcome = { ok: true };

/** Sends an interaction to the app, unless its manifest disables interactivity. */
export async function sendInteraction(
  { workspace, user: { id, handle, teamId } }: Client,
  payload: JsonObject,
  kind: "interactive" | "options" = "interactive",
): Promise<AppAnswer> {
  const { app, manifest } = workspace;
  if (!manifest.isInteractive) return { kind: "failed", error: "interactivity_not_enabled", reason: "" };
  /** The fields that all interaction payloads share (PLATFORM.md §6.1). */
  const base = {
    token: app.verificationToken,
    api_app_id: app.appId,
    ...placeFields(workspace),
    user: { id, username: handle, name: handle, team_id: teamId },
  };
  return workspace.send({ kind, payload: { ...base, ...payload } });
}

/** For interactions whose acknowledgement must be empty (PLATFORM.md §6.2). */
export function settleEmptyAck(client: Client, channelId: string | null, answer: AppAnswer): DeliveryOutcome {
  if (answer.kind === "acknowledged" && answer.body.kind === "empty") return delivered;
  return showFailure(client, channelId, answer.kind === "failed" ? answer.error : "invalid_interaction_response");
}

export function showFailure(client: Client, channelId: string | null, error: string): DeliveryOutcome {
  showNotice(client, channelId, `Something went wrong: the app failed with the error "${error}".`);
  return { ok: false, shown: error };
}

/** An ephemeral notice from Slack itself. Without a channel it goes to the direct message with the app. */
export function showNotice({ workspace, user }: Client, channelId: string | null, text: string): void {
  const place = channelId ?? openDirect(workspace, user.id).id;
  postMessage(workspace, { channelId: place, userId: "USLACK", text, ephemeralTo: user.id });
}

/** Immediately, after one minute, after five (PLATFORM.md §1.5). */
const retryDelaysMs = [0, 60_000, 300_000];

/** Sends a subscribed event and retries it on failure. For messages, `subscription` differs from the event type. */
export async function sendEvent(
  workspace: LiveWorkspace,
  event: JsonObject,
  subscription = stringAt(event.type) ?? "",
): Promise<DeliveryOutcome> {
  if (!workspace.manifest.events.includes(subscription)) return { ok: false, shown: "not_subscribed" };
  return attempt(workspace, { kind: "event", payload: envelope(workspace, event) }, 0);
}

async function attempt(workspace: LiveWorkspace, outgoing: Outgoing, retries: number): Promise<DeliveryOutcome> {
  const answer = await workspace.send(outgoing);
  if (answer.kind === "acknowledged") return { ok: true };
  const delayMs = retryDelaysMs[retries];
  if (delayMs !== undefined && answer.noRetry !== true) {
    const again = { ...outgoing, retry: { attempt: retries + 1, reason: answer.reason } };
    workspace.schedule(delayMs, () => void attempt(workspace, again, retries + 1));
  }
  return { ok: false, shown: answer.error };
}

/** PLATFORM.md §2.1. */
function envelope({ app, team, enterprise, ids, now, channels }: LiveWorkspace, event: JsonObject): JsonObject {
  const isOrgWide = enterprise?.isOrgWide === true;
  const team_id = isOrgWide ? null : team.id;
  const enterprise_id = enterprise?.id ?? null;
  return {
    token: app.verificationToken,
    team_id: team.id,
    context_team_id: team_id,
    context_enterprise_id: enterprise_id,
    api_app_id: app.appId,
    event: { event_ts: ids.timestamp(), ...event },
    type: "event_callback",
    event_id: ids.next("Ev"),
    event_time: Math.floor(now() / 1000),
    authorizations: [
      { enterprise_id, team_id, user_id: app.botUserId, is_bot: true, is_enterprise_install: isOrgWide },
    ],
    is_ext_shared_channel: channels.get(stringAt(event.channel) ?? "")?.isShared === true,
    event_context: ids.next("EC"),
  };
}
