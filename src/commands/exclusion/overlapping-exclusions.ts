import type { Directory, Entity } from "../../directory/directory.ts";
import { amongResources } from "../../directory/resources.ts";
import { resourceKeys } from "../../service/resources.ts";
import { shortDay, timeSpan } from "../../time/format-moment.ts";
import type { FillContext } from "../command.ts";
import type { Plan, Span } from "../query-ports.ts";
import { instant, isSwitchedOff, processesOf } from "./exclusion-body.ts";
import { plansSeen, whatOf } from "./planned/plans.ts";

type Exclusion = Entity<"exclusion">;

/** The exclusions, soonest to end first, that hold back one of these processes, or any, of one of these resources, or any, at `at` (epoch ms). */
export async function exclusionsHolding(
  directory: Pick<Directory, "liveExclusions">,
  {
    resourceIds,
    processes,
  }: { readonly resourceIds?: readonly string[] | undefined; readonly processes?: readonly string[] },
  at: number,
): Promise<readonly Exclusion[]> {
  const live = await directory.liveExclusions(at, resourceIds?.flatMap(resourceKeys));
  return live.filter(
    ({ body }) =>
      !isSwitchedOff(body) &&
      (instant(body.startDate) ?? at) <= at &&
      (processes === undefined || (body.processes ?? []).some((process) => processes.includes(process))),
  );
}

/** The resources and processes that another exclusion still holds back when one ends. */
export interface AlsoHeld {
  readonly by: Exclusion;
  readonly resourceIds: readonly string[];
  readonly processes: readonly string[];
}

/** The resources that other exclusions still hold back when this one ends at `endsAt` (epoch ms). */
export async function alsoHeld(
  { id, body }: Exclusion,
  endsAt: number,
  directory: Pick<Directory, "liveExclusions">,
): Promise<readonly AlsoHeld[]> {
  const held = { resourceIds: body.resourceIds ?? [], processes: body.processes ?? [] };
  const others = await exclusionsHolding(directory, held, endsAt);
  return others
    .filter((other) => other.id !== id)
    .map((by) => ({
      by,
      resourceIds: held.resourceIds.filter(amongResources(by.body.resourceIds)),
      processes: held.processes.filter((process) => by.body.processes?.includes(process)),
    }))
    .filter(({ resourceIds }) => resourceIds.length > 0);
}

interface Planned {
  readonly resourceIds?: readonly string[] | undefined;
  readonly process?: keyof typeof processesOf | undefined;
  /** The id of the plan that it takes the place of. */
  readonly replaces?: string | undefined;
}

const shownPlans = 3;

/** The other plans of some of these resources that the requester may see and that hold back the same at these times: which, and when. */
export async function overlapLines(
  { resourceIds = [], process, replaces }: Planned,
  spans: readonly Span[],
  context: FillContext,
): Promise<readonly string[]> {
  if (!process || spans.length === 0) return [];
  const processes: readonly string[] = processesOf[process];
  const others = (await plansSeen(context, resourceIds)).filter(
    (plan) =>
      plan.id !== replaces && !isOfRequest(plan, context) && plan.processes.some((each) => processes.includes(each)),
  );
  const overlaps = others.flatMap((plan) => {
    const shared = spans.flatMap((span) => plan.spans.flatMap((other) => sharedSpan(span, other) ?? []));
    const [first] = shared;
    return first ? [{ plan, first, count: shared.length }] : [];
  });
  return overlaps.slice(0, shownPlans).map((overlap) => overlapLine(overlap, context));
}

/** A request is recorded while its effect is foreseen: its own plan is none beside it. */
const isOfRequest = ({ idempotencyKey }: Plan, { idempotencyKey: own }: Pick<FillContext, "idempotencyKey">): boolean =>
  own !== undefined && (idempotencyKey === own || idempotencyKey.startsWith(`${own}#`));

function sharedSpan(one: Span, other: Span): Span | undefined {
  const startsAt = Math.max(one.startsAt, other.startsAt);
  const endsAt = Math.min(one.endsAt, other.endsAt);
  return startsAt < endsAt ? { startsAt, endsAt } : undefined;
}

function overlapLine(
  { plan, first, count }: { readonly plan: Plan; readonly first: Span; readonly count: number },
  context: FillContext,
): string {
  const { timeZone } = context.actor;
  const more = count > 1 ? ` and ${count - 1} more times` : "";
  const when = `${spanWords(first, timeZone)}${more}`;
  const [next] = plan.spans;
  const times = plan.repeats ?? (next ? spanWords(next, timeZone) : "");
  return `It overlaps with the plan for ${whatOf(plan.resourceIds, context)}, ${times}. Both cover ${when}.`;
}

/** "Fri 27 Nov, 18:00–22:00", or with the day of its end. */
function spanWords({ startsAt, endsAt }: Span, zone: string): string {
  const [first, last] = [shortDay(startsAt, zone), shortDay(endsAt, zone)];
  if (first === last) return `${first}, ${timeSpan(startsAt, endsAt, zone)}`;
  const [start, end] = timeSpan(startsAt, endsAt, zone).split("–");
  return `${first}, ${start} until ${last}, ${end}`;
}
