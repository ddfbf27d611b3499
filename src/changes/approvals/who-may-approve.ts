import { isProblem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { PlacedDirectory } from "../../directory/directory.ts";
import type { Named, NeededApproval } from "../../permissions/account-care.ts";
import { type Actor, isSameAddress, isSamePerson } from "../../permissions/actor.ts";
import { approvalFor, approverRoles, mayApprove, othersNamed } from "../../permissions/approval-rules.ts";
import { decide, whoCould } from "../../permissions/decide.ts";
import { asLongAs } from "../../permissions/held-time.ts";
import { channelsHeld, type Policy } from "../../permissions/policy.ts";
import { browseOperation } from "../../service/operations.ts";
import { shortMoment } from "../../time/format-moment.ts";
import { accountAddresses, addressIn, isOfAccount, ownerAmong } from "../account-owner.ts";
import { approvalOf, type Denied, hoursAdded, judge, targetsOf } from "../authorize/decide-change.ts";
import {
  approverRolesOf,
  type Change,
  isAskedFor,
  isServiceChange,
  occurrenceOf,
  type ServiceChange,
} from "../change.ts";
import type { ExclusionRecords } from "../hours/kept-running.ts";
import type { ChangePorts, ChangeStore, Pipeline } from "../ports.ts";
import { commandOfStep } from "../steps/authorize-steps.ts";
import { isInParts } from "../steps/parts.ts";
import { isSeries, planOf } from "../steps/series.ts";

type ApproverPorts = Pick<ChangePorts, "actorOf" | "settings" | "directory" | "log" | "withEmail"> & {
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
async function isOfOwnAccount(
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

/**
 * Why this actor, who is asked to allow a change, may not allow it: they may not do it themselves, exactly as it was asked for.
 * Undefined if they may, in some channel, and for a change that its requester may make. Throws if that cannot be read.
 */
async function whyNoOwnRight(
  { settings, directory, store }: Pick<Pipeline, "settings" | "directory"> & { readonly store: ExclusionRecords },
  change: Change,
  actor: Actor,
): Promise<Denied | undefined> {
  if (!isAskedFor(change) || !isServiceChange(change)) return undefined;
  const { policy } = settings();
  const { operation, channelId, subjectKind, subjectId, requestedAt } = change;
  const command = commandOf(change.words);
  if (command?.kind !== "change") throw new Error(`Curfew has no command “${change.words}” any more.`);
  const targets = await targetsOf(command, change, directory);
  const subject = subjectId === null ? undefined : await directory.get(subjectKind, subjectId);
  const counted = { command, occurrence: occurrenceOf(change), subject, targets };
  const asked = { actor, operation, channelId, now: requestedAt, settings: settings() };
  const hours = await hoursAdded(policy, store, counted, asked);
  const ask = { actor, operation, isOwn: subject?.ownerId === actor.userId, hours };
  const found = [channelId, ...channelsHeld(policy, actor)].map((channel) =>
    judge(policy, targets, { ...ask, channelId: channel }),
  );
  const [first] = found;
  // A contradiction about its resources is no matter of rights, and is found again before it is performed.
  const isAllowed = found.some((each) => isProblem(each) || each.kind === "allowed");
  return isAllowed || !first || isProblem(first) || first.kind !== "denied" ? undefined : first;
}

/**
 * Whether the present config asks for an approval of this change by any requester. If its targets cannot be read,
 * it still needs the approval: one such change must not make a whole list fail.
 */
export async function needsApprovalStill(
  policy: Policy,
  change: Change,
  directory: PlacedDirectory,
  actor: Actor,
): Promise<boolean> {
  if (!isServiceChange(change)) return false;
  const { operation, channelId, approval } = change;
  // Whether its requester may still ask is looked at before it is performed.
  if (isAskedFor(change)) return policy.roles.some(({ mayAsk }) => mayAsk?.operations.has(operation));
  const held = approval?.heldMs === undefined ? [] : [asLongAs(approval.heldMs)];
  const ask = { actor, operation, channelId, held };
  if (isSeries(change) && !isInParts(change)) {
    const operations = planOf(change).steps.map((step) => commandOfStep(step).operation);
    return operations.some((each) => approvalFor(policy, { ...ask, operation: each }) !== undefined);
  }
  const command = commandOf(change.words);
  if (command?.kind !== "change") return approvalFor(policy, ask) !== undefined;
  const occurrence = occurrenceOf(change);
  const targets = await targetsOf(command, change, directory).catch(() => undefined);
  if (!targets || approvalOf(policy, command, occurrence, targets, ask) !== undefined) return true;
  // The cooling-off may have ended since, and whose account it is was looked at when it was asked for.
  return change.subjectKind === "user" && (approval?.because ?? []).length > 0 && policy.identity !== undefined;
}

type Ports = ApproverPorts & Pick<ChangePorts, "people" | "now">;

/** Larger roles have somebody. */
const maxLookedAt = 50;
const atATime = 5;

/**
 * Why a new request would wait for approvals that too few people could give. Asks Slack who has the roles. Undefined where enough could,
 * and where Slack does not say: approvers are checked again when they approve.
 */
export async function whyTooFew(
  ports: Ports,
  change: ServiceChange,
  needed: NeededApproval,
  requester: Actor,
): Promise<Denied | undefined> {
  const looked = await lookAtApprovers(ports, change, needed.count).catch((error: unknown) => {
    ports.log.warn({ err: error }, "could not look who may approve a change; it is looked at when they approve");
    return "enough" as const;
  });
  return looked === "enough" ? undefined : refusal(ports, change, needed, requester, looked);
}

interface Looked {
  readonly could: readonly Actor[];
  readonly others: readonly Actor[];
}

async function lookAtApprovers(ports: Ports, change: ServiceChange, count: number): Promise<Looked | "enough"> {
  const members = (change.approval?.approvers ?? []).flatMap((holder) => holder.members);
  const ids = [...new Set((await Promise.all(members.map(ports.people.idsIn))).flat())];
  const could: Actor[] = [];
  const others: Actor[] = [];
  for (let index = 0; index < ids.length; index += atATime) {
    if (index >= maxLookedAt) return "enough";
    const people = await Promise.all(ids.slice(index, index + atATime).map((id) => ports.people.find(id)));
    for (const actor of people.flatMap((each) => each ?? [])) {
      if (await whyNotApprover(ports, change, actor, "approved")) others.push(actor);
      else if (!could.some((other) => isSamePerson(other, actor))) could.push(actor);
      if (could.length >= count) return "enough";
    }
  }
  return { could, others };
}

async function refusal(
  ports: Ports,
  change: ServiceChange,
  { rule, approvers, count, because = [], coolsOffAt, except = [] }: NeededApproval,
  requester: Actor,
  { could, others }: Looked,
): Promise<Denied> {
  const { now } = ports;
  const isOwn = await isOfOwnAccount(ports, change, requester);
  const whyNot = async (actor: Actor): Promise<string> => {
    if (isSamePerson(actor, requester))
      return isOwn ? "It is your own account." : "You can't approve what you ask for.";
    if (await isOfOwnAccount(ports, change, actor)) return `${actor.name} can't approve a change of their own account.`;
    const isLeftOut = except.some(({ userId }) => userId === actor.userId);
    return isLeftOut
      ? `${actor.name} asked for or approved the other change.`
      : `${actor.name} can't approve it at present.`;
  };
  const roles = approvers.map((role) => `“${role}”`).join(" or ");
  const couldDo = mayApproveForOthers(others, requester, except) && !isOwn && could.length + 1 >= count;
  const { operation, channelId } = change;
  const command = commandOf(change.words);
  const target =
    couldDo && command?.kind === "change" ? (await targetsOf(command, change, ports.directory)).own[0] : {};
  const { policy } = ports.settings();
  const whom = couldDo ? whoCould(policy, { actor: requester, operation, channelId, ...target }) : [];
  const parts = [
    `This needs ${count === 1 ? "the approval" : `${count} approvals`} of ${roles}, and ${howMany(could)}.`,
    ...new Set(await Promise.all(others.slice(0, shownPeople).map(whyNot))),
    ...because,
    ...(coolsOffAt === undefined ? [] : [`Wait until ${shortMoment(coolsOffAt, requester.timeZone, now())}.`]),
    ...(whom.length > 0 ? ["Somebody else can ask for it, and you approve it."] : []),
    `Or ask the people who run Curfew for more approvers. They can give ${roles} to others, or change what needs an approval.`,
  ];
  return { kind: "denied", reason: parts.join(" "), rule, couldDo: whom, isToAsk: true };
}

const shownPeople = 3;

/** Whether the requester would be an approver, had somebody else asked for it. */
const mayApproveForOthers = (others: readonly Actor[], requester: Actor, except: NeededApproval["except"]): boolean =>
  others.some(({ userId }) => userId === requester.userId) &&
  !except?.some(({ userId }) => userId === requester.userId);

const howMany = (could: readonly Actor[]): string =>
  could.length === 0 ? "nobody could give it" : `only ${could.map(({ name }) => name).join(" and ")} could give one`;
