import type { CommandContext } from "../../commands/command.ts";
import type { Plan, Span } from "../../commands/query-ports.ts";
import { ActionExclusion } from "../../service/resources.ts";
import type { Change } from "../change.ts";
import type { ChangeStore } from "../ports.ts";
import { isTimedSeries, planOf as recordedPlan } from "../steps/series.ts";
import { stepsAhead } from "./occurrences.ts";
import { planTimes } from "./plan-times.ts";

/** The exclusions that are planned for later, the first to begin first. */
export const createPlans =
  ({ planned }: Pick<ChangeStore, "planned">): NonNullable<CommandContext["plans"]> =>
  async () => {
    const plans = (await planned()).flatMap((change) => planOf(change) ?? []);
    return plans.toSorted((one, other) => startOf(one) - startOf(other));
  };

const startOf = ({ spans: [next] }: Plan): number => next?.startsAt ?? Number.POSITIVE_INFINITY;

const body = ActionExclusion.pick({
  projectId: true,
  resourceType: true,
  resourceIds: true,
  processes: true,
}).partial();

/** What is planned by a change; undefined if it plans nothing, or nothing is left. */
export function planOf(change: Change): Plan | undefined {
  const { id, words, actor, request, reason, input } = change;
  const { projectId, resourceType, resourceIds, processes } = body.safeParse(request).data ?? {};
  const spans = spansOf(change);
  if (change.subjectKind !== "exclusion" || spans.length === 0) return undefined;
  return {
    ...{ id, words, ownerId: actor.userId, spans, reason, input },
    projectId: projectId ?? null,
    resourceType: resourceType ?? undefined,
    resourceIds: resourceIds ?? [],
    processes: processes ?? [],
    repeats: repeatsOf(change),
  };
}

function spansOf(change: Change): readonly Span[] {
  if (!isTimedSeries(change)) return [planTimes(change) ?? []].flat();
  return stepsAhead(change).flatMap(({ startsAt, input: { until } }) =>
    typeof until === "number" ? [{ startsAt, endsAt: until }] : [],
  );
}

const repeatsOf = (change: Change): string | undefined =>
  isTimedSeries(change) ? (recordedPlan(change).times ?? "several times") : undefined;
