import { z } from "zod";
import type { PlacedDirectory } from "../../directory/directory.ts";
import type { Actor } from "../../permissions/actor.ts";
import { mayApprove } from "../../permissions/approval-rules.ts";
import { type Operation, operations } from "../../service/operations.ts";
import { approverRolesOf, type Change, isServiceChange } from "../change.ts";
import type { Pipeline } from "../ports.ts";

/** Two accounts with the same e-mail address are one person. Accounts without an address cannot be compared. */
function isSamePerson(one: Actor, other: Actor): boolean {
  return one.userId === other.userId || isSameAddress(one.email, other.email);
}

type Address = string | null | undefined;

function isSameAddress(one: Address, other: Address): boolean {
  const [address, others] = [one, other].map((each) => each?.trim().toLowerCase());
  return address !== undefined && address === others;
}

const withAddress = z.object({ emailAddress: z.string().nullish() });

/**
 * Whether a change is about the account with the actor's e-mail address: as the address was when the change was asked for,
 * as it is now, or as it will be. All count, since remembered values may be outdated.
 */
export async function isOfOwnAccount(
  directory: Pick<PlacedDirectory, "get">,
  change: Change,
  { email }: Actor,
): Promise<boolean> {
  const operation: Operation | undefined = isServiceChange(change) ? operations[change.operation] : undefined;
  if (!operation?.altersAccount || change.subjectId === null) return false;
  const known = await directory.get("user", change.subjectId);
  return [change.before, known?.body, change.request].some((body) =>
    isSameAddress(withAddress.safeParse(body).data?.emailAddress, email),
  );
}

/**
 * The reason why this actor counts as the requester or as an earlier approver; undefined if they do not. Asks Slack about
 * those people.
 */
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
    // It is checked again before the change is performed, and then must succeed.
    log.warn(
      { err: error },
      "Slack did not say who asked for a change or approved it; that is looked at before it is performed",
    );
    return undefined;
  }
}

/**
 * The reason why the approvals no longer suffice. Approvals of people who lost the role do not count, and those of one
 * person count once. Throws if Slack cannot say who somebody is.
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
