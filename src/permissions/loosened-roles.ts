import type { OperationName } from "../service/operations.ts";
import { looserConditions } from "./conditions.ts";
import type { Policy, Role } from "./policy.ts";

/** A setting that a new config loosens, and a full sentence about it. */
export interface Loosening {
  readonly path: string;
  readonly text: string;
}

/**
 * Rights under `next` that `old` may not give. One former role must cover each member's or program's right to each operation: a right that only
 * two roles cover together counts as loosened. So does a new user group, since its members are unknown.
 */
export function loosenedRoles(next: Policy, old: Policy): readonly Loosening[] {
  return next.roles.flatMap((role) => {
    const rights = [...role.members, ...role.programs].flatMap((member) =>
      [...role.operations].map((operation): Right => ({ member, operation })),
    );
    const gained = rights.filter((right) => !isCovered(right, role, old));
    return gained.length === 0 ? [] : inWords(role, named(old, role.name), gained);
  });
}

interface Right {
  readonly member: string;
  readonly operation: OperationName;
}

const isCovered = ({ member, operation }: Right, { where }: Role, old: Policy): boolean =>
  (old.rolesFor.get(operation) ?? []).some(
    (role) => isIn(role, member) && looserConditions(where, role.where, operation).length === 0,
  );

const isIn = ({ members, programs }: Role, member: string): boolean => members.has(member) || programs.has(member);

export const named = ({ roles }: Policy, name: string): Role | undefined => roles.find((role) => role.name === name);

function inWords(role: Role, old: Role | undefined, gained: readonly Right[]): readonly Loosening[] {
  const path = `permissions.roles.${role.name}`;
  const members = unique(gained.map(({ member }) => member));
  const operations = unique(gained.map(({ operation }) => operation));
  if (!old) return [{ path, text: `The new role “${role.name}” lets ${list(members)} do ${list(operations)}.` }];
  const joined = members.filter((member) => !isIn(old, member));
  const added = operations.filter((operation) => !old.operations.has(operation));
  const looser = unique(operations.flatMap((operation) => looserConditions(role.where, old.where, operation)));
  return [
    ...(joined.length > 0
      ? [{ path: `${path}.members`, text: `The role “${role.name}” is given to ${list(joined)}.` }]
      : []),
    ...(added.length > 0
      ? [{ path: `${path}.allow`, text: `The role “${role.name}” also allows ${list(added)}.` }]
      : []),
    ...looser.map((name) => ({
      path: `${path}.where.${name}`,
      text: `The role “${role.name}” loosens its condition “${name}”.`,
    })),
  ];
}

export const unique = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

/** The first few names, since a message has little room. */
export function list(names: readonly string[]): string {
  const shown = 5;
  const more = names.length - shown;
  return `${names.slice(0, shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
