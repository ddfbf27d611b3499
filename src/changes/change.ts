import { randomBytes } from "node:crypto";
import { type AnyOccurrence, plannedStart, type Thread } from "../commands/command.ts";
import { instant, isSameMoment } from "../commands/exclusion/exclusion-body.ts";
import type { Input } from "../commands/field.ts";
import type { EntityBody, EntityKind } from "../directory/directory.ts";
import type { Named } from "../permissions/account-care.ts";
import type { Actor } from "../permissions/actor.ts";
import type { Beyond } from "../permissions/conditions.ts";
import type { Holder } from "../permissions/policy.ts";
import { type ChangeOperation, operations } from "../service/operations.ts";
import { ActionExclusion } from "../service/resources.ts";

/**
 * The states of a change. One that is to begin later is `planned` until then, and `approved` when its time has come. One that needs an
 * approval starts as `awaiting-approval`. It becomes `approved` (or `planned`, if it is to begin later), or ends as
 * `denied`, `withdrawn` by its requester, or `expired`. It is `performing` from before the call until it is settled:
 * `succeeded`; `failed`, when the service certainly changed nothing; `unknown`, when it may have, or when Curfew stopped
 * during the call. When the call of an approved change certainly did not reach the service, the change is `approved` again
 * and is retried later. Until then it can be withdrawn, or denied by the owner of its account, and expires when its time is
 * over. An unknown outcome can be found out later: the change is then `succeeded` or `failed`. A series, whose steps are changes by themselves, follows from them
 * (steps/series.ts): it is `partly` done when some steps were made and others were not.
 */
export const changeStates = [
  "awaiting-approval",
  "planned",
  "approved",
  "denied",
  "withdrawn",
  "expired",
  "performing",
  "succeeded",
  "partly",
  "failed",
  "unknown",
] as const;
export type ChangeState = (typeof changeStates)[number];
export type SettledState = Extract<ChangeState, "succeeded" | "partly" | "failed" | "unknown">;

/** The words for each state, to follow "it is" or to stand alone. */
export const stateWords: Readonly<Record<ChangeState, string>> = {
  "awaiting-approval": "waiting for approval",
  planned: "planned",
  approved: "approved",
  denied: "denied",
  withdrawn: "withdrawn",
  expired: "lapsed",
  performing: "under way",
  succeeded: "done",
  partly: "partly done",
  failed: "failed",
  unknown: "unknown",
};

/** The approval that a change needs. */
export interface Approval {
  /** The rule of the config that asks for it. */
  readonly rule: string;
  /**
   * The roles that can approve, with their members at that time. A decision counts only from somebody who holds the role
   * when they decide.
   */
  readonly approvers: readonly Holder[];
  /** The number of approvals needed. */
  readonly count: number;
  /** The channel of the approval card. */
  readonly channelId: string;
  readonly expiresAt: number;
  /** The preview of the change's effect, in sentences. */
  readonly effect: readonly string[];
  /** Why its requester may not do it alone; undefined if they may, and the config asks for an approval. */
  readonly beyond?: Beyond | undefined;
  /** How long the machines of an exclusion would be held, with its requester's others. */
  readonly heldMs?: number | undefined;
  /** Why the account that it alters is protected, in sentences. */
  readonly because?: readonly string[] | undefined;
  /** Those who cannot approve this too, since they asked for or approved another change of the account. */
  readonly except?: readonly Named[] | undefined;
}

/** Whether its requester asks others to allow what they may not do alone. */
export const isAskedFor = ({ approval }: Pick<Change, "approval">): boolean => approval?.beyond !== undefined;

/** The roles in which somebody other than the requester was asked. */
export const askedRolesOf = ({ approvers }: Approval, { userId }: Pick<Actor, "userId">): readonly string[] =>
  approvers.filter(({ members }) => members.some((id) => id !== userId)).map(({ role }) => role);

/** The names of the roles that can approve. */
export const approverRolesOf = ({ approvers }: Approval): readonly string[] => approvers.map(({ role }) => role);

/** The number of approvals that a waiting change still needs. */
export function lackingApprovals({ approval, decisions }: Pick<Change, "approval" | "decisions">): number {
  return (approval?.count ?? 0) - decisions.length;
}

/** Those whose approval does not count, or no more: its requester, who asked for what goes with it, the account's owner, and who has decided. */
export const cannotApprove = ({
  actor,
  approval,
  notices,
  decisions,
}: Pick<Change, "actor" | "approval" | "notices" | "decisions">): readonly string[] => [
  ...[actor, ...(approval?.except ?? []), ...notices.filter(({ isOwner }) => isOwner)].map(({ userId }) => userId),
  ...decisions.map(({ approverId }) => approverId),
];

/** The decision of one approver. Each approver decides once. */
export interface ApproverDecision {
  readonly approverId: string;
  readonly approverName: string;
  readonly verdict: "approved" | "denied";
  /** The reason for a denial, or a comment on an approval. */
  readonly note: string | null;
  readonly at: number;
}

/** A direct message about a change to somebody with an address of the altered account. */
export interface Notice {
  readonly userId: string;
  readonly name: string;
  /** Sent when the change was asked for, or when it was made. */
  readonly about: "asked" | "made";
  /** Whether they are its owner; else they have a later address of it. */
  readonly isOwner: boolean;
  readonly at: number;
}

export type NewNotice = Omit<Notice, "at">;

/** Curfew's own operations. They do not call the service, so their changes are recorded when they are done. */
export const ownOperations = ["SaveResourceGroup", "DeleteResourceGroup"] as const;
/** How the outcome of a change became known that was unknown. */
export interface Verification {
  /** Curfew read it in the service, or repeated the request; or somebody looked in the service. */
  readonly how: "read" | "repeated" | "seen";
  /** Null where Curfew did it by itself. */
  readonly by: { readonly userId: string; readonly name: string } | null;
}

export interface Change {
  readonly id: string;
  /** Recognizes a repeat of the same Slack delivery. */
  readonly idempotencyKey: string;
  readonly words: string;
  readonly operation: ChangeOperation | (typeof ownOperations)[number];
  readonly state: ChangeState;
  readonly input: Input;
  readonly request: object;
  /** The last known answer about the subject before the change. */
  readonly before: EntityBody<EntityKind> | null;
  readonly answer: unknown;
  readonly subjectKind: EntityKind;
  readonly subjectId: string | null;
  readonly actor: Pick<Actor, "teamId" | "userId" | "name" | "timeZone">;
  readonly channelId: string | null;
  /** The thread in which it was asked for. */
  readonly askedIn?: Thread | undefined;
  readonly reason: string | null;
  /** The id of the change that this one undoes. */
  readonly undoes: string | null;
  /** The role and the rule of the config that allowed it. */
  readonly role: string;
  readonly rule: string;
  /** Null if the change needs no approval. */
  readonly approval: Approval | null;
  /** In the order they were made. */
  readonly decisions: readonly ApproverDecision[];
  /** Who was notified of a change of their account, in the order of time. */
  readonly notices: readonly Notice[];
  /** Why it failed, is unknown or expired; for an approved change, why its last try did not reach the service. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly note: string | null;
  /** Null unless its outcome was unknown and was found out. */
  readonly verified: Verification | null;
  readonly requestedAt: number;
  readonly settledAt: number | null;
  /** The step of a workflow that waits for it. */
  readonly executionId?: string | undefined;
  /** The series that it is a step of. */
  readonly parentId?: string | undefined;
  /** The steps of a series that were begun, with every try, in their order. */
  readonly children?: readonly Change[] | undefined;
}

/** The error code of an approved change whose requester is no longer permitted to make it. */
export const notAllowedNow = "NotAllowedNow";
/** Of one that the service or the config would refuse. */
export const notPossibleNow = "NotPossibleNow";
/** Of one that too few people could approve by now. */
export const nobodyCanApprove = "NobodyCanApprove";

/** Whether the same may be asked for again with success, as far as is known. */
export const canBeAskedAgain = ({ error }: Pick<Change, "error">): boolean =>
  ![notAllowedNow, notPossibleNow, nobodyCanApprove].some((code) => code === error?.code);

/** A change of the service. Only such changes wait for approval or are performed. */
export type ServiceChange = Change & { readonly operation: ChangeOperation };

export function isServiceChange(change: Change): change is ServiceChange {
  const own: readonly string[] = ownOperations;
  return !own.includes(change.operation);
}

/** Whether its operation has this effect in the service. */
export const hasEffect = (change: Change, effect: "create" | "delete"): boolean =>
  isServiceChange(change) && operations[change.operation].effect === effect;

/** Whether it creates an entity. The id of that entity is first known from the answer. */
export const isCreation = (change: Change): boolean => hasEffect(change, "create");

/** Whether it deletes an entity. One that was done in part leaves the rest. */
export const isRemoval = (change: Change): boolean => hasEffect(change, "delete") && change.state !== "partly";

const open: readonly ChangeState[] = ["awaiting-approval", "planned", "approved", "performing"];

/** Whether the state is final. */
export function isOver(state: ChangeState): boolean {
  return !open.includes(state);
}

/** A transition from one of these states to another. The error is stored with it; a final state also sets `settledAt`. */
export interface Move {
  readonly from: readonly ChangeState[];
  readonly to: ChangeState;
  readonly at: number;
  readonly error?: Change["error"];
  /** An addition to the state: who withdrew it, if that was not its requester. Null removes the one before. */
  readonly note?: string | null | undefined;
}

/** The outcome of a performed change. */
export interface Settlement {
  readonly state: SettledState;
  readonly answer: unknown;
  readonly subjectId: string | null;
  /** The service does not know the subject, or no longer. */
  readonly isSubjectGone: boolean;
  /** The call certainly did not reach the service, because it is down or busy. A retry may succeed. */
  readonly isUnreached?: boolean;
  readonly error: Change["error"];
  readonly note: string | null;
  readonly verified?: Verification;
  readonly settledAt: number;
}

/** The change in the form that its command's `describe` takes. */
export function occurrenceOf(change: Change): AnyOccurrence {
  const { request, before, answer, requestedAt, input } = change;
  return {
    ...{ request, before: before ?? undefined, after: answer ?? undefined, at: requestedAt },
    startsAt: plannedStart(input),
  };
}

/** Without letters and digits that look alike. */
const idAlphabet = "23456789abcdefghjkmnpqrstuvwxyz";
const idLength = 9;

/** Short enough to type; more than 40 random bits make a collision unlikely. */
export function newChangeId(): string {
  return `chg-${[...randomBytes(idLength)].map((byte) => idAlphabet[byte % idAlphabet.length]).join("")}`;
}

/** An exclusion that was not ended, after its changes. */
interface LastingExclusion {
  /** In epoch ms; may be in the past. */
  readonly endsAt: number;
  /** If false, the exclusion still exists but prevents no run. */
  readonly isEnabled: boolean;
}

/**
 * The exclusion after its succeeded changes, oldest first; undefined if one ended it or they are about another kind of
 * entity.
 */
export function whenExclusionEnds(changes: readonly Change[]): LastingExclusion | undefined {
  const last = changes.at(-1);
  if (last?.subjectKind !== "exclusion" || changes.some(isRemoval)) return undefined;
  // When the answer could not be read, the request counts.
  const [answered, asked] = [endIn(last.answer), endIn(last.request)];
  const endsAt = instant(answered?.expiryDate) ?? instant(asked?.expiryDate);
  return endsAt === undefined ? undefined : { endsAt, isEnabled: answered?.isEnabled ?? asked?.isEnabled ?? true };
}

/** The end that a change gave its exclusion; undefined if it did not move the end. */
export function endSetBy(change: Change): number | undefined {
  const { endsAt } = whenExclusionEnds([change]) ?? {};
  return isSameMoment(endsAt, endBefore(change)) ? undefined : endsAt;
}

/** The end that its exclusion had before a change. */
export const endBefore = ({ before }: Pick<Change, "before">): number | undefined => instant(endIn(before)?.expiryDate);

/** Whether a change moved the end to an earlier moment. */
export function isShortened(change: Change): boolean {
  const former = endBefore(change);
  const end = endSetBy(change);
  return former !== undefined && end !== undefined && end < former;
}

/** The exclusion, if it still has the end that this change set; undefined if another change moved or ended it since. */
export function stillEndsBy(changeId: string, changes: readonly Change[]): LastingExclusion | undefined {
  const last = changes.findLast((change) => endSetBy(change) !== undefined);
  return last?.id === changeId ? whenExclusionEnds(changes) : undefined;
}

const endFields = ActionExclusion.pick({ expiryDate: true, isEnabled: true });
const endIn = (body: unknown) => endFields.safeParse(body).data;

/** They stand for the names and addresses of somebody who was forgotten, and for what that one wrote. */
export const forgottenPerson = "a forgotten person";
export const forgottenText = "(forgotten)";
