import type { Actor } from "../../permissions/actor.ts";
import { mayApprove } from "../../permissions/approval.ts";
import { approverRolesOf, type Change } from "../change.ts";
import type { Pipeline } from "../changes.ts";

/** Two accounts with the same address are one person. Where an address is not known, nothing tells so. */
function isSamePerson(one: Actor, other: Actor): boolean {
  const [address, others] = [one, other].map(({ email }) => email?.trim().toLowerCase());
  return one.userId === other.userId || (address !== undefined && address === others);
}

/** Why the approval of this actor would not be another person's; undefined when it is. Asks Slack about who asked and who approved before. */
export async function whyNotAnother(
  { actorOf, log }: Pick<Pipeline, "actorOf" | "log">,
  { actor: requester, decisions }: Change,
  actor: Actor,
): Promise<string | undefined> {
  try {
    if (isSamePerson(await actorOf(requester.userId), actor))
      return `You have the same e-mail address as ${requester.name}, who asked for this, so it would be your own approval; somebody else must give it.`;
    for (const { approverId, approverName } of decisions.filter((each) => each.approverId !== actor.userId))
      if (isSamePerson(await actorOf(approverId), actor))
        return `You have the same e-mail address as ${approverName}, who has approved this already, and each person counts once.`;
    return undefined;
  } catch (error) {
    // It is looked at once more before anything is performed, and nothing is as long as Slack does not say.
    log.warn(
      { err: error },
      "Slack did not say who asked for a change or approved it; that is looked at before it is performed",
    );
    return undefined;
  }
}

/**
 * Why the approvals that were given are not enough any more: those of people who have lost the role since do not count, and those of
 * one person count once. Throws when Slack cannot say who somebody is.
 */
export async function whyNotApproved(
  { actorOf, settings }: Pick<Pipeline, "actorOf" | "settings">,
  { approval, decisions, actor }: Change,
): Promise<string | undefined> {
  if (!approval) return undefined;
  const roles = approverRolesOf(approval);
  const counted: Actor[] = [await actorOf(actor.userId)];
  const reasons: string[] = [];
  for (const { approverId, approverName } of decisions) {
    const approver = await actorOf(approverId);
    const same = counted.some((other) => isSamePerson(other, approver));
    if (same) reasons.push(`${approverName} has the e-mail address of somebody else who asked for it or approved it.`);
    else if (!mayApprove(settings().policy, approver, roles))
      reasons.push(`${approverName} may not approve it any more: it takes ${roles.join(" or ")}.`);
    else counted.push(approver);
  }
  return counted.length - 1 >= approval.count ? undefined : reasons.join(" ");
}
