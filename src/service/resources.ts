import { z } from "zod";
import { type Accounts, accountSaid, inAccount, splitId } from "./account-ids.ts";

/**
 * The service's resources as its answers carry them (API.md, "Resources"; widened by "Observed").
 * Only the identifier is required. Unknown fields are kept and open sets stay strings, so that a newer service can be read.
 */

/** A field of an answer. Absent, null and an unexpected type all read as undefined, so one odd field never spoils an answer. */
const lenient = <S extends z.ZodType>(schema: S) => schema.nullish().catch(undefined);

/** A list in an answer. Null reads as the empty list (API.md: `regionNames` is null when none is set). Absent stays absent. */
const lenientList = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .nullable()
    .transform((list) => list ?? [])
    .optional()
    .catch(undefined);

const id = z.string().min(1);
const text = lenient(z.string());
/** What people call it. A name without a visible character is none: its id is shown instead. */
const name = lenient(z.string().regex(/[\p{L}\p{N}\p{P}\p{S}]/u));
const flag = lenient(z.boolean());

/** The allowed resource types (API.md, "Resource types"). */
export const resourceTypes = [
  "amazon-ec2-instance",
  "amazon-ebs-volume",
  "amazon-rds-instance",
  "amazon-rds-cluster",
  "amazon-documentdb-cluster",
  "amazon-lightsail-instance",
  "amazon-fsx-filesystem",
  "amazon-appstream-fleet",
  "amazon-redshift-cluster",
  "azure-virtual-machine",
  "google-vm-instance",
  "google-cloudsql-instance",
] as const;
export type ResourceType = (typeof resourceTypes)[number];

export const planTypes = ["backup-plan", "start-stop-plan"] as const;
export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
/** What a service may count `stopTimeInSeconds` from: the plan's start, or the beginning of the day. The interface does not say it. */
export const stopTimes = ["afterStart", "ofDay"] as const;
export type StopTime = (typeof stopTimes)[number];
export const actionIncludes = ["displayData", "lastExecution", "parameters"] as const;
export const userStatuses = ["enabled", "disabled"] as const;
export const mfaTypes = ["google-auth", "mobile-otp"] as const;
export const cloudProviderSubTypes = [
  "amazon-standard",
  "amazon-govcloud-us",
  "amazon-china",
  "google-standard",
] as const;

export const credentialTypes = ["amazon-access-key", "amazon-iam-role", "google-service-account-key"] as const;

const audited = {
  createdDate: text,
  lastModifiedDate: text,
  lastModifiedBy: text,
};

export const Schedule = z.looseObject({
  scheduleType: text,
  startDate: text,
  timeOfDay: text,
  timeZoneId: text,
  parameters: lenient(z.looseObject({ days: lenientList(z.string()) })),
});

export const Plan = z.looseObject({
  planId: id,
  projectId: text,
  planType: text,
  name,
  state: text,
  isEnabled: flag,
  isDeleted: flag,
  ...audited,
  schedule: lenient(Schedule),
  parameters: lenient(z.looseObject({ startStopMode: text, stopTimeInSeconds: lenient(z.number()) })),
});

export const ResourceTagComparison = z.looseObject({
  tagName: z.string(),
  compareType: z.string(),
  tagValue: z.string().nullish(),
});
/** API.md does not show these shapes, so they pass through unchecked. */
export const ResourceIdComparison = z.looseObject({});
export const GroupIdComparison = z.looseObject({});

export const Selector = z.looseObject({
  planId: text,
  selectorId: id,
  name,
  state: text,
  syncState: text,
  ...audited,
  selectorCode: text,
  credentialIds: lenientList(z.string()),
  regionNames: lenientList(z.string()),
  resourceType: text,
  resourceTagComparisons: lenientList(ResourceTagComparison),
  resourceIdComparisons: lenientList(ResourceIdComparison),
  groupIdComparisons: lenientList(GroupIdComparison),
  resourceIds: lenientList(z.string()),
});

/** The interface does not show the shapes of the optional extra data. These follow API.md, "Observed". */
const LastExecution = z.looseObject({
  status: text,
  trigger: text,
  startDate: text,
  endDate: text,
  result: lenient(z.looseObject({ code: lenient(z.union([z.string(), z.number()])), text })),
});
const DisplayDatum = z.looseObject({ label: text, data: text });

export const Action = z.looseObject({
  actionId: id,
  actionType: text,
  actionVersionId: text,
  comments: text,
  isCurrentVersion: flag,
  isEnabled: flag,
  lastModifiedBy: text,
  lastModifiedDate: text,
  managedInstanceId: text,
  name,
  nextExecutionDate: text,
  projectId: text,
  schedule: lenient(Schedule),
  tags: lenientList(z.string()),
  displayData: lenientList(DisplayDatum),
  lastExecution: lenient(LastExecution),
  parameters: lenient(z.looseObject({})),
});

export const ActionExclusion = z.looseObject({
  actionExclusionId: id,
  projectId: text,
  name,
  status: text,
  isEnabled: flag,
  ...audited,
  startDate: text,
  expiryDate: text,
  timeZoneId: text,
  processes: lenientList(z.string()),
  resourceType: text,
  resourceIdentificationMethod: text,
  resourceIds: lenientList(z.string()),
  /**
   * Curfew's own: an exclusion of more machines than one may name is several in the service (changes/steps/parts.ts). `expiryDate`: of
   * a part that ends before the others.
   */
  curfewParts: z
    .array(
      z.object({
        actionExclusionId: z.string(),
        resourceIds: z.array(z.string()),
        expiryDate: z.string().optional(),
      }),
    )
    .optional(),
});

export const Credential = z.looseObject({
  credentialId: id,
  credentialType: text,
  cloudProviderSubTypeId: text,
  name,
  status: text,
  isUsedForSnsNotifications: flag,
  ...audited,
  amazonIamRole: lenient(z.looseObject({ roleArn: text, externalId: text })),
  amazonIamAccessKey: lenient(z.looseObject({})),
  googleServiceAccountKey: lenient(z.looseObject({})),
});

export const ManagedPolicy = z.looseObject({ managedPolicyId: id, name });

export const User = z.looseObject({
  userId: id,
  username: name,
  emailAddress: text,
  status: text,
  mfaType: text,
  lastAccessDate: text,
  managedPolicies: lenientList(ManagedPolicy),
});

export const Project = z.looseObject({
  projectId: id,
  name,
  status: text,
  isDefault: flag,
  ...audited,
});

export type Schedule = z.infer<typeof Schedule>;
export type Plan = z.infer<typeof Plan>;
export type Selector = z.infer<typeof Selector>;
export type Action = z.infer<typeof Action>;
export type ActionExclusion = z.infer<typeof ActionExclusion>;
export type Credential = z.infer<typeof Credential>;
export type ManagedPolicy = z.infer<typeof ManagedPolicy>;
export type User = z.infer<typeof User>;
export type Project = z.infer<typeof Project>;

/** More than any request should name; Slack's text input ends at 3,000 characters (PLATFORM.md §8.4). */
export const maxResources = 200;

/** The machines of one group: so many requests, one after the other. */
export const maxGrouped = 25 * maxResources;

/** Every kind of resource in an answer, with its schema and the field that holds its id. */
export const resourceKinds = {
  action: { schema: Action, idField: "actionId" },
  credential: { schema: Credential, idField: "credentialId" },
  exclusion: { schema: ActionExclusion, idField: "actionExclusionId" },
  plan: { schema: Plan, idField: "planId" },
  policy: { schema: ManagedPolicy, idField: "managedPolicyId" },
  project: { schema: Project, idField: "projectId" },
  selector: { schema: Selector, idField: "selectorId" },
  user: { schema: User, idField: "userId" },
} as const;
export type ResourceKind = keyof typeof resourceKinds;
export const resourceKindNames: readonly ResourceKind[] = Object.keys(resourceKinds).filter(isResourceKind);

function isResourceKind(name: string): name is ResourceKind {
  return Object.hasOwn(resourceKinds, name);
}

const plainId = "(?!\\.\\.?$)[!-.0-;=?-[\\]-~]{1,150}$";
/** An id as a file has it: with its account's name before it, unless that is the main one. */
export const idPattern = new RegExp(`^(?:(?!main/)[a-z][a-z0-9-]{0,19}/)?${plainId}`);
const bareId = new RegExp(`^${plainId}`);

/** Ids of the service are opaque, but each is one word of plain signs, none of `<>/\`, and never a path. One of these accounts may be said. */
export const couldBeId = (text: string, accounts: Accounts = {}): boolean =>
  bareId.test(accountSaid(text, accounts)?.[1] ?? text);

/** The keys of a resource, the most exact first: its id in lower case, and for an ARN the name or id at its end. */
export function resourceKeys(id: string): readonly [string, ...string[]] {
  const whole = id.toLowerCase();
  if (!whole.includes("arn:")) return [whole];
  const [account, inside] = splitId(whole);
  const bare = inside.startsWith("arn:") ? inside.split(/[:/]/).at(-1) : undefined;
  return bare ? [whole, inAccount(account, bare)] : [whole];
}
