import { z } from "zod";
import { type OperationName, operationNames } from "../service/operations.ts";
import { resourceTypes } from "../service/resources.ts";
import { type Actor, isProgram, type Program } from "./actor.ts";
import {
  channelId,
  durationMs,
  knownName,
  memberId,
  operationSet,
  type ScopeSchema,
  setOf,
  weeklyHours,
} from "./config-values.ts";

const typesSchema = setOf(knownName("resource type", resourceTypes)).optional().describe("Only for these types");

const whereSchema = (scope: ScopeSchema) =>
  z
    .strictObject({
      channels: setOf(channelId).optional().describe("Only what is asked for in one of these channels"),
      ...scope,
      resourceTypes: typesSchema,
      own: z.boolean().default(false).describe("Only what the same person made through Curfew"),
      maxExclusion: durationMs.optional().describe("Only exclusions of at most this length"),
      weeklyHours: weeklyHours.optional().describe("Hours a week for which they may keep each resource running"),
    })
    .transform(({ maxExclusion, ...where }) => ({ ...where, maxExclusionMs: maxExclusion }));

export const approversAmong = (roleNames: readonly string[]) =>
  z.array(knownName("role", roleNames)).min(1, "must name at least one role");

const mayAskSchema = (roleNames: readonly string[]) =>
  z.strictObject({
    operations: operationSet.describe("Changes, also those that the role does not allow at all"),
    approvers: approversAmong(roleNames).describe("Roles that are asked. They allow what they may do themselves"),
  });

/** The `permissions` section of curfew.yaml (REFERENCE.md, "permissions"). Those who may be asked must be among `roleNames`. */
export const permissionsSchema = (roleNames: readonly string[], scope: ScopeSchema) =>
  z.strictObject({
    roles: z
      .record(
        z.string().min(1, "a role needs a name"),
        z.strictObject({
          members: z.array(memberId).describe("Who has the role: people and user groups, by id, never by name"),
          allow: operationSet.describe("What they may do; “reads” for all that only read, “*” for all"),
          where: whereSchema(scope).prefault({}).describe("Conditions, which must all hold"),
          mayAsk: mayAskSchema(roleNames).optional().describe("What they may ask others to allow"),
        }),
      )
      .describe("By a name that refusals and cards show"),
  });
type Permissions = z.output<ReturnType<typeof permissionsSchema>>;

const whenSchema = (scope: ScopeSchema) =>
  z
    .strictObject({
      longerThan: durationMs.optional().describe("Only exclusions longer than this"),
      ...scope,
      resourceTypes: typesSchema,
    })
    .transform(({ longerThan, ...when }) => ({ ...when, longerThanMs: longerThan }));

/** Who approves, how many of them, until when, and where they are asked. */
const approval = (roleNames: readonly string[]) => ({
  approvers: approversAmong(roleNames).describe("Roles that may approve. They need not allow the operation"),
  count: z.int("must be a whole number").min(1, "must be at least 1").default(1).describe("How many must approve"),
  expires: durationMs.prefault("4h").describe("How long the request stands"),
  channel: channelId.optional().describe("Where it is asked; else where it is announced, or in admins.channel"),
});

/** The `approvals` section of curfew.yaml (REFERENCE.md, "approvals"). Approvers must be among `roleNames`. */
export const approvalsSchema = (roleNames: readonly string[], scope: ScopeSchema) =>
  z.array(
    z
      .strictObject({
        operations: operationSet.describe("Changes that need an approval"),
        ...approval(roleNames),
        when: whenSchema(scope).prefault({}).describe("Conditions. An unknown fact counts as met"),
      })
      .transform(({ expires, ...rule }) => ({ ...rule, expiresMs: expires })),
  );
type Approvals = z.output<ReturnType<typeof approvalsSchema>>;

/** What happens beyond the hours. */
const key = "then";

/** The `budgets` section of curfew.yaml (REFERENCE.md, "budgets"). Approvers must be among `roleNames`. */
export const budgetsSchema = (roleNames: readonly string[], scope: ScopeSchema) => {
  const hours = weeklyHours.describe("Hours a week for which one person may keep one resource running");
  const limit = { ...scope, weeklyHours: hours };
  const then = "What is done beyond the hours: refuse it, ask for an approval, or only warn";
  return z.array(
    z.discriminatedUnion(
      key,
      [
        z.strictObject({ ...limit, [key]: z.literal("refuse").describe(then) }),
        z.strictObject({ ...limit, [key]: z.literal("warn").describe(then) }),
        z
          .strictObject({ ...limit, [key]: z.literal("approval").describe(then), ...approval(roleNames) })
          .transform(({ expires, ...budget }) => ({ ...budget, expiresMs: expires })),
      ],
      { error: "must say what happens then: approval, refuse or warn" },
    ),
  );
};
type Budgets = z.output<ReturnType<typeof budgetsSchema>>;

/** One entry of `budgets`, with its path there. */
export type Budget = Readonly<Budgets[number]> & { readonly rule: string };

/** The `identity` section of curfew.yaml (REFERENCE.md, "identity"). Approvers must be among `roleNames`. */
export const identitySchema = (roleNames: readonly string[]) =>
  z
    .strictObject({
      coolOff: z
        .union([z.literal(0), durationMs], "must be a length such as 24h, or 0 for none")
        .prefault("24h")
        .describe("How long an account is protected after another address or no MFA; 0 for never"),
      approvers: approversAmong(roleNames).describe("Roles that approve where no entry of approvals is for it"),
    })
    .transform(({ coolOff, approvers }) => ({ coolOffMs: coolOff, approvers }));
/** `coolOffMs`: 0 for none. */
type Identity = Readonly<z.output<ReturnType<typeof identitySchema>>>;

export interface Role {
  readonly name: string;
  readonly members: ReadonlySet<string>;
  /** The ids of the programs that act with it. They are no members: nobody can ask them, and they approve nothing. */
  readonly programs: ReadonlySet<string>;
  readonly operations: ReadonlySet<OperationName>;
  readonly where: Readonly<z.output<ReturnType<typeof whereSchema>>>;
  /** What its members may ask others to allow, where they may not do it themselves. */
  readonly mayAsk?: MayAsk | undefined;
}

interface MayAsk {
  readonly operations: ReadonlySet<OperationName>;
  /** The roles of those who are asked. */
  readonly approvers: readonly string[];
}

/** A role that allows an operation, with its user and user group ids: the people to ask. */
export interface Holder {
  readonly role: string;
  readonly members: readonly string[];
}

/** One entry of `approvals`, with its path there. */
export type ApprovalRule = Readonly<Approvals[number]> & { readonly rule: string };

/** The roles, also indexed by operation for speed, the approval rules, the budgets of hours, and what protects accounts. */
export interface Policy {
  readonly roles: readonly Role[];
  readonly rolesFor: ReadonlyMap<OperationName, readonly Role[]>;
  readonly approvals: readonly ApprovalRule[];
  readonly budgets: readonly Budget[];
  readonly identity?: Identity | undefined;
  /** The roles that may approve what workflows ask for; undefined where nobody may. */
  readonly workflowApprovers?: ApprovalRule["approvers"] | undefined;
}

export function createPolicy(
  permissions: Permissions,
  approvals: Approvals = [],
  identity?: Identity,
  budgets: Budgets = [],
  programs: readonly Program[] = [],
): Policy {
  const roles = Object.entries(permissions.roles).map(([name, { members, allow, where, mayAsk }]) => ({
    name,
    members: new Set(members),
    programs: new Set(programs.filter(({ role }) => role === name).map(({ id }) => id)),
    operations: allow,
    where,
    ...(mayAsk ? { mayAsk } : {}),
  }));
  const rules = approvals.map((rule, index) => ({ ...rule, rule: `approvals.${index}` }));
  return {
    roles,
    rolesFor: rolesByOperation(roles),
    approvals: rules,
    budgets: budgets.map((budget, index) => ({ ...budget, rule: `budgets.${index}` })),
    ...(identity ? { identity } : {}),
  };
}

export const rolesByOperation = (roles: readonly Role[]): Policy["rolesFor"] =>
  new Map(operationNames.map((name) => [name, roles.filter((role) => role.operations.has(name))]));

/** The roles with their members, without these people; a role with nobody left is left out. */
export const holders = (roles: readonly Role[], ...exceptIds: readonly string[]): readonly Holder[] =>
  holdersBeside(
    roles.map(({ name, members }) => ({ role: name, members: [...members] })),
    ...exceptIds,
  );

/** The same for holders that were recorded earlier. */
export const holdersBeside = (all: readonly Holder[], ...exceptIds: readonly string[]): readonly Holder[] =>
  all.flatMap(({ role, members }) => {
    const others = members.filter((id) => !exceptIds.includes(id));
    return others.length > 0 ? [{ role, members: others }] : [];
  });

const held = new WeakMap<Actor, { readonly policy: Policy; readonly roles: readonly Role[] }>();

/** The actor's roles, found once for each request: an actor is looked up for it and never altered. */
export function rolesOfActor(policy: Policy, actor: Actor): readonly Role[] {
  const known = held.get(actor);
  if (known?.policy === policy) return known.roles;
  const roles = policy.roles.filter((role) => holdsRole(actor, role));
  held.set(actor, { policy, roles });
  return roles;
}

/** The names of the actor's roles; none for anyone but a full member (PERMISSIONS.md). */
export const rolesHeld = (policy: Policy, actor: Actor): readonly string[] =>
  rolesOfActor(policy, actor).map(({ name }) => name);

/** The admins' roles: those that allow every operation. */
export const adminRoles = ({ roles }: Policy): readonly Role[] => roles.filter(allowsAll);

const allowsAll = ({ operations }: Role): boolean => operationNames.every((name) => operations.has(name));

/** Whether the actor has one of them. */
export const isAdmin = (policy: Policy, actor: Actor): boolean => rolesOfActor(policy, actor).some(allowsAll);

/** The admins' roles that have no conditions, except perhaps this channel. */
export const unlimitedRoles = (policy: Policy, channelId: string): readonly Role[] =>
  adminRoles(policy).filter(
    ({ where: { channels, accounts, projects, groups, resourceTypes, own, maxExclusionMs, weeklyHours } }) =>
      (channels?.has(channelId) ?? true) &&
      ![accounts, projects, groups, resourceTypes, own || undefined, maxExclusionMs, weeklyHours].some(
        (each) => each !== undefined,
      ),
  );

/** Whether some right depends on the machines. */
export const hasGroups = ({ roles }: Policy): boolean => roles.some(({ where }) => where.groups !== undefined);

/** Whether the actor is a full member and one of the role's members, by name or by user group; or a program that acts with it. */
export const holdsRole = ({ membership, userId, groupIds }: Actor, { members, programs }: Role): boolean =>
  isProgram(userId)
    ? programs.has(userId)
    : membership === "member" && (members.has(userId) || groupIds.some((groupId) => members.has(groupId)));

/** The channels to which the actor's roles are limited. */
export const channelsHeld = (policy: Policy, actor: Actor): readonly string[] => [
  ...new Set(rolesOfActor(policy, actor).flatMap(({ where }) => [...(where.channels ?? [])])),
];
