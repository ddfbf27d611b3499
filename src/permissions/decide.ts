import { type OperationName, operations } from "../service/operations.ts";
import type { Actor } from "./actor.ts";
import { type Condition, limitsOf, unmetConditions } from "./conditions.ts";
import { type Holder, holders, type Policy, type Role } from "./policy.ts";
import { holdsRole } from "./roles-held.ts";

/** What is asked, with the facts that conditions look at; a fact that is not known is left out. */
export interface PermissionRequest {
  readonly actor: Actor;
  readonly operation: OperationName;
  /** Where it was asked; null outside any channel. */
  readonly channelId: string | null;
  readonly projectId?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly exclusionLengthMs?: number | undefined;
  readonly isOwn?: boolean | undefined;
}

export type Decision =
  | { readonly kind: "allowed"; readonly role: string; readonly rule: string }
  | {
      readonly kind: "denied";
      /** Full sentences for people: what is missing. */
      readonly reason: string;
      readonly rule: string;
      readonly couldDo: readonly Holder[];
    };

/** Whether the actor may do this, and the line of curfew.yaml that decided (design.md, "Permissions"). Default deny. */
export function decide(policy: Policy, request: PermissionRequest): Decision {
  const { actor, operation } = request;
  if (actor.membership !== "member")
    return { ...defaultDeny, reason: notAMember(actor.name, actor.membership), couldDo: [] };
  let closest: { role: Role; unmet: readonly Condition[] } | undefined;
  const held = rolesOf(policy, actor, operation);
  for (const role of held) {
    const unmet = unmetConditions(role, request);
    if (unmet.length === 0) return { kind: "allowed", role: role.name, rule: `permissions.roles.${role.name}.allow` };
    if (closest === undefined || unmet.length < closest.unmet.length) closest = { role, unmet };
  }
  const couldDo = othersWhoCould(policy, request, held);
  if (closest === undefined) return { ...defaultDeny, reason: whyNoRole(actor, operation), couldDo };
  const { role } = closest;
  const told = mostRelevant(closest.unmet, request);
  return {
    kind: "denied",
    reason: told.map((condition) => whatIsMissing(condition, role, request)).join(" "),
    rule: `permissions.roles.${role.name}.where.${told[0]?.name}`,
    couldDo,
  };
}

/** What certainly fails before what only might, and what the requester cannot alter before what they can: then the rest does not matter. */
function mostRelevant(unmet: readonly Condition[], request: PermissionRequest): readonly Condition[] {
  const certain = unmet.filter(({ fact }) => request[fact] !== undefined);
  const failing = certain.length > 0 ? certain : unmet;
  const final = failing.filter(({ isUpToRequester }) => !isUpToRequester);
  return final.length > 0 ? final : failing;
}

/**
 * The roles in which somebody else could do it: those that allow it here first, then those that would in another channel. One that
 * did not suffice to the requester is no answer, nor is one that nobody else has or whose conditions fail for certain.
 */
function othersWhoCould(policy: Policy, request: PermissionRequest, held: readonly Role[]): readonly Holder[] {
  const { operation, actor } = request;
  const others = (policy.rolesFor.get(operation) ?? []).filter((role) => !held.includes(role));
  const failing = (role: Role) => unmetConditions(role, request).filter(({ fact }) => request[fact] !== undefined);
  const here = others.filter((role) => failing(role).length === 0);
  const elsewhere = others.filter((role) => failing(role).length === 1 && failing(role)[0]?.name === "channels");
  return holders([...here, ...elsewhere], actor.userId);
}

/** What each of the actor's roles asks for before it allows the operation, in words; none when one of them asks for nothing. */
export function limitsHeld(policy: Policy, actor: Actor, operation: OperationName): readonly string[] {
  const limits = rolesOf(policy, actor, operation).map((role) => ({ role, asks: limitsOf(role, operation) }));
  return limits.some(({ asks }) => asks.length === 0)
    ? []
    : limits.flatMap(({ role, asks }) => asks.map((only) => `${role.name}: only ${only}`));
}

/**
 * Whether some role could allow this to the actor here, whatever the facts that are left out turn out to be: decides what is shown,
 * never what is done.
 */
export function mayOffer(policy: Policy, request: PermissionRequest): boolean {
  const { actor, operation } = request;
  return rolesOf(policy, actor, operation).some((role) =>
    unmetConditions(role, request).every(({ fact }) => request[fact] === undefined),
  );
}

const defaultDeny = { kind: "denied", rule: "default deny" } as const;

const rolesOf = (policy: Policy, actor: Actor, operation: OperationName): readonly Role[] =>
  (policy.rolesFor.get(operation) ?? []).filter((role) => holdsRole(actor, role));

const notAMember = (name: string, membership: keyof typeof memberships): string =>
  `${name} ${memberships[membership]}; only full members of this workspace may use Curfew.`;

const memberships = {
  guest: "is a guest",
  bot: "is a bot",
  deleted: "has a deactivated account",
  external: "is from another organisation",
} as const satisfies Record<Exclude<Actor["membership"], "member">, string>;

const whyNoRole = ({ name }: Actor, operation: OperationName): string =>
  `${name} has no role that allows "${operations[operation].summary}".`;

function whatIsMissing({ only, found }: Condition, { name, where }: Role, request: PermissionRequest): string {
  const here = found?.(request);
  return `The role "${name}" allows "${operations[request.operation].summary}" only ${only(where)}${here ? `, and ${here}` : ""}.`;
}
