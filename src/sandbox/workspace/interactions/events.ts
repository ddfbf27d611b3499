import type { SeedPerson } from "../default-seed.ts";
import { type JsonObject, stringAt } from "../json-object.ts";
import type { DeliveryOutcome, LiveWorkspace } from "../live-workspace.ts";
import type { Outgoing } from "../transport/deliveries.ts";
import { userObject } from "../web-api/users.ts";

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

/** Changes that people make in the workspace. Sends the subscribed events. */
export function createWorkspaceChanges(workspace: LiveWorkspace) {
  const { people, channels, groups, app, team, now } = workspace;
  const idOf = (person: string): string => (person === "bot" ? app.botUserId : people.named(person).id);
  const setMember = (person: string, name: string, isMember: boolean): Promise<DeliveryOutcome> => {
    const { id: channel, memberIds } = channels.named(name);
    const user = idOf(person);
    const others = memberIds.filter((id) => id !== user);
    channels.change(channel, { memberIds: isMember ? [...others, user] : others });
    const type = isMember ? "member_joined_channel" : "member_left_channel";
    return sendEvent(workspace, { type, user, channel, channel_type: "C", team: team.id });
  };
  return {
    /** `person` may be "bot". */
    join: (person: string, channel: string) => setMember(person, channel, true),
    leave: (person: string, channel: string) => setMember(person, channel, false),
    archive: (name: string) => {
      const { id: channel } = channels.change(name, { isArchived: true });
      return sendEvent(workspace, { type: "channel_archive", channel, user: "USLACKBOT" });
    },
    setGroup: (name: string, members: readonly string[]) => {
      const before = groups.named(name);
      const memberIds = members.map(idOf);
      groups.change(before.id, { memberIds, updatedAt: now() });
      return sendEvent(workspace, {
        type: "subteam_members_changed",
        subteam_id: before.id,
        team_id: team.id,
        added_users: memberIds.filter((id) => !before.memberIds.includes(id)),
        removed_users: before.memberIds.filter((id) => !memberIds.includes(id)),
      });
    },
    disableGroup: (name: string) => {
      const { id, handle, memberIds } = groups.change(name, { isDisabled: true, updatedAt: now() });
      return sendEvent(workspace, { type: "subteam_updated", subteam: { id, handle, users: memberIds } });
    },
    changePerson: (person: string, changes: Partial<SeedPerson>) => {
      const user = people.change(idOf(person), { ...changes, updatedAt: now() });
      return sendEvent(workspace, { type: "user_change", user: userObject(user, workspace) });
    },
  };
}
