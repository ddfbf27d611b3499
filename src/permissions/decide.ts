import { type OperationName, operations } from "../service/operations.ts";
import { type Actor, isGroupId } from "./actor.ts";
import { budgetsExceeded, budgetsFor, budgetWords, hoursIn } from "./budgets.ts";
import {
  type Beyond,
  type Condition,
  failsForGood,
  hoursLimit,
  limitsOf,
  mayConcern,
  meetsConditions,
  type PermissionRequest,
  unmetConditions,
} from "./conditions.ts";
import { latestEnd, latestEndHeld } from "./held-time.ts";
import { type ApprovalRule, type Holder, holders, type Policy, type Role, rolesOfActor } from "./policy.ts";

/**
 * In no role that is limited to projects. For a read whose thing has no known project; without a project at all, a read names nothing
 * and is allowed.
 */
export const unknownProject = "";

export type Decision =
  | { readonly kind: "allowed"; readonly role: string; readonly rule: string }
  | {
      readonly kind: "denied";
      /** Full sentences about the actor, for others. */
      readonly reason: string;
      /** The same to the actor: what matters first. */
      readonly toActor?: string;
      readonly rule: string;
      readonly couldDo: readonly Holder[];
      /** Where only limits of time stand against it: what was asked for, and the latest end within them, if there is one. */
      readonly askedMs?: number | undefined;
      readonly latestEnd?: number | undefined;
      /** Why it is more than the actor may do; not for those who may do nothing. */
      readonly beyond?: Beyond | undefined;
      /** The projects that `toActor` names by their ids. */
      readonly projects?: readonly string[] | undefined;
      /** The channels where it is allowed, when that is what matters. */
      readonly channels?: readonly string[] | undefined;
    };

/** Whether the actor may do this, and the line of curfew.yaml that decided (REFERENCE.md). Default deny. */
export function decide(policy: Policy, request: PermissionRequest): Decision {
  const { actor, operation } = request;
  if (actor.membership !== "member")
    return { ...defaultDeny, ...notAMember(actor.name, actor.membership), couldDo: [] };
  let closest: { role: Role; unmet: readonly Condition[] } | undefined;
  const held = rolesOf(policy, actor, operation);
  for (const role of held) {
    const unmet = unmetConditions(role, request);
    if (unmet.length === 0)
      return (
        refusedByBudget(policy, request) ?? {
          ...{ kind: "allowed", role: role.name, rule: `permissions.roles.${role.name}.allow` },
        }
      );
    if (closest === undefined || unmet.length < closest.unmet.length) closest = { role, unmet };
  }
  const couldDo = whoCould(policy, request);
  const nobody = couldDo.length === 0 ? nobodyElse : "";
  if (closest === undefined) return { ...defaultDeny, ...whyNoRole(actor, operation, nobody), couldDo };
  const { role } = closest;
  const decisive = mostRelevant(closest, request);
  const [first] = decisive;
  const isTooLong = decisive.every(({ name }) => name === "maxExclusion" || name === "weeklyHours");
  return {
    kind: "denied",
    reason: decisive.map((condition) => whatIsMissing(condition, role, request)).join(" "),
    toActor: first
      ? `${toActor(first, role, request)}${first.isUpToRequester && first.name !== "weeklyHours" ? "" : nobody}`
      : "You can't do this here.",
    rule: `permissions.roles.${role.name}.where.${first?.name}`,
    couldDo,
    askedMs: isTooLong ? request.exclusionLengthMs : undefined,
    latestEnd: isTooLong ? latestEndWithin(decisive, role.where, request) : undefined,
    channels: first?.name === "channels" ? [...(role.where.channels ?? [])] : undefined,
    projects: first?.name === "projects" ? [...(role.where.projects ?? []), request.projectId ?? ""] : undefined,
    beyond: first?.beyond(role.where),
  };
}

/** Whether `decide` allows it, for those who need no reason. */
export const allows = (policy: Policy, request: PermissionRequest): boolean =>
  request.actor.membership === "member" &&
  rolesOf(policy, request.actor, request.operation).some((role) => meetsConditions(role, request)) &&
  budgetsExceeded(policy, request, "refuse").length === 0;

function latestEndWithin(
  exceeded: readonly Condition[],
  { maxExclusionMs = 0, weeklyHours = 0 }: Role["where"],
  { held = [], hours = [] }: PermissionRequest,
): number | undefined {
  const ends = exceeded.map(({ name }) =>
    name === "weeklyHours" ? latestEnd(hours, weeklyHours) : latestEndHeld(held, maxExclusionMs),
  );
  const known = ends.flatMap((end) => end ?? []);
  return known.length === ends.length ? Math.min(...known) : undefined;
}

export const nobodyElse = " Nobody else can either: ask the people who run Curfew.";

/** A budget that refuses holds for everybody whose role allows it, admins too. */
function refusedByBudget(policy: Policy, request: PermissionRequest): Decision | undefined {
  const [budget] = budgetsExceeded(policy, request, "refuse").toSorted(
    (one, other) => one.weeklyHours - other.weeklyHours,
  );
  if (!budget) return undefined;
  const { actor, operation } = request;
  const { weeklyHours, rule } = budget;
  const hours = hoursIn(budget, request);
  const couldDo = whoCould(policy, request);
  const wayOn = couldDo.length === 0 ? " Ask the people who run Curfew for a larger budget." : "";
  return {
    kind: "denied",
    reason: `${actor.name} can ${actOf(operation)} only ${hoursLimit(weeklyHours, hours)}.`,
    toActor: `You can ${actOf(operation)} ${hoursLimit(weeklyHours, hours)}.${wayOn}`,
    ...{ rule, couldDo },
    askedMs: request.exclusionLengthMs,
    latestEnd: latestEnd(hours ?? [], weeklyHours),
    beyond: { how: "over", what: `budget of ${weeklyHours} h a week` },
  };
}

/** Certain failures before possible ones, then those that the requester cannot fix before those that they can. */
function mostRelevant(
  { role, unmet }: { readonly role: Role; readonly unmet: readonly Condition[] },
  request: PermissionRequest,
): readonly Condition[] {
  const certain = unmet.filter((condition) => failsForGood(condition, role, request));
  const failing = certain.length > 0 ? certain : unmet;
  const final = failing.filter(({ isUpToRequester }) => !isUpToRequester);
  return final.length > 0 ? final : failing;
}

/**
 * The roles that could do it, the same for whoever asks: first those that allow it here, then those that would in another channel. Left
 * out are roles that nobody else has, and roles with a condition that certainly fails. Of a role for what its members made, its owner.
 */
export function whoCould(policy: Policy, request: PermissionRequest): readonly Holder[] {
  const { operation, actor, ownerId, isOwn } = request;
  const theirs = { ...request, ...ofAnother(request), isOwn: isOwn === undefined ? undefined : false };
  if (budgetsExceeded(policy, theirs, "refuse").length > 0) return [];
  const found = (policy.rolesFor.get(operation) ?? []).map((role) => {
    const failing = unmetConditions(role, theirs).filter((condition) => failsForGood(condition, role, theirs));
    const names = failing.map(({ name }) => name);
    const mayOwn = ownerId && (role.members.has(ownerId) || [...role.members].some(isGroupId));
    const could = names.includes("own") && mayOwn ? { ...role, members: new Set([ownerId]) } : role;
    const isHolder = !names.includes("own") || mayOwn;
    return { could, isHolder, left: names.filter((name) => name !== "own") };
  });
  const here = found.filter(({ isHolder, left }) => isHolder && left.length === 0);
  const elsewhere = found.filter(({ isHolder, left }) => isHolder && left.length === 1 && left[0] === "channels");
  return holders(
    [...here, ...elsewhere].map(({ could }) => could),
    actor.userId,
  );
}

/** The roles that could do all of these. */
export function whoCouldAll(
  policy: Policy,
  request: Omit<PermissionRequest, "operation">,
  operationsOf: readonly OperationName[],
): readonly Holder[] {
  const [first = [], ...others] = operationsOf.map((operation) => whoCould(policy, { ...request, operation }));
  return first.filter(({ role }) => others.every((each) => each.some((other) => other.role === role)));
}

/** The same request by somebody who holds nothing yet. */
const ofAnother = ({ hours }: PermissionRequest) => ({
  hours: hours?.map((week) => ({ ...week, soFarMs: 0 })),
  held: [],
});

type LimitsAsked = Pick<PermissionRequest, "actor" | "operation" | "projectId" | "resourceType" | "resourceIds">;

/**
 * The conditions that each of the actor's roles puts on the operation, in words, none when one role has no conditions; and the budgets
 * of the project, of all projects where it is unknown, that count something of these roles.
 */
export function limitsHeld(policy: Policy, asked: LimitsAsked): readonly string[] {
  const { actor, operation } = asked;
  const limits = rolesOf(policy, actor, operation).map((role) => ({ role, conditions: limitsOf(role, operation) }));
  const ofRoles = limits.some(({ conditions }) => conditions.length === 0)
    ? []
    : limits.flatMap(({ role, conditions }) => conditions.map((only) => `${role.name}: only ${only}`));
  const budgets = budgetsFor(policy, asked).filter((budget) =>
    limits.some(({ role }) => mayConcern(role.where, budget)),
  );
  return [...ofRoles, ...budgets.map(budgetWords)];
}

/**
 * Whether some role could allow this to the actor here, for some value of the unknown facts. It decides what is shown, never what
 * is done.
 */
export function mayOffer(policy: Policy, request: PermissionRequest): boolean {
  const { actor, operation } = request;
  return rolesOf(policy, actor, operation).some((role) =>
    unmetConditions(role, request).every((condition) => !failsForGood(condition, role, request)),
  );
}

const defaultDeny = { kind: "denied", rule: "default deny" } as const;

const rolesOf = (policy: Policy, actor: Actor, operation: OperationName): readonly Role[] =>
  rolesOfActor(policy, actor).filter(({ operations: allowed }) => allowed.has(operation));

const notAMember = (name: string, membership: keyof typeof memberships) => ({
  reason: `${name} ${memberships[membership]}; only full members of this workspace may use Curfew.`,
  toActor: "Only full members of this workspace can use Curfew: ask one.",
});

const memberships = {
  guest: "is a guest",
  bot: "is a bot",
  deleted: "has a deactivated account",
  external: "is from another organization",
} as const satisfies Record<Exclude<Actor["membership"], "member">, string>;

const whyNoRole = ({ name }: Actor, operation: OperationName, nobody: string) => ({
  reason: `${name} has no role that allows "${operations[operation].summary}".`,
  toActor: `You can't ${actOf(operation)}.${nobody}`,
  beyond: { how: "outside", what: "roles" } as const,
});

/** "rename a project". */
export const actOf = (operation: OperationName): string => {
  const { summary } = operations[operation];
  return `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
};

function toActor({ toActor: words }: Condition, { where }: Role, request: PermissionRequest): string {
  return `You can ${actOf(request.operation)} ${words(where, request)}.`;
}

function whatIsMissing({ only, found }: Condition, { name, where }: Role, request: PermissionRequest): string {
  const here = found?.(request);
  return `The role "${name}" allows "${operations[request.operation].summary}" only ${only(where)}${here ? `, and ${here}` : ""}.`;
}

/** How long a request to be allowed something stands, as an approval does without `expires`. */
const standsMs = 4 * 3_600_000;

/** The actor's roles that let them ask others for an operation; none for anyone but a full member. */
export function rolesForAsking(policy: Policy, actor: Actor, operation: OperationName): readonly Role[] {
  if (operations[operation].effect === "read") return [];
  return rolesOfActor(policy, actor).filter(({ mayAsk }) => mayAsk?.operations.has(operation));
}

/**
 * Whom the actor may ask to allow all of these requests, as an approval; undefined where their roles name nobody who could. The
 * requests are of one change, so they have the same actor and operation.
 */
export function askingFor(policy: Policy, requests: readonly PermissionRequest[]): ApprovalRule | undefined {
  const [first] = requests;
  if (!first) return undefined;
  const { actor, operation } = first;
  const held = rolesForAsking(policy, actor, operation);
  const named = new Set(held.flatMap(({ mayAsk }) => mayAsk?.approvers ?? []));
  // A budget that refuses holds for whoever allows it, too.
  const isOver = requests.some((each) => budgetsExceeded(policy, { ...each, ...ofAnother(each) }, "refuse").length > 0);
  const approvers = policy.roles.filter(
    (role) => !isOver && named.has(role.name) && couldAllow(policy, role, requests),
  );
  if (approvers.length === 0) return undefined;
  return {
    rule: held.map(({ name }) => `permissions.roles.${name}.mayAsk`).join(" and "),
    operations: new Set([operation]),
    approvers: approvers.map(({ name }) => name),
    ...{ count: 1, expiresMs: standsMs, when: { longerThanMs: undefined } },
  };
}

/** Whether somebody in the role, who is not the requester, may hold the right for all requests. Their channels do not matter. */
function couldAllow(policy: Policy, approvers: Role, requests: readonly PermissionRequest[]): boolean {
  return requests.every((request) =>
    (policy.rolesFor.get(request.operation) ?? []).some((role) => {
      // What they hold themselves is looked at when they decide.
      const unmet = unmetConditions(role, { ...request, isOwn: false, ...ofAnother(request) });
      return unmet.every(({ name }) => name === "channels") && mayShareMember(approvers, role, request.actor.userId);
    }),
  );
}

/** Whether somebody else than this person may hold both roles. The members of a user group are unknown. */
export function mayShareMember(one: Role, other: Role, exceptId?: string): boolean {
  const [some, others] = [one, other].map(({ members }) => [...members].filter((id) => id !== exceptId));
  if (!some?.length || !others?.length) return false;
  return [...some, ...others].some(isGroupId) || some.some((id) => others.includes(id));
}
