import type { Problem } from "../../commands/answer.ts";
import type { ChangeCommand } from "../../commands/command.ts";
import { contradictionIn, type OtherPlace, otherPlacesOf } from "../../commands/exclusion/resource-claims.ts";
import type { AnyOccurrence, Target } from "../../commands/occurrence.ts";
import type { PlacedDirectory } from "../../directory/directory.ts";
import {
  type AccountFacts,
  careFor,
  identityRule,
  type NeededApproval,
  withCare,
} from "../../permissions/account-care.ts";
import { approvalsFor, combinedApproval, withWorkflowRule } from "../../permissions/approval-rules.ts";
import { budgetApprovals } from "../../permissions/budgets/budgets.ts";
import { lengthWords, longestHeld } from "../../permissions/held-time.ts";
import type { PermissionRequest } from "../../permissions/permission-request.ts";
import type { ApprovalRule, Policy } from "../../permissions/policy.ts";

/** The targets of a change, before and after it. Each of them is judged. */
export interface ChangeTargets {
  /** The targets that the change names. */
  readonly own: readonly [Target, ...Target[]];
  /** Other known places of its resources, with their sources. */
  readonly otherPlaces: readonly OtherPlace[];
  /** A statement about a resource that is known to be wrong. */
  readonly contradiction: Problem | undefined;
}

interface When {
  readonly subjectId: string | null;
  readonly now: number;
  readonly directory: PlacedDirectory;
}

export async function changeTargets(
  command: ChangeCommand,
  occurrence: AnyOccurrence,
  { subjectId, now, directory }: When,
): Promise<ChangeTargets> {
  const [first = {}, ...rest] = [await command.target(occurrence, now, directory)].flat();
  const own = [first, ...rest] as const;
  const named = command.resources?.(occurrence);
  if (!named) return { own, otherPlaces: [], contradiction: undefined };
  // The exclusion itself is no source for what it is to become.
  const itself = command.about === "exclusion" ? (subjectId ?? undefined) : undefined;
  const ids = [...named.claimed, ...named.before];
  const places = await directory.placesOf(ids, itself);
  return {
    own,
    otherPlaces: otherPlacesOf(own, places),
    contradiction: contradictionIn(named, first.projectId, places),
  };
}

const heldWords = ({ actor }: PermissionRequest, heldMs: number): string =>
  `With ${actor.name}'s other exclusions and plans, it would be ${lengthWords(heldMs)}.`;

interface Beside {
  /** The approval of those who are asked to allow it. */
  readonly asking?: ApprovalRule | undefined;
  /** Of the account that it alters. */
  readonly account?: AccountFacts | undefined;
}

/**
 * The approval that a change needs, from the rules for all its targets, and for the operations whose result it also brings
 * about, from budgets, and from what protects accounts. "nobody named": it needs one, and the config names no approvers;
 * "nobody for workflows": none for what workflows ask for.
 */
export function approvalOf(
  policy: Policy,
  command: ChangeCommand,
  occurrence: AnyOccurrence,
  { own, otherPlaces }: ChangeTargets,
  ask: PermissionRequest,
  { asking, account }: Beside = {},
): NeededApproval | "none together" | "nobody named" | "nobody for workflows" | undefined {
  const operations = [ask.operation, command.makes?.(occurrence) ?? []].flat();
  const targets = [...own, ...otherPlaces.map(({ target }) => target)];
  const requests = operations.flatMap((operation) => targets.map((target) => ({ ...ask, operation, ...target })));
  const budgets = budgetApprovals(policy, requests);
  const rules = [...approvalsFor(policy, requests), ...budgets.rules];
  const care = account && careFor(policy, account);
  const named = care && rules.length === 0 ? identityRule(policy) : undefined;
  if (care && rules.length === 0 && !named) return "nobody named";
  const asked = [...rules, ...(named ? [named] : []), ...(asking ? [asking] : [])];
  const together = withWorkflowRule(policy, ask.actor, asked);
  if (together.some(({ approvers }) => approvers.length === 0)) return "nobody for workflows";
  const rule = combinedApproval(together);
  if (rule === undefined || rule === "none together") return rule;
  const { because = [], ...needed } = withCare(rule, care);
  const heldMs = longestHeld(ask.held);
  const isHeldLonger = heldMs > (own[0].exclusionLengthMs ?? heldMs);
  const withOthers = isHeldLonger ? [heldWords(ask, heldMs)] : [];
  const why = [...because, ...budgets.because, ...withOthers];
  return { ...needed, ...(why.length > 0 ? { because: why } : {}), ...(isHeldLonger ? { heldMs } : {}) };
}
