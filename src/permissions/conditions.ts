import { type OperationName, operations } from "../service/operations.ts";
import { formatDuration } from "../time/duration.ts";
import type { PermissionRequest } from "./decide.ts";
import type { Role } from "./policy.ts";

type Where = Role["where"];

/** A condition of a role: its name under `where` in curfew.yaml, what it looks at, whether it holds, and how a refusal says what it asks for. */
export interface Condition {
  readonly name: "channels" | "projects" | "resourceTypes" | "own" | "maxExclusion";
  readonly fact: keyof PermissionRequest;
  readonly holds: (where: Where, request: PermissionRequest) => boolean;
  readonly only: (where: Where, request: PermissionRequest) => string;
}

/** The conditions of a role that do not hold, in the order in which a refusal tells them. Not knowing a fact fails it. */
export const unmetConditions = ({ where }: Role, request: PermissionRequest): readonly Condition[] =>
  conditions.filter(({ holds }) => !holds(where, request));

/** Whether the operation says how long an exclusion lasts. */
export const setsExclusionLength = (operation: OperationName): boolean =>
  operation === "CreateActionExclusion" || operation === "ModifyActionExclusion";

const conditions: readonly Condition[] = [
  {
    name: "channels",
    fact: "channelId",
    holds: ({ channels }, { channelId }) => channels === undefined || (channelId !== null && channels.has(channelId)),
    only: ({ channels }) => `in the channel ${oneOf(channels)}`,
  },
  {
    name: "projects",
    fact: "projectId",
    holds: ({ projects }, { operation, projectId }) => isWithin(projects, projectId, operation),
    only: ({ projects }, { projectId }) =>
      `in the project ${oneOf(projects)}, and the project here is ${found(projectId)}`,
  },
  {
    name: "resourceTypes",
    fact: "resourceType",
    holds: ({ resourceTypes }, { operation, resourceType }) => isWithin(resourceTypes, resourceType, operation),
    only: ({ resourceTypes }, { resourceType }) =>
      `for the resource type ${oneOf(resourceTypes)}, and the type here is ${found(resourceType)}`,
  },
  {
    name: "own",
    fact: "isOwn",
    holds: ({ own }, { operation, isOwn }) => !own || !altersExisting(operation) || isOwn === true,
    only: () => "for what the same person created through Curfew",
  },
  {
    name: "maxExclusion",
    fact: "exclusionLengthMs",
    holds: ({ maxExclusionMs }, { operation, exclusionLengthMs }) =>
      maxExclusionMs === undefined ||
      !setsExclusionLength(operation) ||
      (exclusionLengthMs !== undefined && exclusionLengthMs <= maxExclusionMs),
    only: ({ maxExclusionMs = 0 }, { exclusionLengthMs }) =>
      `for up to ${formatDuration(maxExclusionMs)}${exclusionLengthMs === undefined ? ", and the length here is not known" : ""}`,
  },
];

/** A change must be known to be within; a read that names nothing is within, since its answer is filtered by the caller. */
const isWithin = (
  names: ReadonlySet<string> | undefined,
  name: string | undefined,
  operation: OperationName,
): boolean => names === undefined || (name === undefined ? operations[operation].effect === "read" : names.has(name));

const altersExisting = (operation: OperationName): boolean =>
  operations[operation].effect === "modify" || operations[operation].effect === "delete";

const oneOf = (names: ReadonlySet<string> = new Set()): string => [...names].join(" or ");
const found = (name: string | undefined): string => name ?? "not known";
