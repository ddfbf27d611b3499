import { type JsonObject, stringAt } from "../json-object.ts";
import type { Outgoing } from "../transport/deliveries.ts";
import type { DeliveryOutcome, Exchange } from "./exchange.ts";

/** Immediately, after one minute, after five (PLATFORM.md §1.5). */
const retryDelaysMs = [0, 60_000, 300_000];

/** Sends a subscribed event and retries it on failure. For messages, `subscription` differs from the event type. */
export async function sendEvent(
  exchange: Exchange,
  event: JsonObject,
  subscription = stringAt(event.type) ?? "",
): Promise<DeliveryOutcome> {
  if (!exchange.workspace.manifest.events.includes(subscription)) return { ok: false, shown: "not_subscribed" };
  return attempt(exchange, { kind: "event", payload: envelope(exchange, event) }, 0);
}

async function attempt(exchange: Exchange, outgoing: Outgoing, retries: number): Promise<DeliveryOutcome> {
  const answer = await exchange.appRequests.send(outgoing);
  if (answer.kind === "acknowledged") return { ok: true };
  const delayMs = retryDelaysMs[retries];
  if (delayMs !== undefined && answer.noRetry !== true) {
    const again = { ...outgoing, retry: { attempt: retries + 1, reason: answer.reason } };
    exchange.schedule(delayMs, () => void attempt(exchange, again, retries + 1));
  }
  return { ok: false, shown: answer.error };
}

/** PLATFORM.md §2.1. */
function envelope({ workspace }: Exchange, event: JsonObject): JsonObject {
  const { app, team, enterprise, ids, now } = workspace;
  const isOrgWide = enterprise?.isOrgWide === true;
  const teamId = isOrgWide ? null : team.id;
  const enterpriseId = enterprise?.id ?? null;
  const channel = workspace.channels.get(stringAt(event.channel) ?? "");
  return {
    token: app.verificationToken,
    team_id: team.id,
    context_team_id: teamId,
    context_enterprise_id: enterpriseId,
    api_app_id: app.appId,
    event: { event_ts: ids.timestamp(), ...event },
    type: "event_callback",
    event_id: ids.next("Ev"),
    event_time: Math.floor(now() / 1000),
    authorizations: [
      {
        enterprise_id: enterpriseId,
        team_id: teamId,
        user_id: app.botUserId,
        is_bot: true,
        is_enterprise_install: isOrgWide,
      },
    ],
    is_ext_shared_channel: channel?.isShared === true,
    event_context: ids.next("EC"),
  };
}
