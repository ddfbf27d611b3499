import type { SeedPerson } from "./default-seed.ts";
import type { DeliveryOutcome, Exchange } from "./interactions/exchange.ts";
import { sendEvent } from "./interactions/send-event.ts";
import { userObject } from "./web-api/user-object.ts";

/** Changes that people make in the workspace. Sends the subscribed events. */
export interface WorkspaceChanges {
  /** `person` may be "bot". */
  join(person: string, channel: string): Promise<DeliveryOutcome>;
  leave(person: string, channel: string): Promise<DeliveryOutcome>;
  archive(channel: string): Promise<DeliveryOutcome>;
  setGroup(group: string, people: readonly string[]): Promise<DeliveryOutcome>;
  disableGroup(group: string): Promise<DeliveryOutcome>;
  changePerson(person: string, changes: Partial<SeedPerson>): Promise<DeliveryOutcome>;
}

export function createWorkspaceChanges(exchange: Exchange): WorkspaceChanges {
  const { workspace } = exchange;
  const { people, channels, groups, app, team } = workspace;
  const idOf = (person: string): string => (person === "bot" ? app.botUserId : people.named(person).id);
  const setMember = (person: string, name: string, isMember: boolean): Promise<DeliveryOutcome> => {
    const channel = channels.named(name).id;
    const user = idOf(person);
    channels.setMember(channel, user, isMember);
    const type = isMember ? "member_joined_channel" : "member_left_channel";
    return sendEvent(exchange, { type, user, channel, channel_type: "C", team: team.id });
  };
  return {
    join: (person, channel) => setMember(person, channel, true),
    leave: (person, channel) => setMember(person, channel, false),
    archive: (name) => {
      const channel = channels.named(name).id;
      channels.archive(channel);
      return sendEvent(exchange, { type: "channel_archive", channel, user: "USLACKBOT" });
    },
    setGroup: (name, members) => {
      const before = groups.named(name);
      const memberIds = members.map(idOf);
      groups.change(before.id, { memberIds });
      return sendEvent(exchange, {
        type: "subteam_members_changed",
        subteam_id: before.id,
        team_id: team.id,
        added_users: memberIds.filter((id) => !before.memberIds.includes(id)),
        removed_users: before.memberIds.filter((id) => !memberIds.includes(id)),
      });
    },
    disableGroup: (name) => {
      const { id, handle, memberIds } = groups.change(groups.named(name).id, { isDisabled: true });
      return sendEvent(exchange, { type: "subteam_updated", subteam: { id, handle, users: memberIds } });
    },
    changePerson: (person, changes) => {
      const user = people.change(idOf(person), changes);
      return sendEvent(exchange, { type: "user_change", user: userObject(user, workspace) });
    },
  };
}
