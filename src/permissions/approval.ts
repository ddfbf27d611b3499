import { z } from "zod";
import { type OperationName, operations } from "../service/operations.ts";
import { resourceTypes } from "../service/resources.ts";
import type { Actor } from "./actor.ts";
import { setsExclusionLength } from "./conditions.ts";
import { channelId, durationMs, knownName, operationSet, setOf } from "./config-values.ts";
import type { PermissionRequest } from "./decide.ts";
import { type Holder, holders, type Policy, type Role } from "./policy.ts";
import { holdsRole } from "./roles-held.ts";

const whenSchema = z
  .strictObject({
    longerThan: durationMs.optional(),
    projects: setOf(z.string().min(1)).optional(),
    resourceTypes: setOf(knownName("resource type", resourceTypes)).optional(),
  })
  .transform(({ longerThan, ...when }) => ({ ...when, longerThanMs: longerThan }));

/** The `approvals` section of curfew.yaml (design.md, "Permissions"); approvers are roles, so their names must be given. */
export const approvalsSchema = (roleNames: readonly string[]) =>
  z.array(
    z
      .strictObject({
        operations: operationSet,
        approvers: z.array(knownName("role", roleNames)).min(1, "must name at least one role"),
        count: z.int("must be a whole number").min(1, "must be at least 1").default(1),
        expires: durationMs.prefault("4h"),
        channel: channelId.optional(),
        when: whenSchema.prefault({}),
      })
      .transform(({ expires, ...rule }) => ({ ...rule, expiresMs: expires })),
  );
export type Approvals = z.output<ReturnType<typeof approvalsSchema>>;

/** One entry of `approvals`, with its path there. */
export type ApprovalRule = Readonly<Approvals[number]> & { readonly rule: string };

export const createApprovalRules = (approvals: Approvals): readonly ApprovalRule[] =>
  approvals.map((approval, index) => ({ ...approval, rule: `approvals.${index}` }));

/**
 * The first approval rule that applies, in the order of the file. A fact that `when` asks for and that is not known counts
 * as met, so that not knowing never spares anyone the approval. Reads need none.
 */
export function approvalFor(policy: Policy, request: PermissionRequest): ApprovalRule | undefined {
  if (operations[request.operation].effect === "read") return undefined;
  return policy.approvals.find((rule) => rule.operations.has(request.operation) && applies(rule, request));
}

/** The rules that apply to what one change touches, in the order of the file. */
export function approvalsFor(policy: Policy, requests: readonly PermissionRequest[]): readonly ApprovalRule[] {
  const applying = new Set(requests.map((request) => approvalFor(policy, request)));
  return policy.approvals.filter((rule) => applying.has(rule));
}

/** One rule that is met only when all of these are: by the roles that each of them names. */
export function combinedApproval(rules: readonly ApprovalRule[]): ApprovalRule | "none together" | undefined {
  const [first, ...others] = rules;
  if (!first || others.length === 0) return first;
  const approvers = first.approvers.filter((role) => others.every((rule) => rule.approvers.includes(role)));
  if (approvers.length === 0) return "none together";
  return {
    ...first,
    rule: rules.map(({ rule }) => rule).join(" and "),
    approvers,
    count: Math.max(...rules.map(({ count }) => count)),
    expiresMs: Math.min(...rules.map(({ expiresMs }) => expiresMs)),
  };
}

/** Where the approvers of an operation are asked: the rule's own channel, else where the operation is announced, else where those are who run Curfew. */
export function approvalChannel(
  { channel }: Pick<ApprovalRule, "channel">,
  operation: OperationName,
  { announce, admins }: ChannelSettings,
): string | undefined {
  return channel ?? announce.find(({ operations: told }) => told.has(operation))?.channel ?? admins?.channel;
}

export interface ChannelSettings {
  readonly announce: readonly { readonly operations: ReadonlySet<OperationName>; readonly channel: string }[];
  readonly admins?: { readonly channel: string } | undefined;
}

/** Whether the actor holds one of these roles; false for anyone but a full member. */
export const mayApprove = ({ roles }: Policy, actor: Actor, roleNames: readonly string[]): boolean =>
  roles.some((role) => roleNames.includes(role.name) && holdsRole(actor, role));

/** All roles that some approval rule names. */
export const approverRoles = ({ approvals }: Policy): readonly string[] => [
  ...new Set(approvals.flatMap(({ approvers }) => approvers)),
];

/** The roles of these names, with their members. */
export const holdersNamed = (policy: Policy, roleNames: readonly string[]): readonly Holder[] =>
  rolesNamed(policy, roleNames).map(({ name, members }) => ({ role: name, members: [...members] }));

/** Who has the roles of these names beside these people; a role that nobody else has is left out. */
export const othersNamed = (
  policy: Policy,
  roleNames: readonly string[],
  ...exceptIds: readonly string[]
): readonly Holder[] => holders(rolesNamed(policy, roleNames), ...exceptIds);

const rolesNamed = ({ roles }: Policy, roleNames: readonly string[]): readonly Role[] =>
  roleNames.flatMap((role) => roles.find(({ name }) => name === role) ?? []);

/** Whether there can be enough approvers beside the requester. Who is in a user group is not known here: one may have enough. */
export function canBeApproved(policy: Policy, { approvers, count }: ApprovalRule, requesterId: string): boolean {
  const members = new Set(othersNamed(policy, approvers, requesterId).flatMap((holder) => holder.members));
  return members.size >= count || [...members].some((id) => id.startsWith("S"));
}

function applies({ when }: ApprovalRule, request: PermissionRequest): boolean {
  return (
    isLonger(when.longerThanMs, request) &&
    mayBeIn(when.projects, request.projectId) &&
    mayBeIn(when.resourceTypes, request.resourceType)
  );
}

const isLonger = (longerThanMs: number | undefined, { operation, exclusionLengthMs }: PermissionRequest): boolean =>
  longerThanMs === undefined ||
  (setsExclusionLength(operation) && !(exclusionLengthMs !== undefined && exclusionLengthMs <= longerThanMs));

/** In any case: whoever writes a name otherwise is not spared the approval. */
const mayBeIn = (names: ReadonlySet<string> | undefined, name: string | undefined): boolean =>
  names === undefined ||
  name === undefined ||
  names.has(name) ||
  [...names].some((each) => each.toLowerCase() === name.toLowerCase());
