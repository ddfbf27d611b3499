import { addHours, subHours } from "date-fns";
import type { Account, ActionExclusion, Credential, ManagedPolicy, Plan, Project, Selector, User } from "../account.ts";
import { seedActions } from "./seed-actions.ts";
import { audited, daily, everyDay } from "./seed-values.ts";

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

const managedPolicies = {
  administrators: { managedPolicyId: "mp-00000001", name: "Administrators" },
  operators: { managedPolicyId: "mp-00000002", name: "Schedule operators" },
  viewers: { managedPolicyId: "mp-00000003", name: "Read only" },
  billing: { managedPolicyId: "mp-00000004", name: "Billing" },
} as const satisfies Record<string, ManagedPolicy>;

const { administrators, operators, viewers, billing } = managedPolicies;

function seedUsers(nowMs: number): User[] {
  const user = (
    number: number,
    username: string,
    mfaType: string,
    hoursAway: number,
    policies: ManagedPolicy[],
  ): User => ({
    userId: `u-0000000${number}`,
    username,
    emailAddress: `${username}@example.com`,
    status: "enabled",
    mfaType,
    lastAccessDate: subHours(nowMs, hoursAway).toISOString(),
    managedPolicies: policies,
  });
  return [
    user(1, "bob", "google-auth", 30, [operators, viewers]),
    user(2, "alice", "google-auth", 1, [administrators]),
    user(3, "carol", "mobile-otp", 5, [administrators, billing]),
    user(4, "dave", "none", 52, [operators]),
    user(5, "erin", "mobile-otp", 20, [viewers, billing]),
    { ...user(6, "frank", "none", 2400, [viewers]), status: "disabled" },
  ];
}

function seedProjects(): Project[] {
  return [
    {
      projectId: "p-dev",
      name: "Development",
      status: "active",
      isDefault: false,
      ...audited("u-00000002", "2025-02-03", "2025-06-17"),
    },
    {
      projectId: "p-prod",
      name: "Production",
      status: "active",
      isDefault: true,
      ...audited("u-00000003", "2025-02-03"),
    },
  ];
}

const hour = 3600;

function seedPlans(): Plan[] {
  const plan = (number: number, planType: string, name: string, projectId: string) => ({
    planId: `plan-0000000${number}`,
    planType,
    name,
    projectId,
    state: "active",
    isEnabled: true,
    isDeleted: false,
  });
  return [
    {
      ...plan(1, "start-stop-plan", "Development office hours", "p-dev"),
      ...audited("u-00000004", "2025-02-10", "2025-08-21"),
      schedule: daily("07:30", "Europe/London"),
      parameters: { startStopMode: "start-stop-combined", stopTimeInSeconds: 11 * hour },
    },
    {
      ...plan(2, "backup-plan", "Nightly backups", "p-prod"),
      ...audited("u-00000003", "2025-02-12"),
      schedule: daily("02:00", "UTC", everyDay),
      parameters: {},
    },
    {
      ...plan(3, "start-stop-plan", "Demo lab", "p-dev"),
      ...audited("u-00000002", "2025-05-06"),
      isEnabled: false,
      schedule: daily("09:00", "Eastern Standard Time", ["tuesday", "thursday"]),
      parameters: { startStopMode: "start-stop-combined", stopTimeInSeconds: 8 * hour },
    },
  ];
}

function seedSelectors(): Selector[] {
  const selector = (number: number, plan: number, name: string, resourceType: string, credentialIds: string[]) => ({
    planId: `plan-0000000${plan}`,
    selectorId: `sel-0000000${number}`,
    selectorCode: `sc-0000000${number}`,
    name,
    resourceType,
    credentialIds,
    state: "active",
    syncState: "ready",
    ...audited("u-00000004", "2025-02-14", "2025-08-21"),
    regionNames: null,
    resourceIds: [],
    resourceIdComparisons: [],
    resourceTagComparisons: [],
    groupIdComparisons: [],
  });
  const amazon = ["cred-00000001"];
  const google = ["cred-00000003"];
  return [
    {
      ...selector(1, 1, "Staging machines", "amazon-ec2-instance", amazon),
      regionNames: ["eu-west-1"],
      resourceTagComparisons: [{ tagName: "Environment", compareType: "equals", tagValue: "staging" }],
    },
    {
      ...selector(2, 1, "Staging databases", "amazon-rds-instance", amazon),
      resourceTagComparisons: [
        { tagName: "Environment", compareType: "equals", tagValue: "staging" },
        { tagName: "Keep", compareType: "does-not-exist" },
      ],
    },
    {
      // API.md shows no Azure credential type ("Credential"), so this selector has no credential.
      ...selector(3, 1, "Office hours on Azure", "azure-virtual-machine", []),
      regionNames: ["westeurope"],
      groupIdComparisons: [{ compareType: "equals", value: "rg-dev-tools" }],
    },
    {
      ...selector(4, 2, "Production volumes", "amazon-ebs-volume", amazon),
      regionNames: ["eu-west-1", "us-east-1"],
      resourceTagComparisons: [{ tagName: "Backup", compareType: "equals", tagValue: "nightly" }],
    },
    {
      ...selector(5, 2, "Analytics databases", "google-cloudsql-instance", google),
      resourceIds: ["example-analytics:europe-west1:reports"],
    },
    {
      ...selector(6, 3, "Demo machines", "google-vm-instance", google),
      resourceIdComparisons: [{ compareType: "starts-with", value: "demo-" }],
    },
    { ...selector(7, 3, "Demo machines of last year", "amazon-ec2-instance", amazon), state: "deleted" },
  ];
}

/** One credential of each type. No selector uses the access key, so it can be deleted. */
function seedCredentials(): Credential[] {
  return [
    {
      credentialId: "cred-00000001",
      credentialType: "amazon-iam-role",
      cloudProviderSubTypeId: "amazon-standard",
      name: "AWS main account",
      status: "active",
      isUsedForSnsNotifications: true,
      ...audited("u-00000002", "2025-02-04", "2025-09-30"),
      amazonIamRole: { roleArn: "arn:aws:iam::123456789012:role/scheduler", externalId: "ext-5f0c2a" },
    },
    {
      credentialId: "cred-00000002",
      credentialType: "amazon-access-key",
      cloudProviderSubTypeId: "amazon-standard",
      name: "AWS build account (old)",
      status: "active",
      isUsedForSnsNotifications: false,
      ...audited("u-00000003", "2025-02-11"),
      amazonIamAccessKey: { accessKeyId: "AKIAIOSFODNN7EXAMPLE" },
    },
    {
      credentialId: "cred-00000003",
      credentialType: "google-service-account-key",
      cloudProviderSubTypeId: "google-standard",
      name: "Google analytics project",
      status: "active",
      isUsedForSnsNotifications: false,
      ...audited("u-00000002", "2025-03-20"),
      googleServiceAccountKey: {
        project_id: "example-analytics",
        client_email: "scheduler@example-analytics.iam.gserviceaccount.com",
      },
    },
  ];
}

/** One in force, one expired, one disabled. */
function seedExclusions(nowMs: number): ActionExclusion[] {
  const exclusion = (number: number, name: string, resourceIds: string[], fromHours: number, toHours: number) => {
    const startDate = addHours(nowMs, fromHours).toISOString();
    return {
      actionExclusionId: `aex-0000000${number}`,
      projectId: "p-dev",
      name,
      isEnabled: true,
      createdDate: startDate,
      lastModifiedDate: startDate,
      lastModifiedBy: "u-00000004",
      startDate,
      expiryDate: addHours(nowMs, toHours).toISOString(),
      timeZoneId: "UTC",
      processes: ["stop-resource"],
      resourceType: "amazon-ec2-instance",
      resourceIdentificationMethod: "by-resource-id",
      resourceIds,
    };
  };
  return [
    exclusion(1, "Load test on the build machines", ["i-0b4d1c9e7f2a63508"], -20, 28),
    exclusion(2, "Release weekend", ["i-0c93e1a7b5d84f216"], -240, -190),
    {
      ...exclusion(3, "Demo machine for the fair", ["demo-eu-1"], -70, 170),
      isEnabled: false,
      lastModifiedDate: subHours(nowMs, 12).toISOString(),
      processes: ["start-resource", "stop-resource"],
      resourceType: "google-vm-instance",
    },
  ];
}
