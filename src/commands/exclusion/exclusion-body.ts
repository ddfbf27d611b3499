import type { Directory, Entity } from "../../directory/directory.ts";
import { amongResources } from "../../directory/resources.ts";
import type { OperationInput } from "../../service/operations.ts";
import type { ActionExclusion } from "../../service/resources.ts";
import { formatDuration } from "../../time/duration.ts";
import type { CommandButton, Fact, FactValue, Problem } from "../answer.ts";
import type { CommandContext, FillContext, NamedResources, Occurrence, Target } from "../command.ts";
import type { Input } from "../field.ts";

export const exclusionOperation = "CreateActionExclusion";

/** The processes an exclusion can hold back, by the word a person uses. */
export const processesOf = {
  stop: ["stop-resource"],
  start: ["start-resource"],
  both: ["start-resource", "stop-resource"],
} as const;

/** The same, as what happens to the resources. */
export const effects = [
  { value: "stop", label: "Keep running" },
  { value: "start", label: "Keep off" },
  { value: "both", label: "Leave alone" },
] as const;

/** The verb for what becomes of resources, to come, going on and done, and how they are kept: "keep … running". */
interface KeepVerbs {
  readonly want: "keep" | "leave";
  readonly doing: "keeping" | "leaving";
  readonly did: "kept" | "left";
  readonly how: string;
}

const keep = { want: "keep", doing: "keeping", did: "kept" } as const;

/** The verbs of what holds back these processes. */
export function verbsFor(processes: readonly string[] | null | undefined): KeepVerbs {
  const held = (processes ?? []).join(" ");
  if (held === processesOf.stop.join(" ")) return { ...keep, how: "running" };
  if (held === processesOf.start.join(" ")) return { ...keep, how: "off" };
  return processesOf.both.every((each) => processes?.includes(each))
    ? { want: "leave", doing: "leaving", did: "left", how: "alone" }
    : { ...keep, how: `from ${processWords(processes ?? undefined)}` };
}

type Kept = { readonly [K in "name" | "resourceIds" | "processes"]?: ActionExclusion[K] | undefined };

/** "keep staging running", for what somebody wants, does or did. */
export function keepWords(kept: Kept, verb: "want" | "doing" | "did", what = keptWords(kept)): string {
  const verbs = verbsFor(kept.processes);
  return `${verbs[verb]} ${what} ${verbs.how}`;
}

/** The group in a name that Curfew made, else the resources. */
export function keptWords({ name, resourceIds }: Kept): string {
  const made = resourceIds?.length ? /^[^:]+: (\S+)$/.exec(name ?? "")?.[1] : undefined;
  return made ?? resourceWords(resourceIds ?? undefined);
}

/** With the name that somebody gave it. */
export function namedWords(kept: Kept): string {
  const what = keptWords(kept);
  return !kept.name || kept.name.endsWith(`: ${what}`) ? what : `${what} (“${kept.name}”)`;
}

/** "stopping", "starting", or the service's own words for processes that API.md does not list. */
export function processWords(processes: readonly string[] | undefined): string {
  const words = new Map([
    ["start-resource", "starting"],
    ["stop-resource", "stopping"],
  ]);
  return (processes ?? []).map((process) => words.get(process) ?? process).join(" and ") || "their schedule";
}

/** "i-1, i-2 and 3 more". */
export function resourceWords(ids: readonly string[] | undefined, shown = 3): string {
  if (!ids?.length) return "its resources";
  const rest = ids.length - shown;
  return rest > 0 ? `${ids.slice(0, shown).join(", ")} and ${rest} more` : ids.join(", ");
}

/**
 * Checks an end against the clock and the maximum length, counted from `start` or from now, the earlier one. In epoch ms. `input`: of a new
 * exclusion, which may be made for the maximum instead.
 */
export function expiryProblem(
  until: number,
  start: number | undefined,
  { now, settings }: CommandContext,
  input?: Input,
): Problem | undefined {
  if (until <= now)
    return {
      field: "until",
      problem: "That moment has already passed. Nothing was changed: give one in the future.",
    };
  const { maxLengthMs } = settings.exclusions;
  if (until - Math.min(start ?? now, now) <= maxLengthMs) return undefined;
  return {
    field: "until",
    problem: `Nothing is kept for more than ${formatDuration(maxLengthMs)} in a row. Nothing was changed: give an earlier end.`,
    buttons: input ? [useLongest(input, now, maxLengthMs)] : [],
  };
}

/** "Use 1 d": makes a new exclusion for as long as is allowed, from now on. */
export function useLongest(input: Input, now: number, maxLengthMs: number): CommandButton {
  const allowed = { ...input, until: now + maxLengthMs };
  return { label: `Use ${formatDuration(maxLengthMs)}`, words: "exclusion create", opens: "result", input: allowed };
}

/** ModifyActionExclusion takes the whole exclusion, so every field is sent (API.md, "Left open"). */
export function wholeBody(
  before: ActionExclusion,
  edits: { readonly expiryDate: string; readonly name?: string },
): OperationInput<"ModifyActionExclusion"> | Problem {
  const { name, resourceType, resourceIdentificationMethod, processes, resourceIds } = before;
  if (!name || !resourceType || !resourceIdentificationMethod || !processes?.length) {
    return {
      field: "exclusion",
      problem: "Curfew doesn't know all of it, and the service takes no part of a change. Nothing was changed.",
    };
  }
  return {
    id: before.actionExclusionId,
    name,
    isEnabled: before.isEnabled ?? true,
    resourceType,
    resourceIdentificationMethod,
    processes,
    ...(resourceIds ? { resourceIds } : {}),
    ...edits,
  };
}

/** Its start, in epoch ms; undefined when the service did not send it. */
export function startOf(exclusion: ActionExclusion): number | undefined {
  return instant(exclusion.startDate) ?? instant(exclusion.createdDate);
}

/** An exclusion that is switched off holds nothing back. */
export function isSwitchedOff({ isEnabled }: ActionExclusion): boolean {
  return isEnabled === false;
}

export function expiryOf(exclusion: ActionExclusion): number | undefined {
  return instant(exclusion.expiryDate);
}

/** Its resources by their end: one of parts (changes/steps/parts.ts) may have several, the last is that of the whole. */
export function byEnd<E extends OfParts>(exclusion: E): readonly E[] {
  const { curfewParts: parts = [], expiryDate: last } = exclusion;
  if (parts.every(({ expiryDate }) => expiryDate === undefined)) return [exclusion];
  const ends = [...new Set(parts.map(({ expiryDate = last }) => expiryDate))];
  return ends.map((end) => ofParts(exclusion, ({ expiryDate = last }) => expiryDate === end, end));
}

/** With the resources that it still holds at a moment. */
export const stillHeld = (exclusion: ActionExclusion, at: number): ActionExclusion =>
  exclusion.curfewParts?.some((part) => isOverAt(part, at))
    ? ofParts(exclusion, (part) => !isOverAt(part, at), exclusion.expiryDate)
    : exclusion;

/** One of parts may have several, and its undo has one. */
export const hasOneEnd = (exclusion: ActionExclusion, at = 0): boolean => byEnd(stillHeld(exclusion, at)).length === 1;

/** Whether an undo gives back the end that was moved. */
export const givesEndBack = ({ request, before, at }: Occurrence<"ModifyActionExclusion", "exclusion">): boolean =>
  before !== undefined && (isSameMoment(expiryOf(before), instant(request.expiryDate)) || hasOneEnd(before, at));

/** An exclusion of parts has the id of the part that was made first, with this after it. */
export const partsId = (first: string): string => `${first}+`;
export const isOfParts = (id: string): boolean => id.endsWith(partsId(""));

/** Where the service has it: one of parts has no page of its own there, its first part has. */
export const idInService = ({ actionExclusionId: id, curfewParts }: Partial<ActionExclusion>): string | undefined =>
  curfewParts?.[0]?.actionExclusionId ?? id;

type Part = NonNullable<ActionExclusion["curfewParts"]>[number];

const isOverAt = ({ expiryDate }: Part, at: number): boolean => (instant(expiryDate) ?? at + 1) <= at;

type OfParts = Partial<Pick<ActionExclusion, "curfewParts" | "expiryDate" | "resourceIds">>;

function ofParts<E extends OfParts>(
  exclusion: E,
  isMeant: (part: Part) => boolean,
  expiryDate: Part["expiryDate"] | null,
) {
  const curfewParts = (exclusion.curfewParts ?? []).filter(isMeant);
  return { ...exclusion, expiryDate, curfewParts, resourceIds: curfewParts.flatMap(({ resourceIds }) => resourceIds) };
}

/** The last end among these of its resources. Undefined for one without an end. */
export function endAmong(exclusion: ActionExclusion, ids: readonly string[]): number | undefined {
  const isAmong = amongResources(ids);
  const ends = byEnd(exclusion).filter(({ resourceIds }) => (resourceIds ?? []).some(isAmong));
  return ends.length === 0 ? expiryOf(exclusion) : Math.max(...ends.map((each) => expiryOf(each) ?? 0)) || undefined;
}

/** Epoch ms of a service's timestamp; undefined when absent or unreadable. */
export function instant(timestamp: string | null | undefined): number | undefined {
  const at = timestamp ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** As the service gets a moment (epoch ms): in whole seconds, since not every service keeps more. */
export function timestampOf(at: number): string {
  return new Date(Math.floor(at / 1000) * 1000).toISOString();
}

/** In whole seconds, so that the same moment is the same fact however the service writes it. */
export function momentFact(timestamp: string): FactValue {
  const at = instant(timestamp);
  return at === undefined ? timestamp : { at: Math.floor(at / 1000) * 1000 };
}

/** The end of an exclusion, with the former one where it was moved. */
export function untilFact(expiryDate: string, before?: string | null): Fact {
  const isMoved = before && !isSameMoment(instant(before), instant(expiryDate));
  return { label: "Until", value: momentFact(expiryDate), ...(isMoved ? { before: momentFact(before) } : {}) };
}

/** Whether two moments (epoch ms) are the same second. A service may answer without the milliseconds. */
export function isSameMoment(one: number | undefined, other: number | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Math.floor(one / 1000) === Math.floor(other / 1000);
}

type RememberedExclusion = Entity<"exclusion">;

/** The target of a change to an exclusion. The last answer may lack the project, which an earlier one gave. */
export async function targetOfChange(
  { request, before }: { readonly request: { readonly id: string }; readonly before: ActionExclusion | undefined },
  end: { readonly until: number; readonly now: number } | undefined,
  directory: Pick<Directory, "get">,
): Promise<Target> {
  if (!before) return {};
  const projectId = (await directory.get("exclusion", request.id))?.projectId ?? before.projectId ?? null;
  return exclusionTarget({ projectId, body: before }, end);
}

export function exclusionTarget(
  { projectId, body }: Pick<RememberedExclusion, "projectId" | "body">,
  end?: { readonly until: number; readonly now: number },
): Target {
  const start = startOf(body);
  return {
    projectId: projectId ?? undefined,
    resourceType: body.resourceType ?? undefined,
    resourceIds: namedIds(body),
    // An exclusion that has not begun counts from now, like a new one with the same end.
    exclusionLengthMs: end === undefined || start === undefined ? undefined : end.until - Math.min(start, end.now),
  };
}

type Naming = { readonly [K in "resourceIdentificationMethod" | "resourceIds"]?: ActionExclusion[K] | undefined };

/** Others name tags, or everything: Curfew does not know their resources. */
export const isById = ({ resourceIdentificationMethod: method }: Naming): boolean => method === "by-resource-id";

/** The resources that are certainly all of it. */
export const namedIds = (body: Naming): readonly string[] => (isById(body) ? (body.resourceIds ?? []) : []);

type Modified = OperationInput<"ModifyActionExclusion">;

/** The resources of a changed exclusion, after the change and before it. */
export function resourcesOfChange({
  request,
  before,
}: Occurrence<"ModifyActionExclusion", "exclusion">): NamedResources {
  return {
    claimed: namedIds(request),
    resourceType: request.resourceType,
    before: before?.resourceIds ?? [],
  };
}

/** Whether it holds back more than before, so that it must meet the rules for a new one. */
export function holdsMore(before: ActionExclusion | undefined, after: Modified): boolean {
  if (!before) return true;
  const [was, is] = [expiryOf(before), instant(after.expiryDate)];
  const isWithin = (some: readonly string[] | undefined, all: readonly string[] | null | undefined) => {
    const keys = new Set((all ?? []).map((each) => each.toLowerCase()));
    return (some ?? []).every((each) => keys.has(each.toLowerCase()));
  };
  return (
    was === undefined ||
    is === undefined ||
    (is > was && !isSameMoment(is, was)) ||
    (isSwitchedOff(before) && after.isEnabled) ||
    after.resourceType !== before.resourceType ||
    after.resourceIdentificationMethod !== before.resourceIdentificationMethod ||
    !isWithin(after.processes, before.processes) ||
    !isWithin(after.resourceIds, before.resourceIds)
  );
}

/** An exclusion that holds back more than before must meet the rules for a new one. */
export const madeByChange = ({ request, before }: Occurrence<"ModifyActionExclusion", "exclusion">) =>
  holdsMore(before, request) ? ("CreateActionExclusion" as const) : undefined;

/** Whether the requester may alter this exclusion here, for some new end. */
export function mayAlter(
  exclusion: RememberedExclusion,
  operation: "ModifyActionExclusion" | "DeleteActionExclusion",
  { may, actor }: Pick<FillContext, "may" | "actor">,
): boolean {
  const isOwn = exclusion.ownerId === actor.userId;
  return may(operation, { ...exclusionTarget(exclusion), exclusionLengthMs: 0, isOwn });
}

type Shown = "name" | "projectId" | "resourceIds" | "resourceType" | "actionExclusionId" | "curfewParts";

/** The facts on every card about an exclusion. */
export function exclusionFacts(exclusion: { readonly [K in Shown]?: ActionExclusion[K] | undefined }): readonly Fact[] {
  const facts: Fact[] = [];
  if (exclusion.name) facts.push({ label: "Name", value: exclusion.name });
  if (exclusion.projectId) facts.push({ label: "Project", value: exclusion.projectId });
  if (exclusion.resourceIds?.length) facts.push({ label: "Resources", value: { list: exclusion.resourceIds } });
  if (exclusion.resourceType) facts.push({ label: "Type", value: exclusion.resourceType });
  if (exclusion.actionExclusionId) facts.push({ label: "Id", value: exclusion.actionExclusionId });
  const parts = exclusion.curfewParts ?? [];
  if (parts.length > 0)
    facts.push({ label: "In the service", value: { list: parts.map((each) => each.actionExclusionId) } });
  return facts;
}

/** Who made it, by name. */
export async function makerOf(
  { ownerId }: Pick<Entity<"exclusion">, "ownerId">,
  { actor, nameOf }: Pick<FillContext, "actor" | "nameOf">,
): Promise<string> {
  if (ownerId === null) return "somebody outside Curfew";
  return ownerId === actor.userId ? "you" : ((await nameOf?.(ownerId)) ?? ownerId);
}
