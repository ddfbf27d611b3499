import { type OperationName, operationNames, operations } from "../service/operations.ts";
import { formatDuration } from "../time/duration.ts";
import { accountOperations, identityRule } from "./account-care.ts";
import type { Actor } from "./actor.ts";
import {
  approvalChannel,
  approvalFor,
  approverRoles,
  type ChannelSettings,
  combinedApproval,
  holdersNamed,
} from "./approval-rules.ts";
import { type Loosening, list, named, unique } from "./loosened-roles.ts";
import type { PermissionRequest } from "./permission-request.ts";
import type { ApprovalRule, Policy } from "./policy.ts";

export interface ApprovalSettings extends ChannelSettings {
  readonly policy: Policy;
}

/** Changes that need a weaker approval under `next` than under `old`, or none; and new approvers of pending changes. */
export function loosenedApprovals(next: ApprovalSettings, old: ApprovalSettings): readonly Loosening[] {
  const found = operationNames.flatMap((operation) => loosenedFor(operation, next, old));
  return [...joined(found), ...loosenedIdentity(next.policy, old.policy), ...newApprovers(next.policy, old.policy)];
}

interface Found {
  readonly path: string;
  readonly operation: OperationName;
  readonly how: string;
}

/** Joins operations with the same finding into one sentence. */
function joined(found: readonly Found[]): readonly Loosening[] {
  return unique(found.map(({ path, how }) => JSON.stringify([path, how]))).map((key) => {
    const alike = found.filter(({ path, how }) => JSON.stringify([path, how]) === key);
    const [{ path, how } = { path: "approvals", how: "" }] = alike;
    return { path, text: `${list(unique(alike.map(({ operation }) => operation)))} ${how}.` };
  });
}

function loosenedFor(operation: OperationName, next: ApprovalSettings, old: ApprovalSettings): readonly Found[] {
  if (operations[operation].effect === "read") return [];
  const outcomes = outcomesFor(operation, next.policy, old.policy);
  const protectedToo = accountOperations.has(operation) ? outcomes.map((each) => whileProtected(each, next, old)) : [];
  return distinct([...outcomes, ...protectedToo]).flatMap(([now, before]) => {
    if (now === "none together") return [];
    if (!before) return [];
    if (before === "none together")
      return [{ path: "approvals", operation, how: "can be approved where nobody could" }];
    if (!now) return [{ path: before.rule, operation, how: "no longer needs approval in every case" }];
    const how = comparisons.find(({ isNoWeaker }) => !isNoWeaker([now, next], [before, old], operation))?.how;
    return how === undefined ? [] : [{ path: before.rule, operation, how }];
  });
}

/** The rules that apply to the same change while its account is protected. */
const whileProtected = ([now, before]: Outcome, next: ApprovalSettings, old: ApprovalSettings): Outcome => [
  now ?? identityRule(next.policy),
  before ?? identityRule(old.policy),
];

type InForce = readonly [rule: ApprovalRule, settings: ApprovalSettings];

interface Comparison {
  readonly how: string;
  readonly isNoWeaker: (next: InForce, old: InForce, operation: OperationName) => boolean;
}

/** One for each property of a rule; a new property does not compile without one. */
const comparisons: readonly Comparison[] = Object.values({
  count: {
    how: "needs fewer approvers",
    isNoWeaker: ([next], [old]) => next.count >= old.count,
  },
  approvers: {
    how: "can be approved by other people",
    isNoWeaker: (next, old) => approverIds(next).every((id) => approverIds(old).includes(id)),
  },
  expiresMs: {
    how: "can be approved for longer",
    isNoWeaker: ([next], [old]) => next.expiresMs <= old.expiresMs,
  },
  channel: {
    how: "asks its approvers in another channel",
    isNoWeaker: ([next, nextSettings], [old, oldSettings], operation) =>
      approvalChannel(next, operation, nextSettings) === approvalChannel(old, operation, oldSettings),
  },
} satisfies Record<keyof Omit<ApprovalRule, "rule" | "when" | "operations">, Comparison>);

const approverIds = ([{ approvers }, { policy }]: InForce): readonly string[] =>
  holdersNamed(policy, approvers).flatMap(({ members }) => members);

type Applying = ReturnType<typeof combinedApproval>;
type Outcome = readonly [next: Applying, old: Applying];

/** Every pair of rules that can apply to the same change. A change may have several targets, so the rules of every two are combined. */
function outcomesFor(operation: OperationName, next: Policy, old: Policy): readonly Outcome[] {
  const single = distinct(
    requestsFor(operation, [...next.approvals, ...old.approvals]).map(
      (request) => [approvalFor(next, request), approvalFor(old, request)] as const,
    ),
  );
  return distinct(
    single.flatMap((one) =>
      single.map((other): Outcome => [both(next, one[0], other[0]), both(old, one[1], other[1])]),
    ),
  );
}

const both = ({ approvals }: Policy, ...rules: readonly (ApprovalRule | undefined)[]): Applying =>
  combinedApproval(approvals.filter((rule) => rules.includes(rule)));

const nameOf = (applying: Applying): string | undefined => (typeof applying === "string" ? applying : applying?.rule);

const distinct = <O extends Outcome>(outcomes: readonly O[]): readonly O[] => [
  ...new Map(outcomes.map((each) => [`${nameOf(each[0])} ${nameOf(each[1])}`, each])).values(),
];

/**
 * One request for each case that these rules distinguish: each project and type that a rule names and one that none does, a length
 * on either side of each limit, and each fact unknown.
 */
function requestsFor(operation: OperationName, rules: readonly ApprovalRule[]): readonly PermissionRequest[] {
  const whens = rules.filter((rule) => rule.operations.has(operation)).map(({ when }) => when);
  const facts = {
    projects: kindsOf(whens.map(({ projects }) => projects)),
    resourceTypes: kindsOf(whens.map(({ resourceTypes }) => resourceTypes)),
    longerThanMs: unique([undefined, 0, ...whens.flatMap(({ longerThanMs = 0 }) => [longerThanMs, longerThanMs + 1])]),
  } satisfies Record<keyof ApprovalRule["when"], unknown>;
  return facts.projects.flatMap((projectId) =>
    facts.resourceTypes.flatMap((resourceType) =>
      facts.longerThanMs.map((exclusionLengthMs) => ({
        ...{ actor: anybody, operation, channelId: null, projectId, resourceType, exclusionLengthMs },
      })),
    ),
  );
}

/** One name for all names that are in the same lists, so that long lists stay cheap. */
function kindsOf(lists: readonly (ReadonlySet<string> | undefined)[]): readonly (string | undefined)[] {
  const names = unique(lists.flatMap((each) => [...(each ?? [])]));
  const kinds = new Map(names.map((name) => [lists.map((each) => Number(each?.has(name) ?? true)).join(), name]));
  return [undefined, unnamed, ...kinds.values()];
}

/** A project, or a resource type, that no rule names. */
const unnamed = "\0";
/** Approval rules do not depend on the requester. */
const anybody: Actor = { teamId: "", userId: "", name: "", timeZone: "UTC", membership: "member", groupIds: [] };

function loosenedIdentity({ identity: next }: Policy, { identity: old }: Policy): readonly Loosening[] {
  // Without it, what nobody could undo on their own account is refused.
  if (next && !old) return [{ path: "identity", text: "People may ask for more about their own account." }];
  const [now, before] = [next?.coolOffMs ?? 0, old?.coolOffMs ?? 0];
  if (now >= before) return [];
  const lasts = now === 0 ? "no longer cool off" : `cool off for ${formatDuration(now)}`;
  return [{ path: "identity.coolOff", text: `Accounts ${lasts}, instead of for ${formatDuration(before)}.` }];
}

/** A pending change keeps the names of its approvers' roles, so a new member of one could decide on it. */
function newApprovers(next: Policy, old: Policy): readonly Loosening[] {
  return approverRoles(old).flatMap((name) => {
    const before = named(old, name)?.members ?? new Set();
    const members = [...(named(next, name)?.members ?? [])].filter((id) => !before.has(id));
    const text = `As “${name}”, ${list(members)} can approve changes.`;
    return members.length === 0 ? [] : [{ path: `permissions.roles.${name}.members`, text }];
  });
}
