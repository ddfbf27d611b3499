import { z } from "zod";
import type { Step } from "../../commands/command.ts";
import { instant, isSameMoment, partsId, timestampOf } from "../../commands/exclusion/exclusion-body.ts";
import { operations } from "../../service/operations.ts";
import { ActionExclusion, maxResources } from "../../service/resources.ts";
import { type Change, hasEffect, isCreation, type ServiceChange } from "../change.ts";

/**
 * An exclusion of more machines than one request may name is several in the service, its parts. For people it is one: one change, one
 * card, one end. Each part is a step of that change (series.ts) with its own request. Curfew knows the whole by the id of the part that
 * was made first (`partsId`), and keeps the ids and the machines of its parts in its body.
 */
type Part = NonNullable<ActionExclusion["curfewParts"]>[number];

interface PartStep extends Step {
  /** Its last try. */
  readonly change: Change | undefined;
}

const ofPart = z.object({ part: z.number(), machines: z.number() });
const inParts = z.object({ steps: z.array(z.object({ input: ofPart })).min(1) });

/** A change of such an exclusion. */
export const isInParts = ({ request }: Pick<Change, "request">): boolean =>
  "steps" in request && inParts.safeParse(request).success;

/** One of its steps, which is nothing by itself. */
export const isPart = ({ parentId, input }: Pick<Change, "parentId" | "input">): boolean =>
  parentId !== undefined && ofPart.safeParse(input).success;

const sent = z
  .looseObject({ id: z.string(), name: z.string(), resourceIds: z.array(z.string()), expiryDate: z.string() })
  .partial();

/** The request with a step for each part, where it takes several; else as it is. */
export function requestInParts(
  { words, operation }: Pick<ServiceChange, "words" | "operation">,
  { request, before }: { readonly request: object; readonly before: unknown },
): object {
  const { resourceIds = [], name, expiryDate } = sent.parse(request);
  const { curfewParts: known, expiryDate: former } = ActionExclusion.safeParse(before).data ?? {};
  const isMoved = !isSameMoment(instant(expiryDate), instant(former));
  const { effect } = operations[operation];
  const isNew = effect === "create" && resourceIds.length > maxResources;
  const named = new Set(resourceIds);
  // What is over is not named any more.
  const isMeant = (part: Part) => effect !== "modify" || part.resourceIds.some((id) => named.has(id));
  const parts = isNew ? chunksOf(resourceIds) : (known ?? []).filter(isMeant);
  if (parts.length === 0) return request;
  const steps = parts.map((part, index) => {
    const end = isMoved || part.expiryDate === undefined ? {} : { expiryDate: part.expiryDate };
    const body = effect === "delete" ? {} : { ...request, ...end, resourceIds: part.resourceIds };
    const ofPart = name === undefined ? {} : { name: partName(name, ` (${index + 1} of ${parts.length})`) };
    const id = part.actionExclusionId === "" ? {} : { id: part.actionExclusionId };
    // Another one of the same machines may be under way.
    const input = { part: index + 1, machines: part.resourceIds.length, another: true };
    return { words, input, asked: machineWords(part.resourceIds), request: { ...body, ...ofPart, ...id } };
  });
  return { ...request, steps, notes: [], ahead: [] };
}

const chunksOf = (ids: readonly string[]): readonly Part[] =>
  Array.from({ length: Math.ceil(ids.length / maxResources) }, (_, at) => ({
    actionExclusionId: "",
    resourceIds: ids.slice(at * maxResources, (at + 1) * maxResources),
  }));

const longestName = 200;
const partName = (name: string, place: string): string =>
  `${name.slice(0, longestName - place.length).replace(/\p{Surrogate}$/u, "")}${place}`;

function machineWords(ids: readonly string[]): string {
  const [first = "", last = first] = [ids[0], ids.at(-1)];
  return ids.length === 1 ? `1 machine: ${first}` : `${ids.length} machines: ${first} to ${last}`;
}

/** "400 of 450 machines". */
export function machinesDone(steps: readonly PartStep[]): string {
  const count = (some: readonly PartStep[]) => some.reduce((sum, { input }) => sum + Number(input.machines), 0);
  return `${count(steps.filter(isMade))} of ${count(steps)} machines`;
}

const isMade = ({ change }: PartStep): boolean => change?.state === "succeeded";

/** The exclusion as its parts are by now, and its id. Null where nothing of it was made, or is left. */
export function wholeAfter(
  change: Change,
  steps: readonly PartStep[],
): { readonly answer: ActionExclusion | null; readonly subjectId: string | null } {
  const made = steps.filter(isMade);
  const before = ActionExclusion.safeParse(change.before).data;
  const { subjectId } = change;
  if (made.length === 0) return { answer: null, subjectId };
  if (isCreation(change)) return wholeMade(change, made);
  if (!before) return { answer: null, subjectId };
  if (hasEffect(change, "delete")) {
    const gone = new Set(made.map(({ request }) => sent.parse(request).id));
    const left = (before.curfewParts ?? []).filter(({ actionExclusionId: id }) => !gone.has(id));
    return { answer: left.length === 0 ? null : withParts(before, left), subjectId };
  }
  const body = ActionExclusion.partial().safeParse(made[0]?.change?.answer).data;
  // While a part has the former name, so has the whole, and it can be named so again.
  const { name = before.name } = made.length === steps.length ? sent.parse(change.request) : before;
  const { actionExclusionId, expiryDate } = before;
  const asked = new Map(made.map(({ request }) => [sent.parse(request).id, sent.parse(request).expiryDate]));
  const parts = (before.curfewParts ?? []).map((part) => ({
    ...part,
    expiryDate: asked.get(part.actionExclusionId) ?? part.expiryDate ?? expiryDate ?? undefined,
  }));
  return { answer: withParts({ ...before, ...body, name, actionExclusionId, expiryDate }, parts), subjectId };
}

/** The whole is over with the part that ends last. */
function withParts(body: ActionExclusion, parts: readonly Part[]): ActionExclusion {
  const endOf = ({ expiryDate }: Part) => instant(expiryDate ?? body.expiryDate) ?? Number.POSITIVE_INFINITY;
  const last = Math.max(...parts.map(endOf));
  return {
    ...body,
    expiryDate: Number.isFinite(last) ? timestampOf(last) : body.expiryDate,
    resourceIds: parts.flatMap(({ resourceIds }) => resourceIds),
    curfewParts: parts.map((part) => {
      const { actionExclusionId, resourceIds } = part;
      const isEarlier = Number.isFinite(endOf(part)) && !isSameMoment(endOf(part), last);
      return { actionExclusionId, resourceIds, ...(isEarlier ? { expiryDate: timestampOf(endOf(part)) } : {}) };
    }),
  };
}

function wholeMade({ subjectId, request }: Change, made: readonly PartStep[]) {
  const parts = made
    .map(({ change, request }) => partOf(change, request))
    .filter((part) => part.actionExclusionId !== "");
  const [first] = parts;
  const body = ActionExclusion.safeParse(made.find(({ change }) => change?.answer)?.change?.answer).data;
  if (!first || !body) return { answer: null, subjectId };
  const id = subjectId ?? partsId(first.actionExclusionId);
  const { name } = sent.parse(request);
  return { answer: withParts({ ...body, name, actionExclusionId: id }, parts), subjectId: id };
}

/** Its id is empty before it is made, and where the service's answer had none. */
function partOf(change: Change | undefined, request: object | undefined): Part {
  const body = ActionExclusion.partial().safeParse(change?.answer).data;
  const { id = "", resourceIds = [] } = sent.parse(request ?? {});
  return { actionExclusionId: body?.actionExclusionId ?? id, resourceIds };
}
