import type { Enterprise, SeedPerson, WorkspaceSeed } from "../default-seed.ts";
import type { JsonObject } from "../json-object.ts";

interface Place {
  readonly team: WorkspaceSeed["team"];
  readonly enterprise: Enterprise | undefined;
}

type User = Pick<SeedPerson, "id" | "teams" | "isBot"> & { readonly teamId: string };

/** Whether somebody is of another organization, or of another workspace where there is none. */
export function isForeign({ teamId, teams }: User, { team, enterprise }: Place): boolean {
  if (teamId === team.id) return false;
  return enterprise === undefined || (teamId !== enterprise.id && teams === undefined);
}

/** The origin of a payload (PLATFORM.md §6.1). */
export function placeFields({ team, enterprise }: Place): JsonObject {
  if (enterprise === undefined)
    return { team: { id: team.id, domain: team.domain }, enterprise: null, is_enterprise_install: false };
  const { id, name, isOrgWide = false } = enterprise;
  const workspace = { id: team.id, domain: team.domain, enterprise_id: id, enterprise_name: name };
  return { team: isOrgWide ? null : workspace, enterprise: { id, name }, is_enterprise_install: isOrgWide };
}

/** The part of a user object that people of an organization have (PLATFORM.md §12.5). */
export function enterpriseUser(user: User, place: Place): JsonObject {
  const { enterprise } = place;
  if (enterprise === undefined || isForeign(user, place) || user.isBot === true) return {};
  const teams = [...(user.teams ?? [user.teamId])];
  const ids = { id: user.id, enterprise_id: enterprise.id, enterprise_name: enterprise.name };
  return { enterprise_user: { ...ids, teams, is_admin: false, is_owner: false } };
}
