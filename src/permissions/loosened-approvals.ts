import { type OperationName, operationNames, operations } from "../service/operations.ts";
import type { Actor } from "./actor.ts";
import { type ApprovalRule, approvalChannel, approvalFor, type ChannelSettings, holdersNamed } from "./approval.ts";
import type { PermissionRequest } from "./decide.ts";
import { type Loosening, list, named, unique } from "./loosened-roles.ts";
import type { Policy } from "./policy.ts";

export interface ApprovalSettings extends ChannelSettings {
  readonly policy: Policy;
}

/** What needs a weaker approval under `next` than under `old`, or none; and who may decide on what waits already. */
export function loosenedApprovals(next: ApprovalSettings, old: ApprovalSettings): readonly Loosening[] {
  const found = operationNames.flatMap((operation) => loosenedFor(operation, next, old));
  return [...joined(found), ...newApprovers(next.policy, old.policy)];
}

interface Found {
  readonly path: string;
  readonly operation: OperationName;
  readonly how: string;
}

/** One sentence for all operations of which the same is to be said. */
function joined(found: readonly Found[]): readonly Loosening[] {
  return unique(found.map(({ path, how }) => JSON.stringify([path, how]))).map((key) => {
    const alike = found.filter(({ path, how }) => JSON.stringify([path, how]) === key);
    const [{ path, how } = { path: "approvals", how: "" }] = alike;
    return { path, text: `${list(unique(alike.map(({ operation }) => operation)))} ${how}.` };
  });
}

function loosenedFor(operation: OperationName, next: ApprovalSettings, old: ApprovalSettings): readonly Found[] {
  if (operations[operation].effect === "read") return [];
  return outcomesFor(operation, next.policy, old.policy).flatMap(([now, before]) => {
    if (!before) return [];
    if (!now) return [{ path: before.rule, operation, how: "no longer needs approval in every case" }];
    const how = comparisons.find(({ isNoWeaker }) => !isNoWeaker([now, next], [before, old], operation))?.how;
    return how === undefined ? [] : [{ path: before.rule, operation, how }];
  });
}

type InForce = readonly [rule: ApprovalRule, settings: ApprovalSettings];

interface Comparison {
  readonly how: string;
  readonly isNoWeaker: (next: InForce, old: InForce, operation: OperationName) => boolean;
}

/** One for each thing that a rule asks for, so that a new one is not left out. */
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
    how: "is put to its approvers in another channel",
    isNoWeaker: ([next, nextSettings], [old, oldSettings], operation) =>
      approvalChannel(next, operation, nextSettings) === approvalChannel(old, operation, oldSettings),
  },
} satisfies Record<keyof Omit<ApprovalRule, "rule" | "when" | "operations">, Comparison>);

const approverIds = ([{ approvers }, { policy }]: InForce): readonly string[] =>
  holdersNamed(policy, approvers).flatMap(({ members }) => members);

type Outcome = readonly [next: ApprovalRule | undefined, old: ApprovalRule | undefined];

/**
 * Every pair of rules that can apply to the same change. A change may have several targets, and then the first rule of the file that
 * applies to any of them is the one; for that, every two targets are put together.
 */
function outcomesFor(operation: OperationName, next: Policy, old: Policy): readonly Outcome[] {
  const single = distinctOutcomes(
    requestsFor(operation, [...next.approvals, ...old.approvals]).map((request) => [
      approvalFor(next, request),
      approvalFor(old, request),
    ]),
  );
  return distinctOutcomes(
    single.flatMap((one) =>
      single.map((other): Outcome => [first(next.approvals, one[0], other[0]), first(old.approvals, one[1], other[1])]),
    ),
  );
}

const first = (rules: readonly ApprovalRule[], ...applying: readonly (ApprovalRule | undefined)[]) =>
  rules.find((rule) => applying.includes(rule));

const distinctOutcomes = (outcomes: readonly Outcome[]): readonly Outcome[] => [
  ...new Map(outcomes.map((each) => [`${each[0]?.rule} ${each[1]?.rule}`, each])).values(),
];

/**
 * Requests of every kind between which these rules can tell: each project and type that one names and one that none does, a length
 * on either side of each limit; and, for each, not knowing it.
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

/** One name for all that stand in the same of these lists, so that long lists are no burden. */
function kindsOf(lists: readonly (ReadonlySet<string> | undefined)[]): readonly (string | undefined)[] {
  const names = unique(lists.flatMap((each) => [...(each ?? [])]));
  const kinds = new Map(names.map((name) => [lists.map((each) => Number(each?.has(name) ?? true)).join(), name]));
  return [undefined, unnamed, ...kinds.values()];
}

/** A project, or a resource type, that no rule names. */
const unnamed = "\0";
/** Who asks makes no difference to the rule. */
const anybody: Actor = { teamId: "", userId: "", name: "", timeZone: "UTC", membership: "member", groupIds: [] };

/** What waits for approval keeps the names of its approvers' roles: who joins one of them could decide on it. */
function newApprovers(next: Policy, old: Policy): readonly Loosening[] {
  return unique(old.approvals.flatMap(({ approvers }) => approvers)).flatMap((name) => {
    const before = named(old, name)?.members ?? new Set();
    const members = [...(named(next, name)?.members ?? [])].filter((id) => !before.has(id));
    const text = `As “${name}”, ${list(members)} can approve changes.`;
    return members.length === 0 ? [] : [{ path: `permissions.roles.${name}.members`, text }];
  });
}
