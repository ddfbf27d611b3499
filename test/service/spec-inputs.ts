import type { ServiceClient } from "../../src/service/client.ts";
import type { OperationInput, OperationName } from "../../src/service/operations.ts";

const exclusion = {
  name: "keep staging up",
  isEnabled: true,
  expiryDate: "2026-11-20T18:00:00Z",
  resourceType: "amazon-ec2-instance",
  resourceIdentificationMethod: "by-resource-id",
  resourceIds: ["i-0a1"],
  processes: ["stop-resource"],
};

/** The requests that are checked on the wire against the interface. */
const inputs = {
  CreateManagedServicesPlan: {
    name: "nights off",
    planType: "start-stop-plan",
    schedule: {
      scheduleType: "daily",
      timeOfDay: "20:00:00",
      timeZoneId: "UTC",
      parameters: { days: ["monday", "friday"] },
    },
    parameters: { startStopMode: "start-stop-combined", stopTimeInSeconds: 3600 },
    projectId: "p-1",
  },
  ModifyManagedServicesSelector: {
    planId: "plan-1",
    selectorId: "sel-1",
    name: "machines",
    credentialIds: ["cred-1"],
    resourceType: "azure-virtual-machine",
    resourceTagComparisons: [{ tagName: "env", compareType: "equals", tagValue: "dev" }],
    groupIdComparisons: [{ any: "shape" }],
    selectorCode: "code-1",
  },
  GetManagedServicesSelector: { planId: "plan-1", selectorId: "sel-1", isIncludeDeleted: true },
  GetAction: { id: "a-1", include: ["displayData", "lastExecution"] },
  ListActions: {},
  CreateActionExclusion: { projectId: "p-1", ...exclusion },
  ModifyActionExclusion: { id: "ae-1", ...exclusion },
  DeleteActionExclusion: { id: "ae-1" },
  ModifyCredential: {
    id: "cred-1",
    name: "production",
    cloudProviderSubTypeId: "amazon-standard",
    amazonIamRole: { roleArn: "arn:aws:iam::1:role/x", externalId: "e" },
  },
  DeleteCredential: { id: "cred-1" },
  ModifyUser: { id: "u-1", emailAddress: "bob@example.com", status: "disabled" },
  RemoveUserMfa: { id: "u-1", mfaType: "google-auth" },
  DetachManagedPolicy: { id: "u-1", managedPolicyId: "mp-1" },
  ModifyProject: { id: "p-1", name: "Development" },
  GetManagedPolicy: { id: "mp-1" },
} satisfies { readonly [O in OperationName]?: OperationInput<O> };

export type SpecOperation = keyof typeof inputs;
export const specInputs: { readonly [O in SpecOperation]: OperationInput<O> } = inputs;

export const callAsInSpec = <O extends SpecOperation>(client: ServiceClient, operation: O) =>
  client.call(operation, specInputs[operation]);
