import { addHours, subDays, subHours } from "date-fns";
import { type ResourceType, weekdays } from "../../service/resources.ts";
import type {
  Account,
  Action,
  ActionExclusion,
  Credential,
  ManagedPolicy,
  Plan,
  Project,
  Selector,
  User,
} from "./account.ts";
import { nextExecutionDate, scheduledExecution } from "./runs.ts";

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

const seedProjects = (): Project[] => [
  { ...seedProject("p-dev", "Development"), ...audited("u-00000002", "2025-02-03", "2025-06-17") },
  { ...seedProject("p-prod", "Production"), isDefault: true },
];

export const seedProject = (projectId: string, name: string): Project => ({
  ...{ projectId, name, status: "active", isDefault: false },
  ...audited("u-00000003", "2025-02-03"),
});

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

/** The audit fields of a seed, from the days it was created and last changed. */
function audited(lastModifiedBy: string, created: string, modified = created) {
  return { createdDate: `${created}T09:12:00Z`, lastModifiedDate: `${modified}T14:40:00Z`, lastModifiedBy };
}

export const workdays = weekdays.slice(0, 5);
export const everyDay = [...weekdays];

/** A daily schedule (API.md, "Schedule"), on workdays by default. */
export function daily(time: string, timeZoneId: string, days: readonly string[] = workdays) {
  return { scheduleType: "daily", timeOfDay: `${time}:00`, timeZoneId, parameters: { days: [...days] } };
}

type Target = ReturnType<typeof target>;

/** The resources of an action. */
const target = (projectId: string, resourceType: ResourceType, regionName: string, ...resourceIds: string[]) => ({
  projectId,
  resourceType,
  regionName,
  resourceIds,
});

const machine = (group: string, name: string): string =>
  `/subscriptions/6f3c1d0a-58b2-4e7f-9a41-2b7c90d1e364/resourceGroups/${group}/providers/Microsoft.Compute/virtualMachines/${name}`;

const amazon = {
  staging: target("p-dev", "amazon-ec2-instance", "eu-west-1", "i-0a1", "i-0a2"),
  build: target("p-dev", "amazon-ec2-instance", "eu-west-1", "i-0b4d1c9e7f2a63508", "i-0e6f82d7a914cb305"),
  qa: target("p-dev", "amazon-ec2-instance", "us-east-1", "i-0c93e1a7b5d84f216"),
  web: target("p-prod", "amazon-ec2-instance", "us-east-1", "i-07d51f0e3c8ab2964", "i-0f2e9b74a6c1d8053"),
  batch: target("p-prod", "amazon-ec2-instance", "eu-west-1", "i-09a8c47e1d5f6b320"),
  webVolumes: target("p-prod", "amazon-ebs-volume", "us-east-1", "vol-049df61146c4d7901", "vol-0c1a2e5b7d3f98640"),
  stagingDatabases: target("p-dev", "amazon-rds-instance", "eu-west-1", "staging-orders", "staging-users"),
  reportsReplica: target("p-prod", "amazon-rds-instance", "us-east-1", "reports-replica"),
  stagingCluster: target("p-dev", "amazon-rds-cluster", "eu-west-1", "staging-search-cluster"),
  catalog: target("p-dev", "amazon-documentdb-cluster", "eu-west-1", "catalog-docs-dev"),
  blog: target("p-dev", "amazon-lightsail-instance", "eu-west-1", "blog-preview"),
  shares: target("p-prod", "amazon-fsx-filesystem", "eu-west-1", "fs-0d2b7f4e91c6a8053"),
  desktops: target("p-prod", "amazon-appstream-fleet", "us-east-1", "design-desktops"),
  warehouse: target("p-dev", "amazon-redshift-cluster", "us-east-1", "warehouse-dev"),
} as const;

const azure = {
  tools: target(
    "p-dev",
    "azure-virtual-machine",
    "westeurope",
    machine("rg-dev-tools", "vm-tools-01"),
    machine("rg-dev-tools", "vm-tools-02"),
  ),
  demo: target("p-dev", "azure-virtual-machine", "eastus", machine("rg-demo", "vm-demo-01")),
  accounting: target("p-prod", "azure-virtual-machine", "westeurope", machine("rg-erp", "vm-accounting")),
} as const;

const google = {
  demo: target("p-dev", "google-vm-instance", "europe-west1", "demo-eu-1", "demo-eu-2"),
  notebooks: target("p-dev", "google-vm-instance", "us-central1", "notebook-small", "notebook-large"),
  pipelines: target("p-prod", "google-vm-instance", "asia-northeast1", "etl-worker-1", "etl-worker-2", "etl-worker-3"),
  reports: target("p-prod", "google-cloudsql-instance", "europe-west1", "example-analytics:europe-west1:reports"),
} as const;

type ActionRow = readonly [
  name: string,
  verb: "start" | "stop" | "backup",
  target: Target,
  schedule: Action["schedule"],
  tags: string[],
  also?: Partial<Action>,
];

const london = "Europe/London";
const newYork = "America/New_York";
const eastern = "Eastern Standard Time";
const pacific = "Pacific Standard Time";
const berlin = "W. Europe Standard Time";
const tokyo = "Tokyo Standard Time";
const weekend = ["saturday", "sunday"];
const onDemand = { scheduleType: "none" };
const off = { isEnabled: false };

/** The forty actions; the first is `a-00000001`. */
const actionRows: readonly ActionRow[] = [
  ["Start staging at 07:30", "start", amazon.staging, daily("07:30", london), ["staging"]],
  ["Stop staging at 19:00", "stop", amazon.staging, daily("19:00", london), ["staging", "savings"]],
  ["Stop staging at the weekend", "stop", amazon.staging, daily("13:00", london, weekend), ["staging"]],
  ["Start staging databases", "start", amazon.stagingDatabases, daily("07:00", london), ["staging", "database"]],
  ["Stop staging databases", "stop", amazon.stagingDatabases, daily("19:30", london), ["staging", "database"]],
  ["Start staging search", "start", amazon.stagingCluster, daily("07:05", london), ["staging", "database"]],
  ["Stop staging search", "stop", amazon.stagingCluster, daily("19:35", london), ["staging", "database"]],
  ["Start build machines", "start", amazon.build, daily("06:00", london), ["build"]],
  ["Stop build machines", "stop", amazon.build, daily("22:00", london, everyDay), ["build", "savings"]],
  ["Start QA", "start", amazon.qa, daily("08:00", eastern), ["qa"]],
  ["Stop QA", "stop", amazon.qa, daily("18:30", eastern), ["qa", "savings"]],
  ["Start web for the day", "start", amazon.web, daily("05:00", newYork, everyDay), ["web"]],
  ["Stop web on demand", "stop", amazon.web, onDemand, ["web"], { comments: "Run by hand during maintenance." }],
  ["Back up web volumes", "backup", amazon.webVolumes, daily("02:30", "UTC", everyDay), ["backup"]],
  ["Start the nightly batch", "start", amazon.batch, daily("00:15", "UTC", everyDay), ["batch"]],
  ["Stop the nightly batch", "stop", amazon.batch, daily("04:45", "UTC", everyDay), ["batch"]],
  ["Start the reports replica", "start", amazon.reportsReplica, daily("06:30", newYork), ["reports", "database"]],
  ["Stop the reports replica", "stop", amazon.reportsReplica, daily("20:00", newYork), ["reports", "database"]],
  ["Back up the reports replica", "backup", amazon.reportsReplica, daily("01:30", newYork, everyDay), ["backup"]],
  ["Start the catalogue", "start", amazon.catalog, daily("08:00", berlin), ["catalogue"]],
  ["Stop the catalogue", "stop", amazon.catalog, daily("18:00", berlin), ["catalogue", "savings"]],
  ["Stop the blog preview", "stop", amazon.blog, daily("21:00", london, everyDay), ["blog"], off],
  ["Back up the office shares", "backup", amazon.shares, daily("23:00", london), ["backup"]],
  ["Start the designers' desktops", "start", amazon.desktops, daily("08:30", pacific), ["desktops"]],
  ["Stop the designers' desktops", "stop", amazon.desktops, daily("18:30", pacific), ["desktops", "savings"]],
  ["Start the development warehouse", "start", amazon.warehouse, daily("09:00", eastern), ["warehouse"]],
  ["Stop the development warehouse", "stop", amazon.warehouse, daily("17:00", eastern), ["warehouse", "savings"]],
  ["Start the tool servers", "start", azure.tools, daily("07:00", berlin), ["tools"]],
  ["Stop the tool servers", "stop", azure.tools, daily("20:00", berlin), ["tools", "savings"]],
  ["Start the Azure demo", "start", azure.demo, daily("09:00", eastern, ["tuesday", "thursday"]), ["demo"]],
  ["Stop the Azure demo", "stop", azure.demo, daily("17:00", eastern), ["demo"]],
  ["Start accounting at month's end", "start", azure.accounting, onDemand, ["accounting"], off],
  ["Stop accounting overnight", "stop", azure.accounting, daily("02:30", berlin, everyDay), ["accounting"]],
  ["Start the demo lab", "start", google.demo, daily("08:45", "Europe/Berlin"), ["demo"]],
  ["Stop the demo lab", "stop", google.demo, daily("18:15", "Europe/Berlin"), ["demo", "savings"]],
  ["Stop forgotten notebooks", "stop", google.notebooks, daily("23:30", "America/Chicago", everyDay), ["notebooks"]],
  ["Start the pipelines", "start", google.pipelines, daily("01:00", tokyo, everyDay), ["pipelines"]],
  ["Stop the pipelines", "stop", google.pipelines, daily("05:30", tokyo, everyDay), ["pipelines"]],
  ["Start the reports database", "start", google.reports, daily("06:00", "Europe/Berlin"), ["reports", "database"]],
  ["Stop the reports database", "stop", google.reports, daily("21:00", "Europe/Berlin"), ["reports", "database"]],
];

/** Earlier versions of some actions, latest first. */
const earlierVersions: Readonly<Record<string, readonly Partial<Action>[]>> = {
  "Stop staging at 19:00": [
    { name: "Stop staging at 20:00", schedule: daily("20:00", london), lastModifiedDate: "2025-05-02T08:20:00Z" },
    { name: "Stop staging at 18:00", schedule: daily("18:00", london), lastModifiedDate: "2025-02-14T10:05:00Z" },
  ],
  "Stop the demo lab": [{ tags: ["demo"], lastModifiedDate: "2025-04-08T16:45:00Z" }],
  "Start QA": [{ schedule: daily("08:00", "UTC"), lastModifiedDate: "2025-03-03T12:00:00Z" }],
};

function seedActions(nowMs: number): { current: Action[]; earlier: Action[] } {
  const current = actionRows.map((row, index) => seedAction(row, index + 1, nowMs));
  const changes = current.flatMap((action) =>
    (earlierVersions[action.name] ?? []).map((before) => ({ ...action, ...before })),
  );
  const earlier = changes.map((action, index) => ({
    ...action,
    actionVersionId: `av-${numbered(actionRows.length + index + 1)}`,
    isCurrentVersion: false,
  }));
  return { current, earlier };
}

function seedAction([name, verb, target, schedule, tags, also]: ActionRow, number: number, nowMs: number): Action {
  const actionId = `a-${numbered(number)}`;
  const actionVersionId = `av-${numbered(number)}`;
  const action: Action = {
    actionId,
    actionVersionId,
    actionType: actionType(verb, target.resourceType),
    name,
    comments: "",
    isCurrentVersion: true,
    isEnabled: true,
    lastModifiedBy: `u-${numbered((number % 4) + 1)}`,
    lastModifiedDate: "2025-07-01T11:30:00Z",
    managedInstanceId: "mi-00000001",
    projectId: target.projectId,
    schedule: { startDate: "2025-03-01", ...schedule },
    tags,
    displayData: displayData(target),
    parameters: parameters(target),
    lastExecution: null,
    ...also,
  };
  return { ...action, lastExecution: lastExecution(action, number, nowMs) };
}

function numbered(number: number): string {
  return String(number).padStart(8, "0");
}

/** Like the known `amazon-start-ec2-instances`: the verb after the cloud, the resource type in the plural. */
function actionType(verb: string, resourceType: string): string {
  return resourceType.replace("-", `-${verb}-`).concat("s");
}

/** API.md does not show the shape of the extra data; a list of labels is what was observed. */
function displayData({ regionName, resourceIds }: Target): Action["displayData"] {
  return [
    { label: "Resources", data: resourceIds.join(", ") },
    { label: "Region", data: regionName },
  ];
}

function parameters({ resourceType, regionName, resourceIds }: Target): Action["parameters"] {
  return { resourceType, regionNames: [regionName], resourceIds: [...resourceIds], ...credentialOf(resourceType) };
}

function credentialOf(resourceType: string): { credentialId?: string } {
  if (resourceType.startsWith("amazon-")) return { credentialId: "cred-00000001" };
  return resourceType.startsWith("google-") ? { credentialId: "cred-00000003" } : {};
}

/** API.md, "Observed": lastExecution. Every tenth run failed. */
function lastExecution(action: Action, number: number, nowMs: number): Action["lastExecution"] {
  const startDate = action.isEnabled ? lastRun(action, nowMs) : null;
  if (startDate === null) return null;
  const result =
    number % 10 === 0 ? { code: "error", text: "A resource did not answer." } : { code: "success", text: "Done." };
  return scheduledExecution(action, { actionExecutionId: `ae-${numbered(number)}`, startDate, result });
}

/** Looks back one day at a time until a run is found. */
function lastRun({ schedule }: Action, nowMs: number): string | null {
  for (let days = 1; days <= 8; days++) {
    const run = nextExecutionDate(schedule, subDays(nowMs, days).getTime());
    if (run !== null && Date.parse(run) <= nowMs) return run;
  }
  return null;
}
