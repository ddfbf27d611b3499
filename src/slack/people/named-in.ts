import { isGroupId } from "../../permissions/actor.ts";
import type { Policy } from "../../permissions/policy.ts";

/** The user groups and people that the permissions name. */
export function namedIn(settings: () => { readonly policy: Policy }) {
  const members = () => new Set(settings().policy.roles.flatMap((role) => [...role.members]));
  return {
    groupIds: () => [...members()].filter(isGroupId),
    isNamed: (userId: string) => members().has(userId),
  };
}
