import type { Account, Selector } from "../account.ts";
import type { Handler } from "../handler.ts";
import { modified } from "../modified.ts";
import { found, notFound, Refusal } from "../refusal.ts";

export const getManagedServicesSelector: Handler<"GetManagedServicesSelector"> = (input, { account }) =>
  selectorOfPlan(account, input, input.isIncludeDeleted);

/** The whole selector is replaced: what is not sent becomes unset, and a missing `selectorCode` is generated anew. */
export const modifyManagedServicesSelector: Handler<"ModifyManagedServicesSelector"> = (input, context) => {
  const { account } = context;
  const selector = selectorOfPlan(account, input, false);
  for (const credentialId of input.credentialIds) found(account.credentials, "Credential", credentialId);
  if (input.selectorCode !== undefined) requireUnusedCode(account, input.selectorCode, selector.selectorId);
  const changed: Selector = {
    ...selector,
    name: input.name,
    credentialIds: input.credentialIds,
    resourceType: input.resourceType,
    regionNames: input.regionNames?.length ? input.regionNames : null,
    resourceIds: input.resourceIds ?? [],
    resourceIdComparisons: input.resourceIdComparisons ?? [],
    resourceTagComparisons: input.resourceTagComparisons ?? [],
    groupIdComparisons: input.groupIdComparisons ?? [],
    selectorCode: input.selectorCode ?? context.newId("sc"),
    ...modified(context),
  };
  account.selectors.set(changed.selectorId, changed);
  return changed;
};

function selectorOfPlan(account: Account, ids: { planId: string; selectorId: string }, isDeletedWanted: boolean) {
  const plan = found(account.plans, "Plan", ids.planId);
  const selector = found(account.selectors, "Selector", ids.selectorId);
  const isHidden = selector.state === "deleted" && !isDeletedWanted;
  if (selector.planId !== plan.planId || isHidden) throw notFound("Selector", ids.selectorId);
  return selector;
}

function requireUnusedCode(account: Account, code: string, selectorId: string): void {
  const other = [...account.selectors.values()].find((selector) => selector.selectorCode === code);
  if (other !== undefined && other.selectorId !== selectorId) {
    throw new Refusal(400, "SelectorCodeInUse", `The selector code ${code} is already used by another selector.`);
  }
}
