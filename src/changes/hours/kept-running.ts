import type { z } from "zod";
import { instant, isById, processesOf } from "../../commands/exclusion/exclusion-body.ts";
import { isOperationName, operations } from "../../service/operations.ts";
import { ActionExclusion, resourceKeys } from "../../service/resources.ts";
import { type Interval, merged, without } from "../../time/intervals.ts";

/**
 * How long resources were kept running, from Curfew's record. The rule:
 *
 * - An exclusion keeps a resource running while it names it by its id, holds back `stop-resource` and is switched on: from when it was
 *   made, or from its start date if that is later, until its end, or until it was ended before. What lies ahead counts too.
 * - The hours are those of the person who asked for it. When a change makes it longer, or adds a resource, the time that this adds is
 *   that of the person who asked for the change. Time that a change takes away is nobody's.
 * - Exclusions of the same resource that overlap count once: once for the resource, and once for each of their people.
 * - Only what was made counts: nothing that waits for an approval, has failed or is unknown. Of an exclusion in parts, the parts that were
 *   made count while others are unknown. What is found out later counts from when it was made, or from the end before.
 * - An exclusion that was made elsewhere counts as far as Curfew knows it, for nobody until somebody extends it here.
 * - The hours of a person or a project are those of its resources together: two machines for an hour are two hours.
 */

/** What Curfew knows of one exclusion. */
export interface ExclusionRecord {
  readonly id: string;
  readonly projectId: string | null;
  /** Its changes, in order. */
  readonly steps: readonly ExclusionStep[];
}

export interface ExclusionStep {
  /** In epoch ms. */
  readonly at: number;
  /** The Slack user who asked for it; null where nobody did through Curfew. */
  readonly by: string | null;
  /** What the exclusion keeps running from then on. */
  readonly keeps: Keeps;
}

interface Keeps extends Interval {
  /** None where it is switched off, ended, or does not name its resources. */
  readonly resources: readonly NamedResource[];
}

export interface NamedResource {
  /** The same for every way to name it. */
  readonly key: string;
  readonly id: string;
  /** Where it is let go before the others. */
  readonly to?: number | undefined;
}

/** A time in which an exclusion kept a resource running for somebody. */
export interface Kept extends Interval {
  readonly exclusionId: string;
  readonly projectId: string | null;
  readonly resource: NamedResource;
  readonly by: string | null;
}

/** The record of exclusions. */
export interface ExclusionRecords {
  /** Exclusions that keep something running after `from`. `resourceIds`: only those that ever named one of these. */
  exclusionsKeeping(from: number, resourceIds?: readonly string[]): Promise<readonly ExclusionRecord[]>;
  /** The same for those that hold these resources, on or off. */
  exclusionsHolding(from: number, resourceIds: readonly string[]): Promise<readonly ExclusionRecord[]>;
}

/** The times in which an exclusion keeps its resources running. */
export function keptBy({ id: exclusionId, projectId, steps }: ExclusionRecord): readonly Kept[] {
  const resources = new Map(steps.flatMap(({ keeps }) => keeps.resources.map((each) => [each.key, each] as const)));
  const named = steps.map((step) => ({ ...step, ends: new Map(step.keeps.resources.map(({ key, to }) => [key, to])) }));
  // The machines of a group are mostly named by the same steps, until the same time.
  const known = new Map<string, readonly Claim[]>();
  return [...resources.values()].flatMap((resource) => {
    const { key } = resource;
    const alike = named.map(({ ends }) => `${ends.has(key)} ${ends.get(key)}`).join();
    const times = known.get(alike) ?? keptOf(key, named);
    known.set(alike, times);
    return times.map((time) => ({ exclusionId, projectId, resource, ...time }));
  });
}

type Claim = Interval & Pick<Kept, "by">;

function keptOf(
  key: string,
  steps: readonly (ExclusionStep & { readonly ends: ReadonlyMap<string, number | undefined> })[],
): readonly Claim[] {
  return steps.reduce<readonly Claim[]>((claims, { at, by, keeps, ends }) => {
    const to = ends.get(key) ?? keeps.to;
    const ahead = ends.has(key) ? merged([{ from: Math.max(at, keeps.from), to }]) : [];
    const left = claims.flatMap((claim) => {
      const past = merged([{ from: claim.from, to: Math.min(claim.to, at) }]);
      const still = ahead.flatMap(({ from, to }) =>
        merged([{ from: Math.max(claim.from, from), to: Math.min(claim.to, to) }]),
      );
      return merged([...past, ...still]).map((time) => ({ ...time, by: claim.by }));
    });
    return [...left, ...without(ahead, left).map((time) => ({ ...time, by }))];
  }, []);
}

/** A change of an exclusion that was made, as stored. */
export interface StoredStep {
  readonly operation: string;
  readonly actorId: string;
  readonly before: unknown;
  readonly request: unknown;
  readonly answer: unknown;
  readonly at: number;
  readonly requestedAt: number;
  /** Its outcome was unknown first, so `at` is when it was found out. */
  readonly isFoundOut: boolean;
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
  { operation, actorId, request, answer, before, at, requestedAt, isFoundOut }: StoredStep,
  projectId: string | null,
  isCounted: IsCounted,
) {
  const effect = effectOf(operation);
  const answered = partly(answer);
  // Of several parts some may be left.
  if (effect === "delete" && !answered.curfewParts) return { at, by: actorId, keeps: nothing };
  const body = { ...partly(before), ...partly(request), ...answered };
  // Where the outcome was found out later, the service says when it was made; another end followed the one before, after it was asked for.
  const changedAt = () => Math.max(requestedAt, firstEndIn(partly(before)) ?? at);
  const madeAt = effect === "create" ? madeIn(answered) : isFoundOut ? changedAt() : undefined;
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

const firstEndIn = ({ expiryDate, curfewParts = [] }: Body): number | undefined =>
  [expiryDate, ...curfewParts.map((part) => part.expiryDate)]
    .flatMap((end) => instant(end) ?? [])
    .sort((a, b) => a - b)[0];

const madeIn = ({ createdDate, startDate }: Body): number | undefined => instant(createdDate) ?? instant(startDate);

const readable = ActionExclusion.partial();
type Body = z.output<typeof readable>;

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

/** A machine is the same by its id and by its ARN. A name is one in its project and type only. */
function namedIn(
  { resourceIds, resourceType, curfewParts = [] }: Body,
  projectId: string | null,
): readonly NamedResource[] {
  const ends = new Map(curfewParts.flatMap((part) => part.resourceIds.map((id) => [id, instant(part.expiryDate)])));
  return (resourceIds ?? []).map((id) => {
    const key = `${projectId} ${resourceType} ${resourceKeys(id).at(-1)}`;
    return { key, id, to: ends.get(id) };
  });
}
