import type { Plan, Selector } from "../account.ts";
import { audited, daily, everyDay } from "./seed-values.ts";

const hour = 3600;

export function seedPlans(): Plan[] {
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

export function seedSelectors(): Selector[] {
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
