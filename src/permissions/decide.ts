import { type OperationName, operations } from "../service/operations.ts";
import type { Actor } from "./actor.ts";
import { type Condition, unmetConditions } from "./conditions.ts";
import type { Holder, Policy, Role } from "./policy.ts";
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
  if (actor.standing !== "member")
    return { ...defaultDeny, reason: whyNotMember(actor.name, actor.standing), couldDo: [] };
  let closest: { role: Role; unmet: readonly Condition[] } | undefined;
  const held = rolesOf(policy, actor, operation);
  for (const role of held) {
    const unmet = unmetConditions(role, request);
    if (unmet.length === 0) return { kind: "allowed", role: role.name, rule: `permissions.roles.${role.name}.allow` };
    if (closest === undefined || unmet.length < closest.unmet.length) closest = { role, unmet };
  }
  // A role that did not suffice here is no answer to "who could".
  const couldDo = (policy.holdersOf.get(operation) ?? []).filter(({ role }) => !held.some(({ name }) => name === role));
  if (closest === undefined) return { ...defaultDeny, reason: whyNoRole(actor, operation), couldDo };
  const { role, unmet } = closest;
  return {
    kind: "denied",
    reason: unmet.map((condition) => whatIsMissing(condition, role, request)).join(" "),
    rule: `permissions.roles.${role.name}.where.${unmet[0]?.name}`,
    couldDo,
  };
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

const whyNotMember = (name: string, standing: keyof typeof standings): string =>
  `${name} ${standings[standing]}; only full members of this workspace may use Curfew.`;

const standings = {
  guest: "is a guest",
  bot: "is a bot",
  deleted: "has a deactivated account",
  external: "is from another organisation",
} as const satisfies Record<Exclude<Actor["standing"], "member">, string>;

const whyNoRole = ({ name }: Actor, operation: OperationName): string =>
  `${name} has no role that allows "${operations[operation].summary}".`;

const whatIsMissing = ({ only }: Condition, { name, where }: Role, request: PermissionRequest): string =>
  `The role "${name}" allows "${operations[request.operation].summary}" only ${only(where, request)}.`;
