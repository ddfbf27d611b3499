import type { z } from "zod";
import { instant, processesOf } from "../../commands/exclusion/exclusion-body.ts";
import { resourceKeys } from "../../directory/resource-place.ts";
import { isOperationName, operations } from "../../service/operations.ts";
import { ActionExclusion } from "../../service/resources.ts";
import type { ExclusionRecord, ExclusionStep, Keeps, NamedResource } from "./kept-running.ts";

/** A change of an exclusion that was made, as stored. */
export interface StoredStep {
  readonly operation: string;
  readonly actorId: string;
  readonly before: unknown;
  readonly request: unknown;
  readonly answer: unknown;
  readonly at: number;
}

/** An exclusion as the directory remembers it, with its changes in order. */
export interface StoredExclusion extends Pick<ExclusionRecord, "id" | "projectId"> {
  readonly ownerId: string | null;
  readonly endedAt: number | null;
  readonly body: unknown;
  readonly changes: readonly StoredStep[];
}

/** `isCounted`: whether an exclusion with this body keeps what is looked for. */
export function recordOf(
  { id, projectId, ownerId, endedAt, body, changes }: StoredExclusion,
  isCounted: IsCounted = isKeepingRunning,
): ExclusionRecord {
  const known = changes.map((change) => stepOf(change, projectId, isCounted));
  const [first] = changes;
  const isMadeHere = first !== undefined && effectOf(first.operation) === "create";
  // Made elsewhere: as it was before its first change here.
  const earlier = isMadeHere ? [] : stepBefore(first?.before ?? body, ownerId, projectId, isCounted);
  const over = endedAt === null ? [] : [{ at: endedAt, by: null, keeps: nothing }];
  return { id, projectId, steps: [...earlier, ...known, ...over].sort((one, other) => one.at - other.at) };
}

const nothing: Keeps = { from: 0, to: 0, resources: [] };
const effectOf = (operation: string) => (isOperationName(operation) ? operations[operation].effect : undefined);

function stepOf(
  { operation, actorId, request, answer, before, at }: StoredStep,
  projectId: string | null,
  isCounted: IsCounted,
) {
  const effect = effectOf(operation);
  if (effect === "delete") return { at, by: actorId, keeps: nothing };
  const answered = partly(answer);
  const body = { ...partly(before), ...partly(request), ...answered };
  // Where the outcome was found out later, the service says when it was made.
  const madeAt = effect === "create" ? madeIn(answered) : undefined;
  return { at: Math.min(madeAt ?? at, at), by: actorId, keeps: keepsOf(body, projectId, isCounted) };
}

function stepBefore(
  body: unknown,
  by: string | null,
  projectId: string | null,
  isCounted: IsCounted,
): readonly ExclusionStep[] {
  const known = partly(body);
  const at = madeIn(known);
  return at === undefined ? [] : [{ at, by, keeps: keepsOf(known, projectId, isCounted) }];
}

const madeIn = ({ createdDate, startDate }: Body): number | undefined => instant(createdDate) ?? instant(startDate);

const readable = ActionExclusion.partial();
export type Body = z.output<typeof readable>;

/** Only what is there: an answer may leave fields out. */
export function partly(body: unknown): Body {
  const read = readable.safeParse(body).data ?? {};
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

type IsCounted = (body: Body) => boolean;

/** What an exclusion with this body keeps running, or holds in another way. */
export function keepsOf(body: Body, projectId: string | null, isCounted: IsCounted = isKeepingRunning): Keeps {
  return {
    from: instant(body.startDate) ?? 0,
    to: instant(body.expiryDate) ?? Number.POSITIVE_INFINITY,
    resources: isCounted(body) && isById(body) ? namedIn(body, projectId) : [],
  };
}

export function isKeepingRunning({ isEnabled, processes }: Body): boolean {
  const [stopping] = processesOf.stop;
  return isEnabled !== false && (processes ?? []).includes(stopping);
}

/** Whether it holds its resources, on or off. */
export const isHolding = ({ isEnabled }: Body): boolean => isEnabled !== false;

/** Others name tags, or everything: Curfew does not know their resources. */
export const isById = ({ resourceIdentificationMethod: method }: Body): boolean => method === "by-resource-id";

/** A machine is the same by its id and by its ARN. A name is one in its project and type only. */
function namedIn({ resourceIds, resourceType }: Body, projectId: string | null): readonly NamedResource[] {
  return (resourceIds ?? []).map((id) => ({ key: `${projectId} ${resourceType} ${resourceKeys(id).at(-1)}`, id }));
}
