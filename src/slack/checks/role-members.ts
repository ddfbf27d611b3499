import { isGroupId } from "../../permissions/actor.ts";
import type { Role } from "../../permissions/policy.ts";

/** A person or user group that the config gives roles to. */
export interface RoleMember {
  readonly id: string;
  readonly roles: readonly string[];
}

export interface RoleMembers {
  readonly groups: readonly RoleMember[];
  readonly people: readonly RoleMember[];
}

/** Every member of a role once, in the order of the config. */
export function roleMembers(roles: readonly Pick<Role, "name" | "members">[]): RoleMembers {
  const rolesOf = new Map<string, string[]>();
  for (const { name, members } of roles) {
    for (const id of members) rolesOf.set(id, [...(rolesOf.get(id) ?? []), name]);
  }
  const all = [...rolesOf].map(([id, names]) => ({ id, roles: names }));
  const isGroup = ({ id }: RoleMember) => isGroupId(id);
  return { groups: all.filter(isGroup), people: all.filter((member) => !isGroup(member)) };
}

/** A problem with a member; `isNobody`: there is no such person or group. */
export interface Flaw {
  readonly member: RoleMember;
  readonly what: string;
  readonly isNobody: boolean;
}

export const flawText = (flaws: readonly Flaw[]): string =>
  flaws.map(({ member: { id, roles }, what }) => `${id} (${roles.join(", ")}) ${what}`).join("\n");
