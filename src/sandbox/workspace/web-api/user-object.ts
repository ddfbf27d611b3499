import { offsetAt } from "../../../time/zone.ts";
import type { JsonObject } from "../json-object.ts";
import { enterpriseUser, isForeign } from "../state/enterprise.ts";
import type { User } from "../state/people.ts";
import type { WorkspaceState } from "../state/workspace-state.ts";

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
  return {
    ...base,
    real_name: user.realName,
    ...timeZone(user, workspace.now()),
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

function timeZone({ tz }: User, at: number): JsonObject {
  return tz === undefined ? {} : { tz, tz_label: tz, tz_offset: offsetAt(tz, at) * 60 };
}
