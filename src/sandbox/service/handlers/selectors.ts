import type { Account, Selector } from "../account.ts";
import { ApiError, findOrThrow, notFound } from "../api-error.ts";
import type { Handler, Handlers } from "../handler.ts";
import { modified } from "../handler.ts";

const getManagedServicesSelector: Handler<"GetManagedServicesSelector"> = (input, { account }) =>
  selectorOfPlan(account, input, input.isIncludeDeleted);

/** Replaces the whole selector: a field that is not sent is unset, and a missing `selectorCode` is generated. */
const modifyManagedServicesSelector: Handler<"ModifyManagedServicesSelector"> = (input, context) => {
  const { account } = context;
  const selector = selectorOfPlan(account, input, false);
  for (const credentialId of input.credentialIds) findOrThrow(account.credentials, "Credential", credentialId);
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

function selectorOfPlan(account: Account, ids: { planId: string; selectorId: string }, includeDeleted: boolean) {
  const plan = findOrThrow(account.plans, "Plan", ids.planId);
  const selector = findOrThrow(account.selectors, "Selector", ids.selectorId);
  const isHidden = selector.state === "deleted" && !includeDeleted;
  if (selector.planId !== plan.planId || isHidden) throw notFound("Selector", ids.selectorId);
  return selector;
}

function requireUnusedCode(account: Account, code: string, selectorId: string): void {
  const other = [...account.selectors.values()].find((selector) => selector.selectorCode === code);
  if (other !== undefined && other.selectorId !== selectorId) {
    throw new ApiError(400, "SelectorCodeInUse", `The selector code ${code} is already used by another selector.`);
  }
}

export const selectorHandlers = {
  ModifyManagedServicesSelector: modifyManagedServicesSelector,
  GetManagedServicesSelector: getManagedServicesSelector,
} satisfies Partial<Handlers>;
