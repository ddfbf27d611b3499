import type { Entity } from "../../directory/directory.ts";
import { type AccountFacts, actsOf, type EarlierChange } from "../../permissions/account-care.ts";
import { actOf, whoCould } from "../../permissions/decide.ts";
import type { PermissionRequest } from "../../permissions/permission-request.ts";
import type { Policy } from "../../permissions/policy.ts";
import { isSameAddress } from "../../permissions/same-person.ts";
import { addressIn } from "../account-owner.ts";

/** What is known of the account of a service user before a change. */
export interface AccountPast {
  /** What was done to it. */
  earlierOf(userId: string): Promise<readonly EarlierChange[]>;
  /** The addresses that it had lately. */
  addressesOf(userId: string): Promise<readonly string[]>;
}

/** What is known of the account that a request alters; undefined for one that alters none. */
export async function accountFacts(
  request: object,
  account: Entity | undefined,
  { actor, operation }: PermissionRequest,
  now: number,
  past: AccountPast | undefined,
): Promise<AccountFacts | undefined> {
  const acts = actsOf(operation, request);
  if (acts.length === 0) return undefined;
  const id = "id" in request && typeof request.id === "string" ? request.id : undefined;
  const [former, earlier] =
    past && id !== undefined ? await Promise.all([past.addressesOf(id), past.earlierOf(id)]) : [[], []];
  const isOwn = [addressIn(account?.body), ...former].some((address) => isSameAddress(address, actor.email));
  return { acts, isOwn, earlier, now };
}

/** Why somebody may not do to their own account what they may do to others, where the config names no approvers. */
export function notAlone(policy: Policy, ask: PermissionRequest) {
  const { actor, operation } = ask;
  return {
    reason: `${actor.name} can't ${actOf(operation)} on their own account alone: they could not undo it.`,
    toActor:
      "You can't do this to your own account alone: you could not undo it. Ask somebody else to do it. Or ask the people who run Curfew to name approvers (“identity”).",
    rule: "identity",
    couldDo: whoCould(policy, ask),
  };
}
