import { type OperationName, operations } from "../service/operations.ts";
import { accountOperations, identityRuleLeft } from "./account-care.ts";
import { type Actor, actorKind, isGroupId, isProgram, isSamePerson } from "./actor.ts";
import { budgetRules } from "./budgets.ts";
import { isForAll, mayBeIn, mayBeWithin, type PermissionRequest, setsExclusionLength } from "./conditions.ts";
import { list, type Scope } from "./config-values.ts";
import { lengthOf } from "./held-time.ts";
import { type ApprovalRule, type Holder, holders, holdsRole, type Policy, type Role } from "./policy.ts";

/**
 * The first approval rule of the file that applies. An unknown fact that `when` asks for counts as met, so that missing
 * knowledge never skips an approval. Reads need none.
 */
export function approvalFor(policy: Policy, request: PermissionRequest): ApprovalRule | undefined {
  if (operations[request.operation].effect === "read") return undefined;
  return policy.approvals.find((rule) => rule.operations.has(request.operation) && applies(rule, request));
}

/** The rules that apply to the targets of one change, in the order of the file. */
export function approvalsFor(policy: Policy, requests: readonly PermissionRequest[]): readonly ApprovalRule[] {
  const isByGroup = policy.approvals.some(({ when }) => when.groups !== undefined);
  const each = isByGroup ? requests.flatMap(eachMachine) : requests;
  const applying = new Set(each.map((request) => approvalFor(policy, request)));
  return policy.approvals.filter((rule) => applying.has(rule));
}

/** Each machine needs its own approval, however they are put together. */
const eachMachine = (request: PermissionRequest): readonly PermissionRequest[] =>
  request.resourceIds?.length ? request.resourceIds.map((id) => ({ ...request, resourceIds: [id] })) : [request];

/** One rule that is met only when all of these are. Its approvers are the roles that every one of them names. */
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

/**
 * What a workflow asks for has no requester who could be told from its approvers. So it also takes an approver whom the config names for
 * workflows, where any approval is needed.
 */
export function withWorkflowRule(
  { workflowApprovers: approvers = [] }: Policy,
  actor: Actor,
  rules: readonly ApprovalRule[],
): readonly ApprovalRule[] {
  const [first] = rules;
  if (!first || actorKind(actor.userId) !== "workflow") return rules;
  return [...rules, { ...first, rule: "workflows.approvers", approvers, count: 1 }];
}

/** Where approvers are asked: the rule's own channel, else where the operation is announced for all projects, else the admins' channel. */
export function approvalChannel(
  { channel }: { readonly channel?: string | undefined },
  operation: OperationName,
  { announce, admins }: ChannelSettings,
): string | undefined {
  const announced = announce.find((entry) => entry.operations.has(operation) && isForAll(entry));
  return channel ?? announced?.channel ?? admins?.channel;
}

export interface ChannelSettings {
  readonly announce: readonly (Scope & {
    readonly operations: ReadonlySet<OperationName>;
    readonly channel: string;
    /** It gets what others change in the service itself too. */
    readonly isElsewhere?: boolean | undefined;
  })[];
  readonly admins?: { readonly channel: string } | undefined;
}

/** Whether the actor holds one of these roles; false for anyone but a full member, and for programs. */
export const mayApprove = ({ roles }: Policy, actor: Actor, roleNames: readonly string[]): boolean =>
  !isProgram(actor.userId) && roles.some((role) => roleNames.includes(role.name) && holdsRole(actor, role));

/** All roles that some approval rule, budget or `identity` names, or that somebody may ask. */
export const approverRoles = ({ approvals, budgets, roles, identity }: Policy): readonly string[] => [
  ...new Set(
    [
      ...[...approvals, identity ?? [], ...roles.map(({ mayAsk }) => mayAsk ?? [])].flat(),
      ...budgets.flatMap((budget) => (budget.then === "approval" ? budget : [])),
    ].flatMap((each) => each.approvers),
  ),
];

/** The roles of these names, with their members. */
export const holdersNamed = (policy: Policy, roleNames: readonly string[]): readonly Holder[] =>
  rolesNamed(policy, roleNames).map(({ name, members }) => ({ role: name, members: [...members] }));

/** The holders of these roles without these people; a role that nobody else has is left out. */
export const othersNamed = (
  policy: Policy,
  roleNames: readonly string[],
  ...exceptIds: readonly string[]
): readonly Holder[] => holders(rolesNamed(policy, roleNames), ...exceptIds);

const rolesNamed = ({ roles }: Policy, roleNames: readonly string[]): readonly Role[] =>
  roleNames.flatMap((role) => roles.find(({ name }) => name === role) ?? []);

/** Whether there can be enough approvers without the requester. The members of a user group are unknown: it may have enough. */
export function canBeApproved(policy: Policy, { approvers, count }: ApprovalRule, requesterId: string): boolean {
  const members = new Set(othersNamed(policy, approvers, requesterId).flatMap((holder) => holder.members));
  return members.size >= count || [...members].some(isGroupId);
}

function applies({ when }: ApprovalRule, request: PermissionRequest): boolean {
  return (
    isLonger(when.longerThanMs, request) &&
    mayBeWithin(when, request) &&
    mayBeIn(when.resourceTypes, request.resourceType)
  );
}

const isLonger = (longerThanMs: number | undefined, request: PermissionRequest): boolean =>
  longerThanMs === undefined ||
  (setsExclusionLength(request.operation) && (lengthOf(request) ?? Number.POSITIVE_INFINITY) > longerThanMs);

/** What too few of these people could approve, rule by rule, in sentences. They are everybody who has a role. */
export function unapprovable(policy: Policy, people: readonly Actor[]): readonly string[] {
  const identity = identityRuleLeft(policy);
  return [...policy.approvals, ...budgetRules(policy), ...(identity ? [identity] : [])].flatMap((rule) => {
    const requesters = people.filter((actor) => mayRequest(policy, rule, actor));
    const could = distinct(people.filter((actor) => mayApprove(policy, actor, rule.approvers)));
    const isEnough = (...except: readonly Actor[]) =>
      could.filter((actor) => !except.some((other) => isSamePerson(actor, other))).length >= rule.count;
    const stuck = requesters.filter((actor) => !isEnough(actor));
    const others = requesters.filter((actor) => !stuck.includes(actor));
    const owners = [...rule.operations].some((operation) => accountOperations.has(operation))
      ? people.filter((owner) => others.some((actor) => !isSamePerson(actor, owner) && !isEnough(actor, owner)))
      : [];
    return [
      ...(stuck.length > 0 ? [`${rule.rule}: too few could approve what ${names(stuck)} may ask for`] : []),
      ...(owners.length > 0 ? [`${rule.rule}: too few could approve a change of the account of ${names(owners)}`] : []),
    ];
  });
}

const mayRequest = ({ roles }: Policy, { operations: named }: ApprovalRule, actor: Actor): boolean =>
  roles.some(
    (role) =>
      holdsRole(actor, role) &&
      [...named].some((name) => operations[name].effect !== "read" && role.operations.has(name)),
  );

const distinct = (people: readonly Actor[]): readonly Actor[] =>
  people.filter((actor, index) => !people.slice(0, index).some((other) => isSamePerson(actor, other)));

const names = (people: readonly Actor[]): string =>
  list([...new Set(people.map(({ name, userId }) => `${name} (${userId})`))]);
