import { type Interval, merged, without } from "../../time/intervals.ts";

/**
 * How long resources were kept running, from Curfew's record. The rule:
 *
 * - An exclusion keeps a resource running while it names it by its id, holds back `stop-resource` and is switched on: from when it was
 *   made, or from its start date if that is later, until its end, or until it was ended before. What lies ahead counts too.
 * - The hours are those of the person who asked for it. When a change makes it longer, or adds a resource, the time that this adds is
 *   that of the person who asked for the change. Time that a change takes away is nobody's.
 * - Exclusions of the same resource that overlap count once: once for the resource, and once for each of their people.
 * - Only what was made counts: nothing that waits for an approval, has failed or is unknown.
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

export interface Keeps extends Interval {
  /** None where it is switched off, ended, or does not name its resources. */
  readonly resources: readonly NamedResource[];
}

export interface NamedResource {
  /** The same for every way to name it. */
  readonly key: string;
  readonly id: string;
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
  return [...resources.values()].flatMap((resource) =>
    keptOf(resource.key, steps).map((time) => ({ exclusionId, projectId, resource, ...time })),
  );
}

type Claim = Interval & Pick<Kept, "by">;

function keptOf(key: string, steps: readonly ExclusionStep[]): readonly Claim[] {
  return steps.reduce<readonly Claim[]>((claims, { at, by, keeps }) => {
    const isNamed = keeps.resources.some((each) => each.key === key);
    const ahead = isNamed ? merged([{ from: Math.max(at, keeps.from), to: keeps.to }]) : [];
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
