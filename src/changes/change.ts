import type { AnyOccurrence, ChangeOperation } from "../commands/command.ts";
import type { EntityKind, Input } from "../commands/field.ts";
import type { EntityBody } from "../directory/directory.ts";
import type { Actor } from "../permissions/actor.ts";
import type { Holder } from "../permissions/policy.ts";
import { operations } from "../service/operations.ts";

/**
 * A change's life. One that needs somebody else's yes is `awaiting-approval` from the moment it is recorded, until it is `approved`, or
 * has come to nothing: `denied`, `withdrawn` by its requester, or `expired`. It is `performing` from before the call goes out until it is
 * settled: `succeeded`; `failed`, when the service certainly altered nothing; or `unknown`, when it may have, or when Curfew stopped
 * in between. An approved one whose call certainly did not reach the service, which is down, is `approved` again, to be tried
 * later; it expires when that lasts too long, and can be withdrawn until then.
 */
export const changeStates = [
  "awaiting-approval",
  "approved",
  "denied",
  "withdrawn",
  "expired",
  "performing",
  "succeeded",
  "failed",
  "unknown",
] as const;
export type ChangeState = (typeof changeStates)[number];
export type SettledState = Extract<ChangeState, "succeeded" | "failed" | "unknown">;

/** Each state as people are told it, to follow "it is" or to stand alone. */
export const stateWords: Readonly<Record<ChangeState, string>> = {
  "awaiting-approval": "waiting for approval",
  approved: "approved",
  denied: "denied",
  withdrawn: "withdrawn",
  expired: "lapsed",
  performing: "under way",
  succeeded: "done",
  failed: "failed",
  unknown: "unknown",
};

/** What was asked of the approvers. */
export interface Approval {
  /** The entry of the permissions file that asks for it. */
  readonly rule: string;
  /** The roles whose yes it needs, with those who were members then; who is one by now decides. */
  readonly approvers: readonly Holder[];
  /** How many of them. */
  readonly count: number;
  /** Where they were asked. */
  readonly channelId: string;
  readonly expiresAt: number;
  /** What would come of the change, in plain sentences, as far as it could be foreseen. */
  readonly effect: readonly string[];
}

/** The names of the roles whose yes it needs. */
export const approverRolesOf = ({ approvers }: Approval): readonly string[] => approvers.map(({ role }) => role);

/** How many more approvals a change that waits needs. */
export function lackingApprovals({ approval, decisions }: Pick<Change, "approval" | "decisions">): number {
  return (approval?.count ?? 0) - decisions.length;
}

/** What one approver said; each says one thing. */
export interface ApproverDecision {
  readonly approverId: string;
  readonly approverName: string;
  readonly verdict: "approved" | "denied";
  /** A denial's reason, or what was said with a yes. */
  readonly note: string | null;
  readonly at: number;
}

/** Curfew's own, which alter nothing of the service: such a change is recorded when it is done. */
export const ownOperations = ["SaveResourceGroup", "DeleteResourceGroup"] as const;
export type OwnOperation = (typeof ownOperations)[number];

export interface Change {
  readonly id: string;
  /** What makes a repeat of the same Slack delivery recognisable. */
  readonly idempotencyKey: string;
  readonly words: string;
  readonly operation: ChangeOperation | OwnOperation;
  readonly state: ChangeState;
  readonly input: Input;
  readonly request: object;
  /** The last remembered answer about the subject before the change. */
  readonly before: EntityBody<EntityKind> | null;
  readonly answer: unknown;
  readonly subjectKind: EntityKind;
  readonly subjectId: string | null;
  readonly actor: Pick<Actor, "teamId" | "userId" | "name" | "timeZone">;
  readonly channelId: string | null;
  readonly reason: string | null;
  /** The change that this one takes back. */
  readonly undoes: string | null;
  /** The role and the line of the permissions file that allowed it. */
  readonly role: string;
  readonly rule: string;
  /** Null for a change that needs none. */
  readonly approval: Approval | null;
  /** In the order they came. */
  readonly decisions: readonly ApproverDecision[];
  /** Why it failed, is unknown or expired; of one that is approved, why its last try did not reach the service. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly note: string | null;
  readonly requestedAt: number;
  readonly settledAt: number | null;
}

/** The error of an approved one whose requester may not do it by then. */
export const notAllowedNow = "NotAllowedNow";

/** A change of the service, as are all that wait or are performed. */
export type ServiceChange = Change & { readonly operation: ChangeOperation };

export function isServiceChange(change: Change): change is ServiceChange {
  const own: readonly string[] = ownOperations;
  return !own.includes(change.operation);
}

/** Whether it makes a new thing of the service, whose id is known from the answer alone. */
export function isCreation(change: Change): boolean {
  return isServiceChange(change) && operations[change.operation].effect === "create";
}

/** Whether nothing more can become of it. */
export function isOver(state: ChangeState): boolean {
  return state !== "awaiting-approval" && state !== "approved" && state !== "performing";
}

/** How a performed change ended. */
export interface Settlement {
  readonly state: SettledState;
  readonly answer: unknown;
  readonly subjectId: string | null;
  /** The service knows no such thing (any more). */
  readonly isSubjectGone: boolean;
  /** The call certainly did not reach the service, which is down or busy: the same may work later. */
  readonly isUnreached?: boolean;
  readonly error: Change["error"];
  readonly note: string | null;
  readonly settledAt: number;
}

/** The change as its command's `describe` takes it. */
export function occurrenceOf(change: Change): AnyOccurrence {
  const { request, before, answer, requestedAt } = change;
  return { request, before: before ?? undefined, after: answer ?? undefined, at: requestedAt };
}
