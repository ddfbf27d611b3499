import { operationNames } from "../service/operations.ts";
import { type Actor, isProgram } from "./actor.ts";
import type { Policy, Role } from "./policy.ts";

/** The names of the actor's roles; none for anyone but a full member (PERMISSIONS.md). */
export function rolesHeld({ roles }: Policy, actor: Actor): readonly string[] {
  return roles.filter((role) => holdsRole(actor, role)).map(({ name }) => name);
}

/** The admins' roles: those that allow every operation. */
export const adminRoles = ({ roles }: Policy): readonly Role[] =>
  roles.filter(({ operations }) => operationNames.every((name) => operations.has(name)));

/** The admins' roles that have no conditions, except perhaps this channel. */
export const unlimitedRoles = (policy: Policy, channelId: string): readonly Role[] =>
  adminRoles(policy).filter(
    ({ where: { channels, projects, resourceTypes, own, maxExclusionMs, weeklyHours } }) =>
      (channels?.has(channelId) ?? true) &&
      ![projects, resourceTypes, own || undefined, maxExclusionMs, weeklyHours].some((each) => each !== undefined),
  );

/** Whether the actor is a full member and one of the role's members, by name or by user group; or a program that acts with it. */
export const holdsRole = ({ membership, userId, groupIds }: Actor, { members, programs }: Role): boolean =>
  isProgram(userId)
    ? programs.has(userId)
    : membership === "member" && (members.has(userId) || groupIds.some((groupId) => members.has(groupId)));

/** The channels to which the actor's roles are limited. */
export function channelsHeld({ roles }: Policy, actor: Actor): readonly string[] {
  return [
    ...new Set(roles.filter((role) => holdsRole(actor, role)).flatMap(({ where }) => [...(where.channels ?? [])])),
  ];
}
