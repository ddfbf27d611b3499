import type { Named } from "../../permissions/account-care.ts";
import type { Actor } from "../../permissions/actor.ts";
import { approverRoles, mayApprove, othersNamed } from "../../permissions/approval-rules.ts";
import { decide } from "../../permissions/decide.ts";
import type { Policy } from "../../permissions/policy.ts";
import { isSameAddress, isSamePerson } from "../../permissions/same-person.ts";
import { browseOperation } from "../../service/operations.ts";
import { accountAddresses, addressIn, isOfAccount, ownerAmong } from "../account-owner.ts";
import type { Denied } from "../authorize/decide-change.ts";
import { approverRolesOf, type Change } from "../change.ts";
import type { ExclusionRecords } from "../hours/kept-running.ts";
import type { ChangePorts, ChangeStore, Pipeline } from "../ports.ts";
import { needsApprovalStill } from "./needs-approval-still.ts";
import { whyNoOwnRight } from "./own-right.ts";

export type ApproverPorts = Pick<ChangePorts, "actorOf" | "settings" | "directory" | "log" | "withEmail"> & {
  readonly store: Pick<ChangeStore, "list"> & ExclusionRecords;
};

/** Fails closed: refuses anybody who does not certainly hold one of the roles, and shows them only who could decide. */
export async function whyNotApprover(
  pipeline: ApproverPorts,
  change: Change | undefined,
  actor: Actor,
  verdict: "approved" | "denied",
): Promise<Denied | undefined> {
  const { settings, directory } = pipeline;
  const { policy } = settings();
  if (actor.membership !== "member") return notAMember(policy, actor);
  const roles = change?.approval ? approverRolesOf(change.approval) : approverRoles(policy);
  const isApprover = mayApprove(policy, actor, roles);
  // Denying does no harm, so the owner of the account needs no role for it.
  if (
    !isApprover &&
    change &&
    change.actor.userId !== actor.userId &&
    verdict === "denied" &&
    (await isAccountOwner(pipeline, change, actor))
  )
    return undefined;
  const couldDo = othersNamed(policy, roles, ...leftOut(change), actor.userId);
  const rule = change?.approval?.rule ?? "default deny";
  if (change?.actor.userId === actor.userId) {
    const reason = "You asked for this yourself, so you can't decide on it. You can withdraw it.";
    return { kind: "denied", reason, rule, couldDo };
  }
  if (!isApprover) {
    const needed = `it takes ${roles.join(" or ") || "an approver"}`;
    const reason = `${actor.name} holds no role that could decide this: ${needed}.`;
    return { kind: "denied", reason, toActor: `You can't decide this: ${needed}.`, rule, couldDo };
  }
  if (verdict === "approved" && change && (await isOfOwnAccount(pipeline, change, actor))) {
    const reason = `This is about your own account, so somebody else must approve it. Not expected? Type “deny ${change.id}” with a reason.`;
    return { kind: "denied", reason, rule, couldDo };
  }
  if (change?.state !== "awaiting-approval") return undefined;
  const notAnother = verdict === "approved" ? await whyNotAnother(pipeline, change, actor) : undefined;
  if (notAnother !== undefined) return { kind: "denied", reason: notAnother, rule, couldDo };
  const noRight = verdict === "approved" ? await whyNoOwnRight(pipeline, change, actor) : undefined;
  if (noRight) {
    const { toActor = noRight.reason } = noRight;
    const reason = `You can only allow what you may do yourself. ${toActor} Ask somebody who may.`;
    return { kind: "denied", reason, rule: noRight.rule, couldDo };
  }
  if (await needsApprovalStill(policy, change, directory, actor)) return undefined;
  // No present rule asks for this approval, so it must be requested again by the present rules.
  const reason = `Curfew's rules no longer ask for an approval of this, so nobody decides on it; ${change.actor.name} can withdraw it and ask again.`;
  return { kind: "denied", reason, rule, couldDo: [] };
}

/** Its requester, and who asked for or approved the other change of the same account. */
const leftOut = (change: Change | undefined): readonly string[] =>
  change ? [change.actor.userId, ...(change.approval?.except ?? []).map(({ userId }) => userId)] : [];

/** A guest or a stranger is refused every operation, so any operation gives the reason. */
export function notAMember(policy: Policy, actor: Actor): Denied {
  const decision = decide(policy, { actor, operation: browseOperation, channelId: null });
  if (decision.kind === "denied") return decision;
  throw new Error(`${actor.userId} is no member, and is allowed something`);
}

/**
 * The reason why the approvals no longer suffice. Approvals of people who lost the role do not count, nor those of people who lost the
 * right that they were asked to allow, and those of one person count once. Throws if Slack cannot say who somebody is.
 */
export async function whyNotApproved(
  pipeline: Pick<ApproverPorts, "actorOf" | "settings" | "directory" | "store">,
  change: Change,
  except: readonly Named[] = [],
): Promise<string | undefined> {
  const { actorOf, settings } = pipeline;
  const { approval, decisions, actor } = change;
  if (!approval) return undefined;
  const roles = approverRolesOf(approval);
  const left = await Promise.all([...(approval.except ?? []), ...except].map(({ userId }) => actorOf(userId)));
  const counted: Actor[] = [await actorOf(actor.userId)];
  const reasons: string[] = [];
  for (const { approverId, approverName } of decisions) {
    const approver = await actorOf(approverId);
    const isAmong = (people: readonly Actor[]) => people.some((other) => isSamePerson(other, approver));
    if (isAmong(counted))
      reasons.push(`${approverName} has the same e-mail address as somebody who asked or approved.`);
    else if (isAmong(left)) reasons.push(`${approverName} asked for or approved the other change of this account.`);
    else if (await isOfOwnAccount(pipeline, change, approver))
      reasons.push(`It is about the account of ${approverName} by now.`);
    else if (!mayApprove(settings().policy, approver, roles))
      reasons.push(`${approverName} may not approve it any more: it takes ${roles.join(" or ")}.`);
    else if (await whyNoOwnRight(pipeline, change, approver))
      reasons.push(`${approverName} may no longer do it, and so can't allow it.`);
    else counted.push(approver);
  }
  return counted.length - 1 >= approval.count ? undefined : reasons.join(" ");
}

/** Whether this person had the altered account before others altered it, as far as Curfew and Slack know. */
export async function isAccountOwner(
  { store, withEmail }: Pick<ApproverPorts, "withEmail"> & { readonly store: Pick<ChangeStore, "list"> },
  change: Change,
  actor: Actor,
): Promise<boolean> {
  if (!isOfAccount(change)) return false;
  const { all } = await accountAddresses(change, store);
  return (await ownerAmong(all, withEmail))?.person.userId === actor.userId;
}

/**
 * Whether a change is about the account with the actor's e-mail address: as the address was in the last 30 days, as it is now, or
 * as it will be. All count, since remembered values may be outdated.
 */
export async function isOfOwnAccount(
  { directory, store }: Pick<ApproverPorts, "directory" | "store">,
  change: Change,
  { email }: Actor,
): Promise<boolean> {
  if (!isOfAccount(change)) return false;
  const known = await directory.get("user", change.subjectId);
  const { all } = await accountAddresses(change, store);
  return [...all, addressIn(known?.body), addressIn(change.request)].some((address) => isSameAddress(address, email));
}

/**
 * The reason why this actor counts as the requester or as an earlier approver; undefined if they do not. Asks Slack about
 * those people.
 */
async function whyNotAnother(
  { actorOf, log }: Pick<Pipeline, "actorOf" | "log">,
  { actor: requester, decisions, approval }: Change,
  actor: Actor,
): Promise<string | undefined> {
  try {
    for (const { userId, name } of approval?.except ?? [])
      if (isSamePerson(await actorOf(userId), actor))
        return `${userId === actor.userId ? "You" : `You have the same e-mail address as ${name}, who`} asked for or approved the other change of this account, so somebody else must approve this one; you can deny it.`;
    if (isSamePerson(await actorOf(requester.userId), actor))
      return `You have the same e-mail address as ${requester.name}, who asked for this, so it would be your own approval; somebody else must give it.`;
    for (const { approverId, approverName } of decisions.filter((each) => each.approverId !== actor.userId))
      if (isSamePerson(await actorOf(approverId), actor))
        return `You have the same e-mail address as ${approverName}, who approved this. Each person counts once.`;
    return undefined;
  } catch (error) {
    // It is checked again before the change is performed, and then must succeed.
    log.warn(
      { err: error },
      "Slack did not say who asked for a change or approved it; that is looked at before it is performed",
    );
    return undefined;
  }
}
