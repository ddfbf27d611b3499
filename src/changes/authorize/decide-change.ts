import { isProblem, type Problem } from "../../commands/answer.ts";
import type { ChangeCommand, CommandContext } from "../../commands/command.ts";
import { instant } from "../../commands/exclusion/exclusion-body.ts";
import { excludeAnew } from "../../commands/exclusion/exclusion-edit.ts";
import type { Input } from "../../commands/field.ts";
import { plannedStart } from "../../commands/occurrence.ts";
import { type Entity, type EntityBody, type EntityKind, isOfKind } from "../../directory/directory.ts";
import type { NeededApproval } from "../../permissions/account-care.ts";
import { type Actor, isProgram } from "../../permissions/actor.ts";
import { othersNamed } from "../../permissions/approval-rules.ts";
import { askingFor, rolesForAsking } from "../../permissions/asking.ts";
import { type Decision, decide, mayOffer } from "../../permissions/decide.ts";
import { asLongAs } from "../../permissions/held-time.ts";
import type { PermissionRequest } from "../../permissions/permission-request.ts";
import type { ApprovalRule, Holder, Policy } from "../../permissions/policy.ts";
import { channelsHeld } from "../../permissions/roles-held.ts";
import { browseOperation, type OperationName } from "../../service/operations.ts";
import type { Approval } from "../change.ts";
import { partly } from "../hours/exclusion-steps.ts";
import type { ExclusionRecords } from "../hours/kept-running.ts";
import { type Holds, heldBeside, whyHeldTooLong } from "../hours/time-held.ts";
import { type AccountPast, accountFacts, notAlone } from "./account-facts.ts";
import { approvalOf, type ChangeTargets, changeTargets } from "./change-targets.ts";
import { hoursAdded } from "./hours-added.ts";

export type Denied = Extract<Decision, { kind: "denied" }> & {
  /** Whom the actor may ask to allow exactly this. */
  readonly mayAsk?: readonly Holder[] | undefined;
  /** Those named could ask for it, and the actor approves it. */
  readonly isToAsk?: boolean | undefined;
};
export type Allowed = Extract<Decision, { kind: "allowed" }>;

export interface Authorized {
  readonly kind: "authorized";
  readonly input: Input;
  readonly request: object;
  readonly before: EntityBody<EntityKind> | undefined;
  readonly subjectId: string | null;
  readonly decision: Allowed;
  /** The approval that it needs, if any. */
  readonly approval: NeededApproval | undefined;
  /** Why others are asked to allow it. */
  readonly beyond: Approval["beyond"];
}
export type Authorization = Authorized | { readonly kind: "refused"; readonly decision: Denied } | Invalid;
export interface Invalid {
  readonly kind: "invalid";
  readonly problem: Problem;
}

interface Deciding {
  /** Whether the actor asks others to allow what they may not do themselves. */
  readonly isAsking?: boolean | undefined;
  /** Of the account that is altered. Without it the answer leaves out what an approval is needed for because of that. */
  readonly past?: AccountPast | undefined;
  /** Where the hours of a week are counted from. Without it they are not counted. */
  readonly records?: ExclusionRecords | undefined;
  /** What else the actor holds. Without it an exclusion is judged by its own length. */
  readonly holds?: Holds | undefined;
  /** The length that was approved: it is judged as long as that. */
  readonly heldMs?: number | undefined;
}

/** Builds the operation's exact request and decides whether this actor may send it here. Changes nothing. */
export async function decideChange(
  policy: Policy,
  command: ChangeCommand,
  input: Input,
  context: CommandContext,
  { isAsking = false, past, records, holds, heldMs = 0 }: Deciding = {},
): Promise<Authorization> {
  const subjectId = command.subjectId(input);
  const subject = subjectId === null ? undefined : await context.directory.get(command.about, subjectId);
  const isOver = subject !== undefined && subject.endedAt !== null;
  const ask = { actor: context.actor, operation: command.operation, channelId: context.channelId };
  const request =
    command.obstacle ?? (isOver ? over(command, subject) : command.request(input, context, subject?.body));
  if (isProblem(request)) {
    // A person without the right gets the refusal. The problem in the input could reveal something about the entity.
    const isToBeAsked = isAsking && mayAskOthers(policy, ask) && mayKnow(policy, subject, ask);
    const refused = isToBeAsked ? undefined : refusedAnyway(policy, ask, subject);
    return refused ? { kind: "refused", decision: refused } : { kind: "invalid", problem: request };
  }
  const isOwn = subject !== undefined && subject.ownerId === context.actor.userId;
  const occurrence = { request, before: subject?.body, after: undefined, startsAt: plannedStart(input) };
  const [targets, beside] = await Promise.all([
    changeTargets(command, occurrence, { ...context, subjectId }),
    heldBeside(holds, { command, occurrence, subject }),
  ]);
  const isKnown = mayKnow(policy, subject, ask);
  const hours = await hoursAdded(policy, records, { command, occurrence, subject, targets }, { ...context, ...ask });
  const found = beside(targets.own[0].exclusionLengthMs);
  const held = heldMs > 0 ? [asLongAs(heldMs)] : found;
  const facts = { ...ask, isOwn, ownerId: subject?.ownerId, hours, held };
  const judged = judge(policy, targets, facts, { isAsking, isKnown });
  if (isProblem(judged)) return { kind: "invalid", problem: judged };
  const present = subject && instant(partly(subject.body).expiryDate);
  if (judged.kind === "denied") {
    const { latestEnd = 0 } = judged;
    const denied = latestEnd - (present ?? 0) >= minuteMs ? judged : { ...judged, latestEnd: undefined };
    return { kind: "refused", decision: await inNames(denied, policy, command.operation, context) };
  }
  const tooLong = whyHeldTooLong(found, command, input, context, present);
  if (tooLong) return { kind: "invalid", problem: tooLong };
  const { asking, beyond, ...decision } = judged;
  if (command.about === "user" && subject === undefined && isProgram(ask.actor.userId))
    return {
      kind: "invalid",
      problem: { problem: `Curfew knows no user ${subjectId}. Nothing was changed.${onlyKnownUsers}` },
    };
  const account = await accountFacts(request, subject, ask, context.now, past);
  const approval = approvalOf(policy, command, occurrence, targets, facts, { asking, account });
  if (approval === "none together") return { kind: "refused", decision: nobodyForAll };
  if (approval === "nobody named") return { kind: "refused", decision: { kind: "denied", ...notAlone(policy, ask) } };
  if (approval === "nobody for workflows") return { kind: "refused", decision: nobodyForWorkflows };
  return { kind: "authorized", input, request, before: subject?.body, subjectId, decision, approval, beyond };
}

/** An end that is later by less is none. */
const minuteMs = 60_000;

/** Allowed; with `asking`, if others allow it. */
type Permitted = Allowed & Pick<Denied, "beyond"> & { readonly asking?: ApprovalRule };

/** Judges the targets that the change names, then contradictions about its resources, then the known places of the resources. */
export function judge(
  policy: Policy,
  { own, otherPlaces, contradiction }: ChangeTargets,
  ask: PermissionRequest,
  { isAsking = false, isKnown = true }: { readonly isAsking?: boolean; readonly isKnown?: boolean } = {},
): Permitted | Denied | Problem {
  const requests = [...own, ...otherPlaces.map(({ target }) => target)].map((target) => ({ ...ask, ...target }));
  const named = own.map((target) => decide(policy, { ...ask, ...target }));
  const there = otherPlaces.map(({ target, why }) => because(why, decide(policy, { ...ask, ...target })));
  const [first] = named.filter(isDenied);
  const [second] = there.filter(isDenied);
  const denied = first ?? second;
  const asking = denied && isKnown ? askingFor(policy, requests) : undefined;
  const mayAsk = asking && othersNamed(policy, asking.approvers, ask.actor.userId);
  if (first && !(isAsking && asking)) return { ...first, mayAsk };
  if (contradiction) return contradiction;
  if (!denied) return named.find(isAllowed) ?? decide(policy, ask);
  if (!isAsking || !asking) return { ...denied, mayAsk };
  const [role] = rolesForAsking(policy, ask.actor, ask.operation);
  return { kind: "allowed", role: role?.name ?? "", rule: asking.rule, asking, beyond: denied.beyond };
}

const isDenied = (decision: Decision): decision is Denied => decision.kind === "denied";
const isAllowed = (decision: Decision): decision is Allowed => decision.kind === "allowed";

function because(why: string, decision: Decision): Decision {
  if (decision.kind === "allowed") return decision;
  const { reason, toActor = reason } = decision;
  return { ...decision, reason: `${why} ${reason}`, toActor: `${why} ${toActor}` };
}

/** A refusal with the names of projects instead of their ids, where the actor may know them. */
async function inNames(
  denied: Denied,
  policy: Policy,
  operation: OperationName,
  { actor, channelId, directory }: CommandContext,
): Promise<Denied> {
  const operations: readonly OperationName[] = [operation, browseOperation];
  let { toActor = denied.reason } = denied;
  for (const id of new Set(denied.projects)) {
    const isKnown = operations.some((operation) => mayOffer(policy, { actor, operation, channelId, projectId: id }));
    const name = isKnown ? (await directory.get("project", id))?.name : undefined;
    if (name) toActor = toActor.replace(asWord(id), () => name);
  }
  return { ...denied, toActor };
}

const asWord = (id: string): RegExp =>
  new RegExp(`(?<![\\w-])${id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "g");

/** Nobody could be asked whether the id is right, and Curfew does not know what was done to the account before. */
export const onlyKnownUsers =
  " Pipelines and workflows only change users that Curfew knows. Ask a person to do it. Or ask the people who run Curfew to import the user.";

/** No role may give every approval that it needs. */
export const nobodyForAll: Denied = {
  kind: "denied",
  reason:
    "This touches several things that need approvals of different people, and no role may give them all. Ask for each of them apart.",
  rule: "approvals",
  couldDo: [],
};

const nobodyForWorkflows: Denied = {
  kind: "denied",
  reason:
    "This needs an approval. The config names nobody who may give it for workflows. Ask the people who run Curfew to name them in “workflows.approvers”.",
  rule: "workflows.approvers",
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
  const ask = { actor, operation: command.operation, channelId };
  return subject && refusedAnyway(policy, ask, subject);
}

/** Whether the actor may read about the thing or act in its project, in some channel. Nobody asks about what is hidden from them. */
function mayKnow(
  policy: Policy,
  subject: Entity | undefined,
  { actor, operation, channelId }: PermissionRequest,
): boolean {
  const projectId = subject?.projectId;
  if (!projectId) return true;
  return [channelId, ...channelsHeld(policy, actor)].some((channel) => {
    const there = { actor, channelId: channel, projectId };
    return (
      decide(policy, { ...there, operation: browseOperation }).kind === "allowed" ||
      mayOffer(policy, { ...there, operation })
    );
  });
}

/** Whether the actor may ask others to let them use the command on the subject of the input. */
export async function mayAskAbout(
  policy: Policy,
  command: ChangeCommand,
  input: Input,
  { directory, actor, channelId }: CommandContext,
): Promise<boolean> {
  const ask = { actor, operation: command.operation, channelId };
  if (!mayAskOthers(policy, ask)) return false;
  const subjectId: string | null | undefined = command.subjectId(input);
  return mayKnow(policy, subjectId ? await directory.get(command.about, subjectId) : undefined, ask);
}

const mayAskOthers = (policy: Policy, { actor, operation }: PermissionRequest): boolean =>
  rolesForAsking(policy, actor, operation).length > 0;

function refusedAnyway(policy: Policy, ask: PermissionRequest, subject: Entity | undefined): Denied | undefined {
  const known = { ...ask, ...(subject ? factsOf(subject, ask.actor) : {}) };
  const decision = decide(policy, known);
  return decision.kind === "denied" && !mayOffer(policy, known) ? decision : undefined;
}

/** The facts of an entity that count for every operation. The length of an exclusion and its hours are not judged here. */
function factsOf({ projectId, ownerId, body }: Entity, { userId }: Actor): Partial<PermissionRequest> {
  const resourceType = "resourceType" in body && typeof body.resourceType === "string" ? body.resourceType : undefined;
  return {
    projectId: projectId ?? undefined,
    resourceType,
    ...{ isOwn: ownerId === userId, ownerId },
    exclusionLengthMs: 0,
    hours: [],
  };
}

/** Why nothing can be done about the thing of an input any more; undefined while it is there. */
export async function whyOver(
  command: ChangeCommand,
  input: Input,
  { directory }: Pick<CommandContext, "directory">,
): Promise<Problem | undefined> {
  const id: string | null | undefined = command.subjectId(input);
  const subject = id ? await directory.get(command.about, id) : undefined;
  return subject && subject.endedAt !== null ? over(command, subject) : undefined;
}

function over({ about }: ChangeCommand, subject: Entity): Problem {
  return {
    problem: `This ${about} is no more: it has been ended or deleted already. Nothing was changed. “history ${subject.id}” shows by whom.`,
    buttons: isOfKind(subject, "exclusion") ? [excludeAnew(subject.body)] : [],
  };
}
