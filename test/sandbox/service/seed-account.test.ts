import { describe, expect, test } from "vitest";
import { createSeedAccount } from "../../../src/sandbox/service/seed-account.ts";
import {
  Action,
  ActionExclusion,
  Credential,
  cloudProviderSubTypes,
  ManagedPolicy,
  Plan,
  Project,
  resourceTypes,
  Selector,
  User,
} from "../../../src/service/resources.ts";
import { ianaZone } from "../../../src/time/zone.ts";
import { friday } from "./start-service.ts";

const account = createSeedAccount(friday);
const versions = [...account.actions.values(), ...account.earlierActionVersions.values()];

describe("the seeded account", () => {
  test("has two projects, six users, three credentials and forty actions", () => {
    expect(account.projects.size).toBe(2);
    expect(account.users.size).toBe(6);
    expect(account.credentials.size).toBe(3);
    expect(account.actions.size).toBe(40);
    expect(account.plans.size).toBe(3);
    expect(account.selectors.size).toBe(7);
    expect(account.exclusions.size).toBe(3);
    expect(account.managedPolicies.size).toBe(4);
  });

  test("is keyed by unique ids", () => {
    const ids = [
      ...[...account.projects].map(([key, { projectId }]) => [key, projectId]),
      ...[...account.users].map(([key, { userId }]) => [key, userId]),
      ...[...account.managedPolicies].map(([key, { managedPolicyId }]) => [key, managedPolicyId]),
      ...[...account.credentials].map(([key, { credentialId }]) => [key, credentialId]),
      ...[...account.plans].map(([key, { planId }]) => [key, planId]),
      ...[...account.selectors].map(([key, { selectorId }]) => [key, selectorId]),
      ...[...account.exclusions].map(([key, { actionExclusionId }]) => [key, actionExclusionId]),
      ...[...account.actions].map(([key, { actionId }]) => [key, actionId]),
      ...[...account.earlierActionVersions].map(([key, { actionVersionId }]) => [key, actionVersionId]),
    ];

    for (const [key, id] of ids) expect(key).toBe(id);
    expect(new Set(ids.map(([key]) => key)).size).toBe(ids.length);
    expect(new Set(versions.map((action) => action.actionVersionId)).size).toBe(versions.length);
  });

  test("has no dangling references", () => {
    const projectIds = [...versions, ...account.plans.values(), ...account.exclusions.values()].map(
      (thing) => thing.projectId,
    );
    const changed = [
      ...versions,
      ...account.projects.values(),
      ...account.credentials.values(),
      ...account.plans.values(),
      ...account.selectors.values(),
      ...account.exclusions.values(),
    ];
    const users = [account.apiUserId, ...changed.map((thing) => thing.lastModifiedBy)];
    const selectors = [...account.selectors.values()];
    const credentials = [
      ...selectors.flatMap((selector) => selector.credentialIds),
      ...versions.flatMap(({ parameters }) => parameters.credentialId ?? []),
    ];

    for (const id of projectIds) expect(account.projects.has(id)).toBe(true);
    for (const id of users) expect(account.users.has(id)).toBe(true);
    for (const { planId } of selectors) expect(account.plans.has(planId)).toBe(true);
    for (const id of credentials) expect(account.credentials.has(String(id))).toBe(true);
    for (const { managedPolicies } of account.users.values()) {
      for (const policy of managedPolicies) expect(account.managedPolicies.get(policy.managedPolicyId)).toEqual(policy);
    }
    for (const { actionId } of account.earlierActionVersions.values()) expect(account.actions.has(actionId)).toBe(true);
  });

  test("excludes only resources of its actions", () => {
    const acted = new Set(versions.flatMap(({ parameters }) => parameters.resourceIds));

    for (const { resourceIds } of account.exclusions.values()) {
      for (const id of resourceIds) expect(acted).toContain(id);
    }
  });

  test("matches the schemas of the service's answers", () => {
    for (const action of versions) expect(Action.parse(action)).toEqual(action);
    for (const exclusion of account.exclusions.values()) expect(ActionExclusion.parse(exclusion)).toEqual(exclusion);
    for (const credential of account.credentials.values()) expect(Credential.parse(credential)).toEqual(credential);
    for (const policy of account.managedPolicies.values()) expect(ManagedPolicy.parse(policy)).toEqual(policy);
    for (const plan of account.plans.values()) expect(Plan.parse(plan)).toEqual(plan);
    for (const project of account.projects.values()) expect(Project.parse(project)).toEqual(project);
    for (const user of account.users.values()) expect(User.parse(user)).toEqual(user);
    for (const selector of account.selectors.values()) {
      expect(Selector.parse(selector)).toEqual({ ...selector, regionNames: selector.regionNames ?? [] });
    }
  });

  test("uses only known resource types, sub types and time zones", () => {
    for (const { resourceType } of [...account.selectors.values(), ...account.exclusions.values()]) {
      expect(resourceTypes).toContain(resourceType);
    }
    for (const { parameters } of versions) expect(resourceTypes).toContain(parameters.resourceType);
    for (const { cloudProviderSubTypeId } of account.credentials.values()) {
      expect(cloudProviderSubTypes).toContain(cloudProviderSubTypeId);
    }
    for (const { schedule } of [...account.actions.values(), ...account.plans.values()]) {
      if (schedule.scheduleType === "daily") expect(ianaZone(schedule.timeZoneId ?? "")).toBeDefined();
    }
  });

  test("uses group comparisons only for Azure", () => {
    for (const { resourceType, groupIdComparisons } of account.selectors.values()) {
      if (resourceType !== "azure-virtual-machine") expect(groupIdComparisons).toEqual([]);
    }
  });

  test("covers all three clouds, both projects, IANA and Windows zones", () => {
    const actions = [...account.actions.values()];
    const zones = actions.map(({ schedule }) => schedule.timeZoneId ?? "");

    expect(new Set(actions.map(({ actionType }) => actionType?.split("-")[0]))).toEqual(
      new Set(["amazon", "azure", "google"]),
    );
    expect(new Set(actions.map(({ projectId }) => projectId))).toEqual(new Set(["p-dev", "p-prod"]));
    expect(zones).toContain("Europe/London");
    expect(zones).toContain("Eastern Standard Time");
    expect(new Set(actions.map(({ name }) => name)).size).toBe(40);
  });

  test("has one default project, each kind of MFA, a disabled user and a credential of each type", () => {
    const users = [...account.users.values()];

    expect([...account.projects.values()].filter(({ isDefault }) => isDefault)).toMatchObject([
      { projectId: "p-prod" },
    ]);
    expect(new Set(users.map(({ mfaType }) => mfaType))).toEqual(new Set(["google-auth", "mobile-otp", "none"]));
    expect(users.filter(({ status }) => status === "disabled")).toHaveLength(1);
    expect(new Set(users.map(({ emailAddress }) => emailAddress.toLowerCase())).size).toBe(6);
    expect(new Set([...account.credentials.values()].map(({ credentialType }) => credentialType)).size).toBe(3);
  });

  test("has a past last run for each enabled daily action", () => {
    const ran = [...account.actions.values()].filter(({ lastExecution }) => lastExecution !== null);

    expect(ran).toHaveLength(37);
    for (const { lastExecution } of ran) expect(Date.parse(lastExecution?.startDate ?? "")).toBeLessThanOrEqual(friday);
  });
});
