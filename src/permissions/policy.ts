import { z } from "zod";
import { type OperationName, operationNames } from "../service/operations.ts";
import { resourceTypes } from "../service/resources.ts";
import { type ApprovalRule, type Approvals, createApprovalRules } from "./approval.ts";
import { channelId, durationMs, knownName, memberId, operationSet, setOf } from "./config-values.ts";

const whereSchema = z
  .strictObject({
    channels: setOf(channelId).optional(),
    projects: setOf(z.string().min(1)).optional(),
    resourceTypes: setOf(knownName("resource type", resourceTypes)).optional(),
    own: z.boolean().default(false),
    maxExclusion: durationMs.optional(),
  })
  .transform(({ maxExclusion, ...where }) => ({ ...where, maxExclusionMs: maxExclusion }));

/** The `permissions` section of curfew.yaml (design.md, "Permissions"). */
export const permissionsSchema = z.strictObject({
  roles: z.record(
    z.string().min(1, "a role needs a name"),
    z.strictObject({ members: z.array(memberId), allow: operationSet, where: whereSchema.prefault({}) }),
  ),
});
export type Permissions = z.output<typeof permissionsSchema>;

export interface Role {
  readonly name: string;
  readonly members: ReadonlySet<string>;
  readonly operations: ReadonlySet<OperationName>;
  readonly where: Readonly<z.output<typeof whereSchema>>;
}

/** Who can be asked for an operation: a role that allows it, with its user and user group ids. */
export interface Holder {
  readonly role: string;
  readonly members: readonly string[];
}

/** Who may do what, and what needs a second person. Roles are kept by operation, so that deciding looks at few. */
export interface Policy {
  readonly roles: readonly Role[];
  readonly rolesFor: ReadonlyMap<OperationName, readonly Role[]>;
  readonly approvals: readonly ApprovalRule[];
}

export function createPolicy(permissions: Permissions, approvals: Approvals = []): Policy {
  const roles = Object.entries(permissions.roles).map(([name, { members, allow, where }]) => ({
    name,
    members: new Set(members),
    operations: allow,
    where,
  }));
  const rolesFor = new Map(operationNames.map((name) => [name, roles.filter((role) => role.operations.has(name))]));
  return { roles, rolesFor, approvals: createApprovalRules(approvals) };
}

/** The roles with their members, but for these people; a role that is left with nobody is left out. */
export const holders = (roles: readonly Role[], ...exceptIds: readonly string[]): readonly Holder[] =>
  holdersBeside(
    roles.map(({ name, members }) => ({ role: name, members: [...members] })),
    ...exceptIds,
  );

/** The same of those who were members once. */
export const holdersBeside = (all: readonly Holder[], ...exceptIds: readonly string[]): readonly Holder[] =>
  all.flatMap(({ role, members }) => {
    const others = members.filter((id) => !exceptIds.includes(id));
    return others.length > 0 ? [{ role, members: others }] : [];
  });
