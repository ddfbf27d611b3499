import type { Problem } from "../../commands/answer.ts";
import { isProblem } from "../../commands/answer.ts";
import type { ChangeCommand, CommandContext } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";
import type { Entity, EntityBody, EntityKind } from "../../directory/directory.ts";
import type { Actor } from "../../permissions/actor.ts";
import { type Decision, decide, mayOffer } from "../../permissions/decide.ts";
import type { PermissionRequest } from "../../permissions/permission-request.ts";
import type { ApprovalRule, Policy } from "../../permissions/policy.ts";
import { approvalOf, type ChangeTargets, changeTargets } from "./change-targets.ts";

export type Denied = Extract<Decision, { kind: "denied" }>;
export type Allowed = Extract<Decision, { kind: "allowed" }>;

export interface Authorized {
  readonly kind: "authorized";
  readonly input: Input;
  readonly request: object;
  readonly before: EntityBody<EntityKind> | undefined;
  readonly subjectId: string | null;
  readonly decision: Allowed;
  /** The approval that it needs, if any. */
  readonly approval: ApprovalRule | undefined;
}
export type Authorization = Authorized | { readonly kind: "refused"; readonly decision: Denied } | Invalid;
export interface Invalid {
  readonly kind: "invalid";
  readonly problem: Problem;
}

/** Builds the operation's exact request and decides whether this actor may send it here. Changes nothing. */
export async function decideChange(
  policy: Policy,
  command: ChangeCommand,
  input: Input,
  context: CommandContext,
): Promise<Authorization> {
  const subjectId = command.subjectId(input);
  const subject = subjectId === null ? undefined : await context.directory.get(command.about, subjectId);
  const isOver = subject !== undefined && subject.endedAt !== null;
  const ask = { actor: context.actor, operation: command.operation, channelId: context.channelId };
  const request = command.obstacle ?? (isOver ? over(command) : command.request(input, context, subject?.body));
  if (isProblem(request)) {
    // A person without the right gets the refusal. The problem in the input could reveal something about the entity.
    const refused = refusedAnyway(policy, ask, subject);
    return refused ? { kind: "refused", decision: refused } : { kind: "invalid", problem: request };
  }
  const isOwn = subject !== undefined && subject.ownerId === context.actor.userId;
  const occurrence = { request, before: subject?.body, after: undefined };
  const targets = await changeTargets(command, occurrence, { ...context, subjectId });
  const decision = judge(policy, targets, { ...ask, isOwn });
  if (isProblem(decision)) return { kind: "invalid", problem: decision };
  if (decision.kind === "denied") return { kind: "refused", decision };
  const approval = approvalOf(policy, command, occurrence, targets, { ...ask, isOwn });
  if (approval === "none together") return { kind: "refused", decision: nobodyForAll };
  return { kind: "authorized", input, request, before: subject?.body, subjectId, decision, approval };
}

/** Judges the targets that the change names, then contradictions about its resources, then the known places of the resources. */
function judge(
  policy: Policy,
  { own, elsewhere, contradiction }: ChangeTargets,
  ask: PermissionRequest,
): Decision | Problem {
  const [decision, ...others] = own.map((target) => decide(policy, { ...ask, ...target }));
  const denied = [decision, ...others].find((each) => each?.kind === "denied");
  if (denied) return denied;
  if (contradiction) return contradiction;
  for (const { target, why } of elsewhere) {
    const there = decide(policy, { ...ask, ...target });
    if (there.kind === "denied")
      return { ...there, reason: `${why} ${there.reason}`, toActor: `${why} ${there.toActor ?? there.reason}` };
  }
  return decision ?? decide(policy, ask);
}

const nobodyForAll: Denied = {
  kind: "denied",
  reason:
    "This touches several things that need approvals of different people, and no role may give them all. Ask for each of them apart.",
  rule: "approvals",
  couldDo: [],
};

/**
 * Why this actor may never use the command here on the subject of the input; undefined if they may or the subject is not
 * known.
 */
export async function refusedForThing(
  policy: Policy,
  command: ChangeCommand,
  input: Input,
  { directory, actor, channelId }: CommandContext,
): Promise<Denied | undefined> {
  const subjectId: string | null | undefined = command.subjectId(input);
  const subject = subjectId ? await directory.get(command.about, subjectId) : undefined;
  return subject && refusedAnyway(policy, { actor, operation: command.operation, channelId }, subject);
}

function refusedAnyway(policy: Policy, ask: PermissionRequest, subject: Entity | undefined): Denied | undefined {
  const known = { ...ask, ...(subject ? factsOf(subject, ask.actor) : {}) };
  const decision = decide(policy, known);
  return decision.kind === "denied" && !mayOffer(policy, known) ? decision : undefined;
}

/** The facts of an entity that count for every operation. The length of an exclusion is not judged here, so it is 0. */
function factsOf({ projectId, ownerId, body }: Entity, { userId }: Actor): Partial<PermissionRequest> {
  const resourceType = "resourceType" in body && typeof body.resourceType === "string" ? body.resourceType : undefined;
  return { projectId: projectId ?? undefined, resourceType, isOwn: ownerId === userId, exclusionLengthMs: 0 };
}

function over({ about }: ChangeCommand): Problem {
  return { problem: `This ${about} is no more: it has been ended or deleted already. Nothing was changed.` };
}
