import type { Account } from "../account.ts";
import { seedActions } from "./seed-actions.ts";
import { seedCredentials } from "./seed-credentials.ts";
import { seedExclusions } from "./seed-exclusions.ts";
import { managedPolicies, seedProjects, seedUsers } from "./seed-people.ts";
import { seedPlans, seedSelectors } from "./seed-plans.ts";

/** A believable account of a small company; dates that should be near are reckoned from `nowMs`. */
export function createSeedAccount(nowMs: number): Account {
  const { current, earlier } = seedActions(nowMs);
  // Cloned, so that what is done to one account is not seen in the next.
  return structuredClone({
    apiUserId: "u-00000002",
    projects: byId(seedProjects(), (project) => project.projectId),
    users: byId(seedUsers(nowMs), (user) => user.userId),
    managedPolicies: byId(Object.values(managedPolicies), (policy) => policy.managedPolicyId),
    credentials: byId(seedCredentials(), (credential) => credential.credentialId),
    plans: byId(seedPlans(), (plan) => plan.planId),
    selectors: byId(seedSelectors(), (selector) => selector.selectorId),
    exclusions: byId(seedExclusions(nowMs), (exclusion) => exclusion.actionExclusionId),
    actions: byId(current, (action) => action.actionId),
    earlierActionVersions: byId(earlier, (action) => action.actionVersionId),
  });
}

function byId<T>(things: readonly T[], id: (thing: T) => string): Map<string, T> {
  return new Map(things.map((thing) => [id(thing), thing]));
}
