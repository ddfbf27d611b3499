import type { Account } from "../account.ts";
import { seedActions } from "./seed-actions.ts";
import { seedCredentials } from "./seed-credentials.ts";
import { seedExclusions } from "./seed-exclusions.ts";
import { managedPolicies, seedProjects, seedUsers } from "./seed-people.ts";
import { seedPlans, seedSelectors } from "./seed-plans.ts";

/** A realistic account of a small company. Dates that must be recent are relative to `nowMs`. */
export function createSeedAccount(nowMs: number): Account {
  const { current, earlier } = seedActions(nowMs);
  // Cloned, so that a change to one account does not show in the next.
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

function byId<T>(items: readonly T[], id: (item: T) => string): Map<string, T> {
  return new Map(items.map((item) => [id(item), item]));
}
