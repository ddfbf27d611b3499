import { accountOf } from "../service/account-ids.ts";
import { resourceTypeLabel } from "../service/action-types.ts";
import { machineOperations, type OperationName, operations } from "../service/operations.ts";
import { resourceKeys } from "../service/resources.ts";
import { formatDuration } from "../time/duration.ts";
import type { Actor } from "./actor.ts";
import { list, type NamedGroups, type Scope } from "./config-values.ts";
import { comesTo, furthestOver, type HeldTime, lengthFound, lengthOf, type WeekOfHours } from "./held-time.ts";
import type { Role } from "./policy.ts";

type Where = Role["where"];
type Facts = Omit<PermissionRequest, "actor"> & { readonly actor?: Pick<Actor, "inChannels"> | undefined };

/** To say why others are asked: "over @alice's limit of 1 d", "outside @alice's projects". */
export interface Beyond {
  readonly how: "over" | "outside";
  readonly what: string;
}

/** A condition of a role, by its name under `where` in curfew.yaml. */
export interface Condition {
  readonly name:
    | "channels"
    | "accounts"
    | "projects"
    | "groups"
    | "resourceTypes"
    | "own"
    | "maxExclusion"
    | "weeklyHours";
  readonly fact: keyof Facts;
  /** The requester can meet it: in another channel, or for less time. */
  readonly isUpToRequester: boolean;
  readonly holds: (where: Where, facts: Facts) => boolean;
  /** The requirement, to follow "only". */
  readonly only: (where: Where) => string;
  /** What the actor can do, to follow "You can exclude resources". */
  readonly toActor: (where: Where, facts: Facts) => string;
  /** What somebody goes beyond who does not meet it. */
  readonly beyond: (where: Where) => Beyond;
  /** The actual value, as a clause. */
  readonly found?: (facts: Facts) => string;
}

/** The conditions of a role that do not hold, in the order that a refusal lists them. An unknown fact fails its condition. */
export const unmetConditions = ({ where }: Role, facts: Facts): readonly Condition[] =>
  conditions.filter(({ holds }) => !holds(where, facts));

export const meetsConditions = ({ where }: Role, facts: Facts): boolean =>
  conditions.every(({ holds }) => holds(where, facts));

/**
 * Whether a condition that does not hold fails for good: the fact is known. A change that names no machines is never of a group, nor one
 * in another project.
 */
export function failsForGood({ name, fact }: Condition, { where: { groups } }: Role, facts: Facts): boolean {
  if (name === "accounts") return accountIn(facts) !== undefined;
  if (name !== "groups" || groups === undefined) return facts[fact] !== undefined;
  const { operation, projectId, resourceIds } = facts;
  if (!machineOperations.has(operation)) return true;
  if (resourceIds === undefined) return projectId !== undefined && !areIn(groups, projectId);
  return resourceIds.length === 0 || outside(groups, facts).length > 0;
}

/** All conditions of a role for the operation, in words. */
export const limitsOf = (role: Role, operation: OperationName): readonly string[] =>
  unmetConditions(role, { ...meetsNothing, operation }).map(({ only }) => only(role.where));

const meetsNothing = {
  ...{ channelId: null, account: "\0", projectId: "\0", resourceType: "\0", resourceIds: ["\0"] },
  ...{ exclusionLengthMs: Number.POSITIVE_INFINITY, isOwn: false, hours: undefined },
};

/** Whether the operation says how long an exclusion lasts. */
export const setsExclusionLength = (operation: OperationName): boolean =>
  "setsExclusionLength" in operations[operation];

const conditions: readonly Condition[] = [
  {
    name: "channels",
    fact: "channelId",
    isUpToRequester: true,
    holds: ({ channels }, { channelId, actor }) =>
      channels === undefined || [channelId, ...(actor?.inChannels ?? [])].some((id) => id !== null && channels.has(id)),
    only: ({ channels }) => `in the channel ${oneOf(channels)}`,
    toActor: ({ channels }) => `only in ${oneOf(channels)}`,
    beyond: () => ({ how: "outside", what: "channels" }),
  },
  {
    name: "accounts",
    fact: "account",
    isUpToRequester: false,
    holds: ({ accounts }, facts) => accounts === undefined || isWithin(accounts, accountIn(facts), facts.operation),
    only: ({ accounts }) => `in the account ${oneOf(accounts)}`,
    toActor: ({ accounts }, facts) => `only in the account ${oneOf(accounts)}${inWhich(accountIn(facts))}`,
    beyond: () => ({ how: "outside", what: "accounts" }),
    found: (facts) => `the account here is ${nameOf(accountIn(facts))}`,
  },
  {
    name: "projects",
    fact: "projectId",
    isUpToRequester: false,
    holds: ({ projects }, { operation, projectId }) => isWithin(projects, projectId, operation),
    only: ({ projects }) => `in the project ${oneOf(projects)}`,
    toActor: ({ projects }, { projectId }) => `only in ${oneOf(projects)}${inWhich(projectId)}`,
    beyond: () => ({ how: "outside", what: "projects" }),
    found: ({ projectId }) => `the project here is ${nameOf(projectId)}`,
  },
  {
    name: "groups",
    fact: "resourceIds",
    isUpToRequester: false,
    holds: ({ groups }, facts) => groups === undefined || isOfGroups(groups, facts),
    only: ({ groups }) => `for ${groupWords(groups)}`,
    toActor: ({ groups }, facts) => `only for ${groupWords(groups)}${outsideWords(groups, facts)}`,
    beyond: () => ({ how: "outside", what: "resource groups" }),
    found: ({ resourceIds = [], resourceType }) => {
      if (resourceIds.length === 0) return "the machines here are not known";
      return `this is about ${list(resourceIds)}${resourceType === undefined ? ", whose type is not known" : ""}`;
    },
  },
  {
    name: "resourceTypes",
    fact: "resourceType",
    isUpToRequester: false,
    holds: ({ resourceTypes }, { operation, resourceType }) => isWithin(resourceTypes, resourceType, operation),
    only: ({ resourceTypes }) => `for the resource type ${oneOf(resourceTypes)}`,
    toActor: ({ resourceTypes }, { resourceType }) =>
      `only for ${[...(resourceTypes ?? [])].map(resourceTypeLabel).join(" or ")}${resourceType ? `. This is ${resourceTypeLabel(resourceType)}` : ""}`,
    beyond: () => ({ how: "outside", what: "resource types" }),
    found: ({ resourceType }) => `the type here is ${nameOf(resourceType)}`,
  },
  {
    name: "own",
    fact: "isOwn",
    isUpToRequester: false,
    holds: ({ own }, { operation, isOwn }) => !own || !altersExisting(operation) || isOwn === true,
    only: () => "for what the same person created through Curfew",
    toActor: () => "only if you made it through Curfew",
    beyond: () => ({ how: "outside", what: "own exclusions" }),
  },
  {
    name: "maxExclusion",
    fact: "exclusionLengthMs",
    isUpToRequester: true,
    holds: ({ maxExclusionMs }, facts) =>
      maxExclusionMs === undefined ||
      !setsExclusionLength(facts.operation) ||
      (lengthOf(facts) ?? Number.POSITIVE_INFINITY) <= maxExclusionMs,
    only: ({ maxExclusionMs = 0 }) => `for up to ${formatDuration(maxExclusionMs)}`,
    toActor: ({ maxExclusionMs = 0 }, facts) =>
      [`for at most ${formatDuration(maxExclusionMs)} from its start`, lengthFound(facts) ?? []].flat().join(". "),
    beyond: ({ maxExclusionMs = 0 }) => ({ how: "over", what: `limit of ${formatDuration(maxExclusionMs)}` }),
    found: ({ exclusionLengthMs }) => (exclusionLengthMs === undefined ? "the length here is not known" : ""),
  },
  {
    name: "weeklyHours",
    fact: "hours",
    isUpToRequester: true,
    holds: ({ weeklyHours: limit }, { operation, hours }) =>
      limit === undefined ||
      !setsExclusionLength(operation) ||
      (hours !== undefined && furthestOver(hours, limit) === undefined),
    only: ({ weeklyHours: limit = 0 }) => `for up to ${limit} h of each resource in a week`,
    toActor: ({ weeklyHours: limit = 0 }, { hours }) => hoursLimit(limit, hours),
    beyond: ({ weeklyHours: limit = 0 }) => ({ how: "over", what: `limit of ${limit} h a week` }),
    found: ({ hours }) => (hours === undefined ? "the hours of this week are not known here" : ""),
  },
];

/** To follow "You can exclude resources": "for at most 40 h of each in a week. This would be 43 of 40 h this week". */
export function hoursLimit(limit: number, hours: PermissionRequest["hours"]): string {
  const over = furthestOver(hours ?? [], limit);
  return `for at most ${limit} h of each in a week${over ? `. ${comesTo(over, limit).replace(/\.$/, "")}` : ""}`;
}

/** A change must name one of these. A read that names none is within, since the caller filters its answer. */
const isWithin = (
  names: ReadonlySet<string> | undefined,
  name: string | undefined,
  operation: OperationName,
): boolean => names === undefined || (name === undefined ? operations[operation].effect === "read" : names.has(name));

const areIn = (groups: NamedGroups, projectId: string): boolean =>
  [...groups.values()].some(({ project }) => project === projectId);

/** A read is of a project: of that of one of the groups. A change is within if each of its machines is a member of one of them. */
function isOfGroups(groups: NamedGroups, facts: Facts): boolean {
  const { operation, projectId, resourceType, resourceIds = [] } = facts;
  if (operations[operation].effect === "read") return projectId === undefined || areIn(groups, projectId);
  return resourceType !== undefined && resourceIds.length > 0 && outside(groups, facts).length === 0;
}

/** The machines that are certainly no members: a name alone is another machine in another project. */
function outside(groups: NamedGroups, { projectId, resourceType, resourceIds = [] }: Facts): readonly string[] {
  const there = [...groups.values()].filter(
    ({ project, type }) => project === projectId && type === (resourceType ?? type),
  );
  return resourceIds.filter((id) => !there.some(({ ids }) => ids.has(id.toLowerCase())));
}

/** To follow "for": "the group payments". */
export const groupWords = (groups: NamedGroups = new Map()): string =>
  `the group${groups.size > 1 ? "s" : ""} ${[...groups.keys()].join(" or ")}`;

function outsideWords(groups: NamedGroups = new Map(), facts: Facts): string {
  const others = outside(groups, facts);
  if (others.length === 0) return facts.resourceIds?.length === 0 ? ". This names no machine by its id" : "";
  return `. ${list(others)} ${others.length > 1 ? "are" : "is"} not in ${groups.size > 1 ? "them" : "it"}`;
}

type Machines = Pick<Facts, "account" | "projectId" | "resourceType" | "resourceIds">;

export const isForAll = ({ accounts, projects, groups }: Scope): boolean =>
  accounts === undefined && projects === undefined && groups === undefined;

/** Whether something may be within a scope. What is not known may be. */
export const mayBeWithin = ({ accounts, projects, groups }: Scope, machines: Machines): boolean =>
  (accounts === undefined || mayBeIn(accounts, accountIn(machines))) &&
  mayBeIn(projects, machines.projectId) &&
  mayBeOfGroups(groups, machines);

/** Whether something may be within both of two scopes. A missing list stands for everything. */
export function mayConcern(one: Scope, other: Scope): boolean {
  if (one.groups)
    return [...one.groups.values()].some(({ project, type, ids }) =>
      (ids.size > 0 ? [...ids] : [undefined]).some((id) =>
        mayBeWithin(other, { projectId: project, resourceType: type, resourceIds: id === undefined ? [] : [id] }),
      ),
    );
  const projects = one.projects ? [...one.projects] : [undefined];
  const accounts = one.accounts && !one.projects ? [...one.accounts] : [undefined];
  return projects.some((projectId) => accounts.some((account) => mayBeWithin(other, { account, projectId })));
}

/** Ignores case: another spelling of a name must not skip a rule. */
export const mayBeIn = (names: ReadonlySet<string> | undefined, name: string | undefined): boolean =>
  names === undefined ||
  name === undefined ||
  names.has(name) ||
  [...names].some((each) => each.toLowerCase() === name.toLowerCase());

/** Whether one of the machines may be a member, by any of its names. Where nobody knows which they are, any of that project may be. */
export function mayBeOfGroups(
  groups: NamedGroups | undefined,
  { projectId, resourceType, resourceIds }: Machines,
): boolean {
  if (groups === undefined) return true;
  const there = [...groups.values()].filter(
    ({ project, type }) =>
      (projectId ?? project).toLowerCase() === project.toLowerCase() && (resourceType ?? type) === type,
  );
  if (!resourceIds?.length) return there.length > 0;
  const keys = there.length > 0 ? resourceIds.flatMap(resourceKeys) : [];
  return there.some((group) => keys.some((key) => group.keys.has(key)));
}

const altersExisting = (operation: OperationName): boolean =>
  operations[operation].effect === "modify" || operations[operation].effect === "delete";

/** The account of the service that a request is about; undefined where it names nothing. A thing of no known project is in none. */
const accountIn = ({ account, projectId }: Pick<Facts, "account" | "projectId">): string | undefined =>
  account ?? (projectId === undefined ? undefined : projectId && accountOf(projectId));

const inWhich = (place: string | undefined): string => (place ? `. This is in ${place}` : "");

const oneOf = (names: ReadonlySet<string> = new Set()): string => [...names].join(" or ");
const nameOf = (name: string | undefined): string => name ?? "not known";

/** An operation that somebody asks for, with the facts for conditions. An unknown fact is left out. */
export interface PermissionRequest {
  readonly actor: Actor;
  readonly operation: OperationName;
  /** Null outside any channel. */
  readonly channelId: string | null;
  /** The account of the service; where it is not given, that of the project. */
  readonly account?: string | undefined;
  readonly projectId?: string | undefined;
  readonly resourceType?: string | undefined;
  /** The machines that it names by their ids; none where it names them otherwise, so nobody knows which they are. */
  readonly resourceIds?: readonly string[] | undefined;
  readonly exclusionLengthMs?: number | undefined;
  /** For each machine that it holds; none where only its own length counts. */
  readonly held?: readonly HeldTime[] | undefined;
  readonly isOwn?: boolean | undefined;
  /** Who made the thing through Curfew. */
  readonly ownerId?: string | null | undefined;
  /** The hours that it adds to each week; none where nothing is kept running. */
  readonly hours?: readonly WeekOfHours[] | undefined;
}
