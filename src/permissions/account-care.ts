import {
  type AccountAct,
  type Operation,
  type OperationName,
  operationNames,
  operations,
} from "../service/operations.ts";
import { formatDuration } from "../time/duration.ts";
import { budgetRules } from "./budgets.ts";
import type { ApprovalRule, Policy } from "./policy.ts";

/** What a change does to somebody's account, and what is known of that account; for the rules that protect accounts. */
export interface AccountFacts {
  readonly acts: readonly AccountAct[];
  /** Whether it is the requester's own account. */
  readonly isOwn: boolean;
  /** What was done to it before, or perhaps done. */
  readonly earlier: readonly EarlierChange[];
  readonly now: number;
}

export interface EarlierChange {
  readonly acts: readonly AccountAct[];
  readonly at: number;
  readonly requester: Named;
  readonly approvers: readonly Named[];
}

/** A Slack person, with the name that they had then. */
export interface Named {
  readonly userId: string;
  readonly name: string;
}

/** The approval that a change needs, and what protects the account adds to the rule. */
export interface NeededApproval extends ApprovalRule {
  /** Those who cannot approve this too, since they asked for or approved the other change. */
  readonly except?: readonly Named[];
  /** Why it is needed, or takes other approvers than usual; full sentences. */
  readonly because?: readonly string[];
  /** How long the machines of an exclusion would be held, with its requester's others. */
  readonly heldMs?: number;
  /** When the cooling-off ends that asks for it, in epoch ms. */
  readonly coolsOffAt?: number | undefined;
}

export const actsOf = (operation: OperationName, request: object): readonly AccountAct[] => {
  const row: Operation = operations[operation];
  return row.accountActs?.(request) ?? [];
};

/** Whether an operation can change the address of an account or remove its MFA: whoever has both done has the account. */
export const takesOver = (operation: OperationName): boolean =>
  actsOf(operation, { emailAddress: "" }).some((act) => act === "address" || act === "mfa");

/** The operations that alter somebody's account. */
export const accountOperations: ReadonlySet<OperationName> = new Set(
  operationNames.filter((name) => "accountActs" in operations[name]),
);

/** The approvers of `identity` as a rule, for changes that no entry of `approvals` is for. */
export function identityRule({ identity }: Policy): ApprovalRule | undefined {
  return (
    identity && {
      rule: "identity",
      operations: accountOperations,
      approvers: identity.approvers,
      ...{ count: 1, expiresMs: 4 * 3_600_000, when: { longerThanMs: undefined } },
    }
  );
}

/** Every rule that may ask for an approval. */
export const rulesOf = (policy: Policy): readonly ApprovalRule[] => [
  ...policy.approvals,
  ...budgetRules(policy),
  ...[identityRule(policy) ?? []].flat(),
];

/** The same for the operations alone that no entry of `approvals` is for in every case. */
export function identityRuleLeft(policy: Policy): ApprovalRule | undefined {
  const rule = identityRule(policy);
  const left = [...accountOperations].filter((name) => !policy.approvals.some((each) => each.operations.has(name)));
  return rule && left.length > 0 ? { ...rule, operations: new Set(left) } : undefined;
}

/** What protects an account asks for, beside the rules of `approvals`. */
export type Care = Required<Pick<NeededApproval, "except" | "because">> &
  Pick<NeededApproval, "coolsOffAt"> & { readonly count: number };

/** Undefined where the change needs no more than the rules of `approvals` ask for. */
export function careFor({ identity }: Policy, facts: AccountFacts): Care | undefined {
  const coolOffMs = identity?.coolOffMs ?? 0;
  const fresh = coolOffMs === 0 ? [] : facts.earlier.filter(({ at }) => at > facts.now - coolOffMs);
  const pairs = fresh.filter((change) => makesPair(facts, change));
  const decisive = fresh.filter((change) => pairs.includes(change) || isCoolingOff(facts, change));
  const because = [
    ...decisive.map((change) => whyCoolingOff(change, coolOffMs)),
    ...(pairs.length > 0 ? ["Both changes together take two different approvers."] : []),
    ...(isFinalForOneself(facts) ? ["Nobody does this to their own account alone: they could not undo it."] : []),
  ];
  if (because.length === 0) return undefined;
  return {
    because: [...new Set(because)],
    ...approversFor(pairs),
    coolsOffAt: decisive.length > 0 ? Math.max(...decisive.map(({ at }) => at)) + coolOffMs : undefined,
  };
}

/** After another address, what would let a stranger in needs a second person. */
const isCoolingOff = ({ acts }: AccountFacts, earlier: EarlierChange): boolean =>
  earlier.acts.includes("address") && (acts.includes("mfa") || acts.includes("enable"));

/** Another address and no MFA, in either order, give the account away. */
const makesPair = ({ acts }: AccountFacts, earlier: EarlierChange): boolean =>
  (acts.includes("mfa") && earlier.acts.includes("address")) ||
  (acts.includes("address") && earlier.acts.includes("mfa"));

/** Nobody takes from themselves alone what they could not get back. */
export const isFinalForOneself = ({ acts, isOwn }: Pick<AccountFacts, "acts" | "isOwn">): boolean =>
  isOwn && acts.some((act) => act === "disable" || act === "detach" || act === "mfa");

function whyCoolingOff({ acts, requester }: EarlierChange, coolOffMs: number): string {
  const what = acts.includes("address") ? "changed the account's e-mail address" : "removed the account's MFA";
  return `${requester.name} ${what} less than ${formatDuration(coolOffMs)} ago.`;
}

/** Where one person approved the other change, nobody who asked for or approved that one can be the only approver of this. */
function approversFor(pairs: readonly EarlierChange[]): Pick<Care, "count" | "except"> {
  const count = Math.max(1, ...pairs.map(({ approvers }) => 2 - approvers.length));
  const alone = pairs.filter(({ approvers }) => approvers.length === 1);
  return { count, except: alone.flatMap(({ requester, approvers }) => [requester, ...approvers]) };
}

/** The rule with what protects the account. Two approvers are always two people, so then nobody is left out. */
export function withCare(rule: ApprovalRule, care: Care | undefined): NeededApproval {
  if (!care) return rule;
  const count = Math.max(rule.count, care.count);
  return { ...rule, ...care, count, except: count > 1 ? [] : care.except };
}
