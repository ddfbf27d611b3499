import { offsetAt } from "../../../time/zone.ts";
import type { JsonObject } from "../json-object.ts";
import type { LiveWorkspace } from "../live-workspace.ts";
import { allowances } from "../state/permits.ts";
import { isForeign, type User, type UserGroup, type WorkspaceState } from "../state/workspace-state.ts";
import { type ApiArguments, type ApiMethod, cursorPage, fail } from "./api.ts";

const reading = { scope: "users:read", takesJson: false } as const;

export const usersMethods: Readonly<Record<string, ApiMethod>> = {
  "users.info": {
    ...reading,
    limit: allowances.tier4,
    run: (args, workspace) => {
      const user = workspace.people.get(args.text("user") ?? "") ?? fail("user_not_found");
      const locale = args.flag("include_locale") ? { locale: "en-GB" } : {};
      return { user: { ...userObject(user, workspace), ...locale } };
    },
  },
  "users.list": {
    ...reading,
    limit: allowances.tier2,
    run: (args, workspace) => {
      const here = workspace.people.all.filter((user) => !isForeign(user, workspace));
      const { items, response_metadata } = cursorPage(here, args, here.length);
      const members = items.map((user) => userObject(user, workspace));
      return { members, cache_ts: Math.floor(workspace.now() / 1000), response_metadata };
    },
  },
  /** The error code is plural, and deactivated people are not found (PLATFORM.md §12.5). */
  "users.lookupByEmail": {
    scope: "users:read.email",
    takesJson: false,
    limit: allowances.tier3,
    run: (args, workspace) => {
      const email = args.text("email")?.toLowerCase() ?? fail("users_not_found");
      const user = workspace.people.find(
        (each) => each.email?.toLowerCase() === email && !each.deleted && !each.isBot && !isForeign(each, workspace),
      );
      return { user: userObject(user ?? fail("users_not_found"), workspace) };
    },
  },
  "usergroups.list": {
    scope: "usergroups:read",
    takesJson: false,
    limit: allowances.tier2,
    run: (args, workspace) => {
      const { team, enterprise, groups } = workspace;
      const teamId = args.text("team_id");
      // A group belongs to one workspace, and an organization's token does not say which (PLATFORM.md §18.4).
      if (enterprise?.isOrgWide === true && teamId === undefined) return fail("missing_argument");
      const here = (teamId ?? team.id) === team.id ? groups.all : [];
      const shown = here.filter((group) => group.isDisabled !== true || args.flag("include_disabled"));
      return { usergroups: shown.map((group) => groupObject(group, args, workspace)) };
    },
  },
};

/** A person as in the Web API (PLATFORM.md §12.5). Deactivated and external people have fewer fields. */
export function userObject(user: User, workspace: WorkspaceState): JsonObject {
  const isExternal = isForeign(user, workspace);
  const base = {
    id: user.id,
    team_id: user.teamId,
    name: user.handle,
    deleted: user.deleted === true,
    profile: profile(user, isExternal, workspace),
    is_bot: user.isBot === true,
    is_app_user: false,
    updated: Math.floor(user.updatedAt / 1000),
  };
  if (user.deleted === true) return base;
  const { tz } = user;
  return {
    ...base,
    real_name: user.realName,
    ...(tz === undefined ? {} : { tz, tz_label: tz, tz_offset: offsetAt(tz, workspace.now()) * 60 }),
    is_admin: user.isAdmin === true,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: user.isRestricted === true,
    is_ultra_restricted: false,
    ...(isExternal ? { is_stranger: false } : {}),
    ...enterpriseUser(user, workspace),
  };
}

function profile(user: User, isExternal: boolean, { manifest }: WorkspaceState): JsonObject {
  const showsEmail = manifest.scopes.includes("users:read.email") && !isExternal && user.isBot !== true;
  return {
    real_name: user.realName,
    real_name_normalized: user.realName,
    display_name: user.displayName ?? "",
    display_name_normalized: user.displayName ?? "",
    team: user.teamId,
    ...(showsEmail && user.email !== undefined ? { email: user.email } : {}),
  };
}

/** The part that people of an organization have. */
function enterpriseUser(user: User, workspace: WorkspaceState): JsonObject {
  const { enterprise } = workspace;
  if (enterprise === undefined || isForeign(user, workspace) || user.isBot === true) return {};
  const { id: enterprise_id, name: enterprise_name } = enterprise;
  const teams = user.teams ?? [user.teamId];
  return { enterprise_user: { id: user.id, enterprise_id, enterprise_name, teams, is_admin: false, is_owner: false } };
}

/** Slack documents `user_count` as a string. */
function groupObject(
  { id, name, handle, isDisabled, memberIds, updatedAt }: UserGroup,
  args: ApiArguments,
  { team }: LiveWorkspace,
): JsonObject {
  const updated = Math.floor(updatedAt / 1000);
  return {
    id,
    team_id: team.id,
    is_usergroup: true,
    name,
    handle,
    description: "",
    is_external: false,
    date_create: updated,
    date_update: updated,
    date_delete: isDisabled === true ? updated : 0,
    auto_type: null,
    created_by: "USLACKBOT",
    updated_by: "USLACKBOT",
    deleted_by: null,
    prefs: { channels: [], groups: [] },
    ...(args.flag("include_users") ? { users: memberIds } : {}),
    ...(args.flag("include_count") ? { user_count: String(memberIds.length) } : {}),
  };
}
