import { z } from "zod";
import {
  actionIncludes,
  cloudProviderSubTypes,
  GroupIdComparison,
  maxResources,
  mfaTypes,
  planTypes,
  ResourceIdComparison,
  type ResourceKind,
  ResourceTagComparison,
  resourceKinds,
  resourceTypes,
  userStatuses,
  weekdays,
} from "./resources.ts";

/**
 * The service's fifteen operations, each declared once (API.md, "Operations"). The client, its retry rule, the permission
 * names, the audit names and the sandbox's routes derive from these rows. `{name}` in a path is a path parameter.
 */

export type Effect = "read" | "create" | "modify" | "delete";

export interface Operation {
  readonly summary: string;
  readonly effect: Effect;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: `/api/${string}`;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The kind of resource in the answer. Absent where the interface shows no body. */
  readonly answers?: ResourceKind;
  /** The answer is a list of these resources. */
  readonly isList?: true;
  /** The input sets how long an exclusion lasts. */
  readonly setsExclusionLength?: true;
  /**
   * What a request does to somebody's account: how they sign in, or what they may do. The account's owner is notified, and rules protect
   * accounts. Absent where an operation alters no account.
   */
  readonly accountActs?: (request: object) => readonly AccountAct[];
  /** The service refuses to repeat a request that worked, so a refused retry proves nothing (API.md, "The client"). */
  readonly refusesRepeat?: true;
  /** Not to be sent again later: it would undo what somebody has set up since. */
  readonly isOnce?: true;
  /** The read whose answer shows whether it was done; its input is part of this one's. */
  readonly readBack?: "GetManagedServicesSelector";
}

export type AccountAct = "address" | "mfa" | "enable" | "disable" | "detach";

const text = z.string().min(1);
const ids = z.array(text);
/** A list as an answer. Null reads as the empty list. Unreadable entries are dropped; the rest of the list stays. */
const listOf = <S extends z.ZodType>(item: S) =>
  z
    .array(z.unknown())
    .nullable()
    .transform((list): z.output<S>[] => (list ?? []).flatMap((entry) => item.safeParse(entry).data ?? []));
const timestamp = z.iso.datetime();

/** `daily` is checked as API.md shows it. Parameters of other schedule types pass through unchecked. */
const schedule = z
  .looseObject({
    scheduleType: text,
    startDate: z.iso.date().optional(),
    timeOfDay: z.iso.time({ precision: 0 }),
    timeZoneId: text,
    parameters: z.looseObject({ days: z.array(z.string()).optional() }).optional(),
  })
  .refine(({ scheduleType, parameters }) => scheduleType !== "daily" || areWeekdays(parameters?.days), {
    path: ["parameters", "days"],
    message: `a daily schedule needs days out of ${weekdays.join(", ")}`,
  });

const areWeekdays = (days: readonly string[] | undefined): boolean =>
  days !== undefined && days.length > 0 && days.every((day) => weekdays.some((known) => known === day));

const planParameters = z
  .looseObject({
    startStopMode: text.optional(),
    stopTimeInSeconds: z.int().optional(),
  })
  .refine(
    ({ startStopMode, stopTimeInSeconds }) =>
      startStopMode !== "start-stop-combined" || stopTimeInSeconds !== undefined,
    {
      path: ["stopTimeInSeconds"],
      message: "start-stop-combined needs stopTimeInSeconds",
    },
  );

const exclusion = {
  name: text,
  isEnabled: z.boolean(),
  expiryDate: timestamp,
  resourceType: text,
  resourceIdentificationMethod: text,
  resourceIds: ids.max(maxResources).optional(),
  processes: ids.min(1),
};
const namesItsResources = (body: {
  resourceIdentificationMethod: string;
  resourceIds?: string[] | undefined;
}): boolean => body.resourceIdentificationMethod !== "by-resource-id" || (body.resourceIds?.length ?? 0) > 0;
const resourceIdsRule = {
  path: ["resourceIds"],
  message: "by-resource-id needs at least one resource id",
};

export const operations = {
  CreateManagedServicesPlan: {
    summary: "Create a plan",
    effect: "create",
    method: "POST",
    path: "/api/ManagedServices/Plans/",
    body: z.object({
      name: text,
      planType: z.enum(planTypes),
      schedule,
      parameters: planParameters,
      isEnabled: z.boolean().default(false),
      projectId: text.optional(),
    }),
    answers: "plan",
  },
  ModifyManagedServicesSelector: {
    summary: "Change which resources a plan applies to",
    effect: "modify",
    method: "PUT",
    path: "/api/ManagedServices/Plans/{planId}/Selectors/{selectorId}",
    body: z
      .object({
        name: text,
        credentialIds: ids,
        resourceType: z.enum(resourceTypes),
        regionNames: ids.optional(),
        resourceIds: ids.optional(),
        resourceIdComparisons: z.array(ResourceIdComparison).optional(),
        resourceTagComparisons: z.array(ResourceTagComparison).optional(),
        groupIdComparisons: z.array(GroupIdComparison).optional(),
        selectorCode: text.optional(),
      })
      .refine((body) => body.resourceType === "azure-virtual-machine" || !body.groupIdComparisons?.length, {
        path: ["groupIdComparisons"],
        message: "groupIdComparisons is valid only for azure-virtual-machine",
      }),
    answers: "selector",
    readBack: "GetManagedServicesSelector",
  },
  GetManagedServicesSelector: {
    summary: "Show which resources a plan applies to",
    effect: "read",
    method: "GET",
    path: "/api/ManagedServices/Plans/{planId}/Selectors/{selectorId}",
    query: z.object({ isIncludeDeleted: z.boolean().default(false) }),
    answers: "selector",
  },
  GetAction: {
    summary: "Show an action or one of its versions",
    effect: "read",
    method: "GET",
    path: "/api/Actions/{id}",
    query: z.object({ include: z.array(z.enum(actionIncludes)).optional() }),
    answers: "action",
  },
  ListActions: {
    summary: "List actions",
    effect: "read",
    method: "GET",
    path: "/api/Actions",
    answers: "action",
    isList: true,
  },
  CreateActionExclusion: {
    summary: "Keep machines running or off",
    effect: "create",
    method: "POST",
    path: "/api/ActionExclusions",
    body: z.object({ projectId: text.optional(), ...exclusion }).refine(namesItsResources, resourceIdsRule),
    answers: "exclusion",
    setsExclusionLength: true,
  },
  ModifyActionExclusion: {
    summary: "Change what is kept running or off",
    effect: "modify",
    method: "PUT",
    path: "/api/ActionExclusions/{id}",
    body: z.object(exclusion).refine(namesItsResources, resourceIdsRule),
    answers: "exclusion",
    setsExclusionLength: true,
  },
  DeleteActionExclusion: {
    summary: "Stop keeping machines running or off",
    effect: "delete",
    method: "DELETE",
    path: "/api/ActionExclusions/{id}",
  },
  ModifyCredential: {
    summary: "Change a credential",
    effect: "modify",
    method: "PUT",
    path: "/api/Credentials/{id}",
    // The credential's type decides which of the three key objects is required, and the body does not carry that type.
    body: z.object({
      name: text.optional(),
      cloudProviderSubTypeId: z.enum(cloudProviderSubTypes),
      amazonIamAccessKey: z.looseObject({}).optional(),
      amazonIamRole: z.looseObject({ roleArn: text, externalId: z.string().optional() }).optional(),
      googleServiceAccountKey: z.looseObject({}).optional(),
    }),
    answers: "credential",
  },
  DeleteCredential: {
    summary: "Delete a credential",
    effect: "delete",
    method: "DELETE",
    path: "/api/Credentials/{id}",
  },
  ModifyUser: {
    summary: "Change a user's e-mail address or status",
    effect: "modify",
    method: "PUT",
    path: "/api/Users/{id}",
    body: z.object({
      emailAddress: z.email().optional(),
      status: z.enum(userStatuses).optional(),
    }),
    answers: "user",
    accountActs: (request) => [
      ...("emailAddress" in request && request.emailAddress !== undefined ? (["address"] as const) : []),
      ...("status" in request && request.status === "enabled" ? (["enable"] as const) : []),
      ...("status" in request && request.status === "disabled" ? (["disable"] as const) : []),
    ],
  },
  RemoveUserMfa: {
    summary: "Remove a user's multi-factor authentication",
    effect: "modify",
    method: "PUT",
    path: "/api/Users/{id}/RemoveMfa",
    body: z.object({ mfaType: z.enum(mfaTypes) }),
    answers: "user",
    accountActs: () => ["mfa"],
    refusesRepeat: true,
    isOnce: true,
  },
  DetachManagedPolicy: {
    summary: "Detach a managed policy from a user",
    effect: "modify",
    method: "PUT",
    path: "/api/Users/{id}/DetachManagedPolicy",
    body: z.object({ managedPolicyId: text }),
    answers: "user",
    accountActs: () => ["detach"],
    refusesRepeat: true,
  },
  ModifyProject: {
    summary: "Rename a project",
    effect: "modify",
    method: "PUT",
    path: "/api/Projects/{id}",
    body: z.object({ name: text }),
    answers: "project",
  },
  GetManagedPolicy: {
    summary: "Show a managed policy",
    effect: "read",
    method: "GET",
    path: "/api/ManagedPolicies/{id}",
    answers: "policy",
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations).filter(isOperationName);

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

type Rows = typeof operations;
export type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;
type Part<O extends OperationName, K extends "query" | "body"> =
  Rows[O] extends Record<K, infer S extends z.ZodType> ? z.input<S> : unknown;

/** The operations that only read. All others are `ChangeOperation`s. */
export type ReadOperation = {
  [O in OperationName]: Rows[O]["effect"] extends "read" ? O : never;
}[OperationName];
export type ChangeOperation = Exclude<OperationName, ReadOperation>;

/** The input of an operation: path parameters, query and body in one flat object. No name occurs in two of them. */
export type OperationInput<O extends OperationName> = {
  [K in PathParameter<Rows[O]["path"]>]: string;
} & Part<O, "query"> &
  Part<O, "body">;

type SchemaOf<O extends OperationName> = Rows[O] extends { answers: infer K extends ResourceKind }
  ? (typeof resourceKinds)[K]["schema"]
  : never;
type AnswerAs<O extends OperationName, Read> = Rows[O] extends { isList: true } ? Read[] : Read;

/** The answer of an operation; `undefined` where the interface shows no body. */
export type OperationAnswer<O extends OperationName> = Rows[O] extends { answers: ResourceKind }
  ? AnswerAs<O, z.output<SchemaOf<O>>>
  : undefined;

/** The answer as the service sends it, with `null` for absent fields. */
export type SentAnswer<O extends OperationName> = Rows[O] extends { answers: ResourceKind }
  ? AnswerAs<O, z.input<SchemaOf<O>>>
  : undefined;

/** The schema of an operation's answer; undefined where the interface shows no body. */
export function answerSchemaOf(operation: OperationName): z.ZodType | undefined {
  const { answers, isList }: Operation = operations[operation];
  const schema = answers && resourceKinds[answers].schema;
  return schema && isList ? listOf(schema) : schema;
}

/** The operations that make an exclusion and change one. */
export const exclusionOperations = {
  make: "CreateActionExclusion",
  modify: "ModifyActionExclusion",
} as const satisfies Record<string, OperationName>;

/** Those that are about resources by their ids. */
export const machineOperations: ReadonlySet<OperationName> = new Set([
  ...Object.values(exclusionOperations),
  "DeleteActionExclusion",
]);

/** The right to call this for a project includes the right to see Curfew's data about it: the interface has no separate right. */
export const browseOperation = "ListActions" satisfies OperationName;
