import type { DirectoryStore, Entity } from "../../directory/directory.ts";
import { resourceKeys } from "../../service/resources.ts";
import type { FillContext, QueryContext } from "../command.ts";
import { byEnd, expiryOf, isSwitchedOff, startOf } from "../exclusion/exclusion-body.ts";
import { endOf } from "../exclusion/exclusion-line.ts";
import { exclusionsHolding } from "../exclusion/overlapping-exclusions.ts";
import { plansSeen, whatOf } from "../exclusion/planned/plans.ts";
import { maySeeProject } from "./may-see.ts";

/** The exclusions that hold back some process of these resources now and that the requester may see, soonest to end first. */
export async function exclusionsNow(
  resourceIds: readonly string[] | undefined,
  context: QueryContext,
): Promise<readonly Entity<"exclusion">[]> {
  const known = await exclusionsHolding(context.directory, { resourceIds }, context.now);
  return known.filter(({ projectId }) => maySeeProject(context, projectId));
}

/** An exclusion, or a time of a plan, that holds resources back. */
export interface Hold {
  readonly name: string;
  readonly id?: string;
  /** In Slack; null for one that was made elsewhere. */
  readonly ownerId: string | null;
  /** In epoch ms. */
  readonly from: number;
  readonly until: number | undefined;
  readonly isPlanned: boolean;
  readonly reason?: string | null;
  readonly body: {
    readonly processes?: readonly string[] | undefined;
    readonly resourceIds?: readonly string[] | undefined;
  };
}

/** Some resources, or all from a moment on. */
type Held = readonly string[] | { readonly since: number };

/** What held these resources back, does or will, as far as the requester may see it; soonest to end first. */
export async function holdsOf(held: Held, context: FillContext): Promise<readonly Hold[]> {
  const { directory, now } = context;
  const exclusions = await exclusionHolds(held, directory, now, (projectId) => maySeeProject(context, projectId));
  const plans = (await plansSeen(context, "since" in held ? undefined : held)).flatMap(
    ({ spans, ownerId, reason, ...body }) =>
      // What has begun is an exclusion.
      spans
        .filter(({ startsAt }) => startsAt > now)
        .map(({ startsAt, endsAt }) => ({
          name: `the plan for ${whatOf(body.resourceIds, context)}`,
          ...{ ownerId, from: startsAt, until: endsAt, isPlanned: true, reason, body },
        })),
  );
  return [...exclusions, ...plans].sort((one, other) => (one.until ?? never) - (other.until ?? never));
}

/** The same of several sets of resources, which are looked up together. */
export async function holdsOfEach(
  sets: readonly (readonly string[])[],
  context: FillContext,
): Promise<readonly (readonly Hold[])[]> {
  const ids = [...new Set(sets.flat())];
  const holds = ids.length === 0 ? [] : await holdsOf(ids, context);
  const holding = holdingAny(holds);
  return sets.map(holding);
}

/** Which of these hold some of the resources back, in their order. */
export function holdingAny(holds: readonly Hold[]) {
  const byKey = new Map<string, Hold[]>();
  for (const hold of holds)
    for (const key of (hold.body.resourceIds ?? []).flatMap(resourceKeys))
      byKey.set(key, [...(byKey.get(key) ?? []), hold]);
  return (ids: readonly string[]): readonly Hold[] => {
    if (byKey.size === 0) return [];
    const own = new Set(ids.flatMap(resourceKeys).flatMap((key) => byKey.get(key) ?? []));
    return own.size === 0 ? [] : holds.filter((hold) => own.has(hold));
  };
}

/** The exclusions that held these resources back, or do, of the projects that count. */
export async function exclusionHolds(
  held: Held,
  directory: Pick<DirectoryStore, "exclusionsNaming" | "exclusionsSince" | "liveExclusions">,
  now: number,
  counts: (projectId: string | null) => boolean = () => true,
): Promise<readonly Hold[]> {
  const known =
    "since" in held ? await directory.exclusionsSince(held.since) : await exclusionsOf(held, directory, now);
  return [...new Map(known.map((each) => [each.id, each])).values()].flatMap((exclusion) => {
    const { id, body, ownerId, projectId } = exclusion;
    if (isSwitchedOff(body) || !counts(projectId)) return [];
    return byEnd(body).map((held) => {
      const until = endOf({ ...exclusion, body: held }, now) ?? expiryOf(held);
      return { name: body.name ?? id, id, ownerId, from: startOf(body) ?? 0, until, isPlanned: false, body: held };
    });
  });
}

async function exclusionsOf(
  ids: readonly string[],
  directory: Pick<DirectoryStore, "exclusionsNaming" | "liveExclusions">,
  now: number,
) {
  const keys = ids.flatMap(resourceKeys);
  // The former also name what is over of one that is still there.
  return [...(await directory.liveExclusions(now, keys)), ...(await directory.exclusionsNaming(keys))];
}

const never = Number.POSITIVE_INFINITY;

/** Whether it holds back a process at a moment. */
export const isHolding = ({ from, until = never, body }: Hold, at: number, process: string): boolean =>
  from <= at && at < until && (body.processes?.includes(process) ?? false);

/** Which of these resources exclusions hold back from a process. */
export function heldBack(
  ids: readonly string[],
  exclusions: readonly Pick<Hold, "body">[],
  process: string,
): readonly string[] {
  const keys = new Set(
    exclusions
      .filter(({ body }) => body.processes?.includes(process))
      .flatMap(({ body }) => (body.resourceIds ?? []).flatMap(resourceKeys)),
  );
  return keys.size === 0 ? [] : ids.filter((id) => resourceKeys(id).some((key) => keys.has(key)));
}
