import type { Problem } from "../commands/answer.ts";
import { isProblem } from "../commands/answer.ts";
import type { ChangeCommand, CommandContext } from "../commands/command.ts";
import type { Input, KnownKind } from "../commands/field.ts";
import type { KnownBody, KnownThing } from "../commands/known.ts";
import type { Actor } from "../permissions/actor.ts";
import { type ApprovalRule, approvalFor } from "../permissions/approval.ts";
import { type Decision, decide, mayOffer, type PermissionRequest } from "../permissions/decide.ts";
import type { Policy } from "../permissions/policy.ts";

export type Denied = Extract<Decision, { kind: "denied" }>;
export type Allowed = Extract<Decision, { kind: "allowed" }>;

export interface Authorised {
  readonly kind: "authorised";
  readonly input: Input;
  readonly request: object;
  readonly before: KnownBody<KnownKind> | undefined;
  readonly subjectId: string | null;
  readonly decision: Allowed;
  /** Whose yes it needs beside. */
  readonly approval: ApprovalRule | undefined;
}
export type Authorisation = Authorised | { readonly kind: "refused"; readonly decision: Denied } | Invalid;
export interface Invalid {
  readonly kind: "invalid";
  readonly problem: Problem;
}

/** The first step: makes the operation's exact input and decides whether this actor may send it here. Changes nothing. */
export async function authorise(
  policy: Policy,
  command: ChangeCommand,
  input: Input,
  context: CommandContext,
): Promise<Authorisation> {
  const subjectId = command.subjectId(input);
  const subject = subjectId === null ? undefined : await context.known.get(command.about, subjectId);
  const isOver = subject !== undefined && subject.endedAt !== null;
  const ask = { actor: context.actor, operation: command.operation, channelId: context.channelId };
  const request = command.obstacle ?? (isOver ? over(command) : command.request(input, context, subject?.body));
  if (isProblem(request)) {
    // Who may not do it at all, or not to this thing, learns that, rather than what is wrong with the input.
    const refused = refusedAnyway(policy, ask, subject);
    return refused ? { kind: "refused", decision: refused } : { kind: "invalid", problem: request };
  }
  const isOwn = subject !== undefined && subject.ownerId === context.actor.userId;
  const occurrence = { request, before: subject?.body, after: undefined };
  const [target, ...others] = [await command.target(occurrence, context.now, context.known)].flat();
  const facts = { ...ask, ...target, isOwn };
  const allFacts = [facts, ...others.map((other) => ({ ...ask, ...other, isOwn }))];
  const denied = allFacts.map((each) => decide(policy, each)).find((each) => each.kind === "denied");
  const decision = denied ?? decide(policy, facts);
  if (decision.kind === "denied") return { kind: "refused", decision };
  const asked = new Set(allFacts.map((each) => approvalFor(policy, each)));
  const approval = policy.approvals.find((rule) => asked.has(rule));
  return { kind: "authorised", input, request, before: subject?.body, subjectId, decision, approval };
}

/** Why this actor may not do it here to the thing that the input names, whatever else it says; undefined when they may, or nothing is known of it. */
export async function refusedForThing(
  policy: Policy,
  command: ChangeCommand,
  input: Input,
  { known, actor, channelId }: CommandContext,
): Promise<Denied | undefined> {
  const subjectId: string | null | undefined = command.subjectId(input);
  const subject = subjectId ? await known.get(command.about, subjectId) : undefined;
  return subject && refusedAnyway(policy, { actor, operation: command.operation, channelId }, subject);
}

function refusedAnyway(policy: Policy, ask: PermissionRequest, subject: KnownThing | undefined): Denied | undefined {
  const told = { ...ask, ...(subject ? factsOf(subject, ask.actor) : {}) };
  const decision = decide(policy, told);
  return decision.kind === "denied" && !mayOffer(policy, told) ? decision : undefined;
}

/** What a thing tells of itself, whatever shall be done to it. How long it is to last stands in the way of nobody yet. */
function factsOf({ projectId, ownerId, body }: KnownThing, { userId }: Actor): Partial<PermissionRequest> {
  const resourceType = "resourceType" in body && typeof body.resourceType === "string" ? body.resourceType : undefined;
  return { projectId: projectId ?? undefined, resourceType, isOwn: ownerId === userId, exclusionLengthMs: 0 };
}

function over({ about }: ChangeCommand): Problem {
  return { problem: `This ${about} is no more: it has been ended or deleted already. Nothing was changed.` };
}
