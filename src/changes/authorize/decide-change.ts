import { isProblem, type Problem } from "../../commands/answer.ts";
import {
  type AnyOccurrence,
  type ChangeCommand,
  type CommandContext,
  type FillContext,
  plannedStart,
  type Target,
} from "../../commands/command.ts";
import { instant, isById, namedIds } from "../../commands/exclusion/exclusion-body.ts";
import { excludeAnew } from "../../commands/exclusion/exclusion-edit.ts";
import { contradictionIn, type OtherPlace, otherPlacesOf } from "../../commands/exclusion/resource-claims.ts";
import type { Input } from "../../commands/field.ts";
import {
  type Entity,
  type EntityBody,
  type EntityKind,
  isOfKind,
  type PlacedDirectory,
} from "../../directory/directory.ts";
import {
  type AccountFacts,
  actsOf,
  careFor,
  type EarlierChange,
  identityRule,
  type NeededApproval,
  withCare,
} from "../../permissions/account-care.ts";
import { type Actor, isProgram, isSameAddress } from "../../permissions/actor.ts";
import { approvalsFor, combinedApproval, othersNamed, withWorkflowRule } from "../../permissions/approval-rules.ts";
import { budgetApprovals, countsHours } from "../../permissions/budgets.ts";
import type { PermissionRequest } from "../../permissions/conditions.ts";
import {
  actOf,
  allows,
  askingFor,
  type Decision,
  decide,
  mayOffer,
  rolesForAsking,
  whoCould,
} from "../../permissions/decide.ts";
import { asLongAs, lengthWords, longestHeld, type WeekOfHours } from "../../permissions/held-time.ts";
import { type ApprovalRule, channelsHeld, type Holder, type Policy } from "../../permissions/policy.ts";
import { accountOf } from "../../service/account-ids.ts";
import { accountsNamed } from "../../service/accounts.ts";
import { browseOperation, type OperationName } from "../../service/operations.ts";
import { weekAt } from "../../time/week.ts";
import { addressIn } from "../account-owner.ts";
import { type Approval, type Change, occurrenceOf } from "../change.ts";
import { targetsIn } from "../change-command.ts";
import { type ExclusionRecords, isKeepingRunning, keepsOf, partly } from "../hours/kept-running.ts";
import { type Holds, heldBeside, whyHeldTooLong } from "../hours/time-held.ts";
import { weeklyHours } from "../hours/weekly-hours.ts";
import type { ChangeSettings } from "../ports.ts";
export type Denied = Extract<Decision, { kind: "denied" }> & {
  /** Whom the actor may ask to allow exactly this. */
  readonly mayAsk?: readonly Holder[] | undefined;
  /** Those named could ask for it, and the actor approves it. */
  readonly isToAsk?: boolean | undefined;
};
type Allowed = Extract<Decision, { kind: "allowed" }>;

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

export interface Deciding {
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
  /** The subject as it was before what is done of the change by now. */
  readonly before?: Authorized["before"];
}

/** Builds the operation's exact request and decides whether this actor may send it here. Changes nothing. */
export async function decideChange(
  policy: Policy,
  command: ChangeCommand,
  input: Input,
  context: CommandContext,
  { isAsking = false, past, records, holds, heldMs = 0, before }: Deciding = {},
): Promise<Authorization> {
  const subjectId = command.subjectId(input);
  const present = subjectId === null ? undefined : await context.directory.get(command.about, subjectId);
  const subject = present && before ? { ...present, body: before } : present;
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
  const { accounts: known } = context.settings;
  const accounts = Object.keys(known).length > 0 ? accountsNamed(request, known) : [];
  if (accounts.length > 1) return { kind: "invalid", problem: { problem: severalAccounts(accounts) } };
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
  const presentEnd = subject && instant(partly(subject.body).expiryDate);
  if (judged.kind === "denied") {
    const { latestEnd = 0 } = judged;
    const denied = latestEnd - (presentEnd ?? 0) >= minuteMs ? judged : { ...judged, latestEnd: undefined };
    return { kind: "refused", decision: await inNames(denied, policy, command.operation, context) };
  }
  const tooLong = whyHeldTooLong(found, command, input, context, presentEnd);
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

const severalAccounts = (accounts: readonly string[]): string =>
  `This names things of several accounts of the service: ${accounts.join(" and ")}. Nothing was changed: ask for each by itself.`;

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
  const { resourceIds } = factsOf(subject, actor);
  return [channelId, ...channelsHeld(policy, actor)].some((channel) => {
    const there = { actor, channelId: channel, projectId, resourceIds };
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
function factsOf(entity: Entity, { userId }: Actor): Partial<PermissionRequest> {
  const { projectId, ownerId, body } = entity;
  const resourceType = "resourceType" in body && typeof body.resourceType === "string" ? body.resourceType : undefined;
  return {
    account: accountOf(entity.id),
    projectId: projectId ?? undefined,
    resourceType,
    resourceIds: isOfKind(entity, "exclusion") ? namedIds(entity.body) : undefined,
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
    problem: `This ${about === "exclusion" ? "has been ended" : `${about} has been deleted`} already. Nothing was changed. “history ${subject.id}” shows by whom.`,
    buttons: isOfKind(subject, "exclusion") ? [excludeAnew(subject.body)] : [],
  };
}

/** What is known of the account of a service user before a change. */
interface AccountPast {
  /** What was done to it. */
  earlierOf(userId: string): Promise<readonly EarlierChange[]>;
  /** The addresses that it had lately. */
  addressesOf(userId: string): Promise<readonly string[]>;
}

/** What is known of the account that a request alters; undefined for one that alters none. */
async function accountFacts(
  request: object,
  account: Entity | undefined,
  { actor, operation }: PermissionRequest,
  now: number,
  past: AccountPast | undefined,
): Promise<AccountFacts | undefined> {
  const acts = actsOf(operation, request);
  if (acts.length === 0) return undefined;
  const id = "id" in request && typeof request.id === "string" ? request.id : undefined;
  const [former, earlier] =
    past && id !== undefined ? await Promise.all([past.addressesOf(id), past.earlierOf(id)]) : [[], []];
  const isOwn = [addressIn(account?.body), ...former].some((address) => isSameAddress(address, actor.email));
  return { acts, isOwn, earlier, now };
}

/** Why somebody may not do to their own account what they may do to others, where the config names no approvers. */
function notAlone(policy: Policy, ask: PermissionRequest) {
  const { actor, operation } = ask;
  return {
    reason: `${actor.name} can't ${actOf(operation)} on their own account alone: they could not undo it.`,
    toActor:
      "You can't do this to your own account alone: you could not undo it. Ask somebody else to do it. Or ask the people who run Curfew to name approvers (“identity”).",
    rule: "identity",
    couldDo: whoCould(policy, ask),
  };
}

/** The targets of a change, before and after it. Each of them is judged. */
interface ChangeTargets {
  /** The targets that the change names. */
  readonly own: readonly [Target, ...Target[]];
  /** Other known places of its resources, with their sources. */
  readonly otherPlaces: readonly OtherPlace[];
  /** A statement about a resource that is known to be wrong. */
  readonly contradiction: Problem | undefined;
}

interface When {
  readonly subjectId: string | null;
  readonly now: number;
  readonly directory: PlacedDirectory;
}

export async function changeTargets(
  command: ChangeCommand,
  occurrence: AnyOccurrence,
  { subjectId, now, directory }: When,
): Promise<ChangeTargets> {
  const own = await targetsIn(command, occurrence, { subjectId, now, directory });
  const named = command.resources?.(occurrence);
  if (!named) return { own, otherPlaces: [], contradiction: undefined };
  // The exclusion itself is no source for what it is to become.
  const itself = command.about === "exclusion" ? (subjectId ?? undefined) : undefined;
  const ids = [...named.claimed, ...named.before];
  const places = await directory.placesOf(ids, itself);
  return {
    own,
    otherPlaces: otherPlacesOf(own, places),
    contradiction: contradictionIn(named, own[0].projectId, places),
  };
}

/** The targets of a recorded change. */
export const targetsOf = (command: ChangeCommand, change: Change, directory: PlacedDirectory): Promise<ChangeTargets> =>
  changeTargets(command, occurrenceOf(change), { subjectId: change.subjectId, now: change.requestedAt, directory });

/** Its requester and those who decide read the same. */
const heldWords = (heldMs: number): string =>
  `With other requests of the same person, it would be ${lengthWords(heldMs)}.`;

interface Beside {
  /** The approval of those who are asked to allow it. */
  readonly asking?: ApprovalRule | undefined;
  /** Of the account that it alters. */
  readonly account?: AccountFacts | undefined;
}

/**
 * The approval that a change needs, from the rules for all its targets, and for the operations whose result it also brings
 * about, from budgets, and from what protects accounts. "nobody named": it needs one, and the config names no approvers;
 * "nobody for workflows": none for what workflows ask for.
 */
export function approvalOf(
  policy: Policy,
  command: ChangeCommand,
  occurrence: AnyOccurrence,
  { own, otherPlaces }: ChangeTargets,
  ask: PermissionRequest,
  { asking, account }: Beside = {},
): NeededApproval | "none together" | "nobody named" | "nobody for workflows" | undefined {
  const operations = [ask.operation, command.makes?.(occurrence) ?? []].flat();
  const targets = [...own, ...otherPlaces.map(({ target }) => target)];
  const requests = operations.flatMap((operation) => targets.map((target) => ({ ...ask, operation, ...target })));
  const budgets = budgetApprovals(policy, requests);
  const rules = [...approvalsFor(policy, requests), ...budgets.rules];
  const care = account && careFor(policy, account);
  const named = care && rules.length === 0 ? identityRule(policy) : undefined;
  if (care && rules.length === 0 && !named) return "nobody named";
  const asked = [...rules, ...(named ? [named] : []), ...(asking ? [asking] : [])];
  const together = withWorkflowRule(policy, ask.actor, asked);
  if (together.some(({ approvers }) => approvers.length === 0)) return "nobody for workflows";
  const rule = combinedApproval(together);
  if (rule === undefined || rule === "none together") return rule;
  const { because = [], ...needed } = withCare(rule, care);
  const heldMs = longestHeld(ask.held);
  const ownMs = own[0].exclusionLengthMs ?? heldMs;
  const isHeldLonger = heldMs > ownMs;
  // Some milliseconds of a requested length have passed, without anything else that is kept.
  const withOthers = heldMs - ownMs >= minuteMs ? [heldWords(heldMs)] : [];
  const why = [...because, ...budgets.because, ...withOthers];
  return { ...needed, ...(why.length > 0 ? { because: why } : {}), ...(isHeldLonger ? { heldMs } : {}) };
}

interface CountedChange {
  readonly command: Pick<ChangeCommand, "makes" | "series">;
  readonly occurrence: AnyOccurrence;
  readonly subject: Entity | undefined;
  readonly targets: ChangeTargets;
}

interface Ask extends PermissionRequest {
  readonly now: number;
  readonly settings: { readonly channels: Readonly<Record<string, { readonly zone?: string | undefined }>> };
}

/**
 * What a change adds to its requester's hours in each week; undefined where nobody knows which resources it keeps running. Reads the record
 * only where a rule in force counts hours.
 */
export async function hoursAdded(
  policy: Policy,
  records: ExclusionRecords | undefined,
  { command, occurrence, subject, targets: { own, otherPlaces } }: CountedChange,
  ask: Ask,
): Promise<readonly WeekOfHours[] | undefined> {
  const { actor, channelId, now, settings } = ask;
  const targets = [...own, ...otherPlaces.map(({ target }) => target)];
  const requests = targets.map((target) => ({ operation: ask.operation, ...target }));
  // The times of a series are counted one by one.
  if (!records || command.series || !countsHours(policy, actor, requests)) return [];
  const body = { ...startIn(subject), ...partly(occurrence.request) };
  if (isKeepingRunning(body) && !isById(body)) return command.makes?.(occurrence) ? undefined : [];
  const projectId = subject?.projectId ?? body.projectId ?? null;
  const known = keepsOf(body, projectId);
  const keeps = { ...known, from: Math.max(known.from, occurrence.startsAt ?? known.from) };
  if (keeps.resources.length === 0) return [];
  const zone = (channelId === null ? undefined : settings.channels[channelId]?.zone) ?? actor.timeZone;
  const found = await records.exclusionsKeeping(
    weekAt(now, zone).from,
    keeps.resources.map(({ id }) => id),
  );
  const step = { exclusionId: subject?.id ?? null, projectId, at: now, by: actor.userId, keeps };
  return weeklyHours(found, step, zone);
}

const startIn = (subject: Entity | undefined) => {
  const { startDate } = partly(subject?.body);
  return startDate ? { startDate } : {};
};

/** Whether the actor may call an operation on a target in this channel. Hours are counted when they do. */
export function rightsOf(
  { policy }: Pick<ChangeSettings, "policy">,
  actor: Actor,
  channelId: string | null,
): FillContext["may"] {
  const ofPlaces = new Map<string, boolean>();
  return (operation, target) => {
    const request = { actor, operation, channelId, hours: [], ...target };
    const { projectId, resourceType, ...others } = target;
    if (Object.keys(others).length > 0) return allows(policy, request);
    // Asked of each of many things, which are in few places.
    const key = JSON.stringify([operation, projectId, resourceType]);
    const known = ofPlaces.get(key) ?? allows(policy, request);
    ofPlaces.set(key, known);
    return known;
  };
}
