import type { JsonObject } from "../json-object.ts";
import { allowances } from "../state/rate-limits.ts";
import type { UserGroup } from "../state/user-groups.ts";
import type { ApiArguments } from "./api-arguments.ts";
import { type ApiMethod, type ApiWorkspace, fail, succeed } from "./api-method.ts";

const base = { token: "bot", scope: "usergroups:read", limit: allowances.tier2, takesJson: false } as const;

export const userGroupsList: ApiMethod = {
  ...base,
  run: (args, workspace) => {
    if (lacksTeam(args, workspace)) return fail("missing_argument");
    const isHere = (args.text("team_id") ?? workspace.team.id) === workspace.team.id;
    const all = isHere ? workspace.groups.all() : [];
    const groups = all.filter((group) => group.isDisabled !== true || args.flag("include_disabled"));
    return succeed({ usergroups: groups.map((group) => groupObject(group, args, workspace)) });
  },
};

/** A group belongs to one workspace, and an organization's token does not say which (PLATFORM.md §18.4). */
const lacksTeam = (args: ApiArguments, { enterprise }: ApiWorkspace): boolean =>
  enterprise?.isOrgWide === true && args.text("team_id") === undefined;

/** Slack documents `user_count` as a string. */
function groupObject(group: UserGroup, args: ApiArguments, { team }: ApiWorkspace): JsonObject {
  const updated = Math.floor(group.updatedAt / 1000);
  return {
    id: group.id,
    team_id: team.id,
    is_usergroup: true,
    name: group.name,
    handle: group.handle,
    description: "",
    is_external: false,
    date_create: updated,
    date_update: updated,
    date_delete: group.isDisabled === true ? updated : 0,
    auto_type: null,
    created_by: "USLACKBOT",
    updated_by: "USLACKBOT",
    deleted_by: null,
    prefs: { channels: [], groups: [] },
    ...(args.flag("include_users") ? { users: group.memberIds } : {}),
    ...(args.flag("include_count") ? { user_count: String(group.memberIds.length) } : {}),
  };
}
