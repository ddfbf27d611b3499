import type { CommandContext } from "../../commands/command.ts";
import { readRecurrenceValue } from "../../commands/exclusion/planned/recurrence-words.ts";
import type { Plan, Span } from "../../commands/query-ports.ts";
import { ActionExclusion } from "../../service/resources.ts";
import type { Change } from "../change.ts";
import type { ChangeStore } from "../ports.ts";
import { isTimedSeries, planOf as recordedPlan } from "../steps/series.ts";
import { planTimes, stepsAhead } from "./plan-times.ts";
import { inputAgain } from "./replace-plan.ts";

/** The exclusions that are planned for later, the first to begin first. */
export const createPlans =
  ({ planned, waiting }: Pick<ChangeStore, "planned" | "waiting">): NonNullable<CommandContext["plans"]> =>
  async (alsoWaiting = false) => {
    // A time that was put back belongs to its series.
    const open = alsoWaiting ? (await waiting()).filter(({ state }) => state === "awaiting-approval") : [];
    const whole = [...(await planned()), ...open].filter(({ parentId }) => parentId === undefined);
    const plans = whole.flatMap((change) => planOf(change) ?? []);
    return plans.toSorted((one, other) => startOf(one) - startOf(other));
  };

const startOf = ({ spans: [next] }: Plan): number => next?.startsAt ?? Number.POSITIVE_INFINITY;

const body = ActionExclusion.pick({
  projectId: true,
  resourceType: true,
  resourceIds: true,
  processes: true,
}).partial();

/** What is planned by a change; undefined if it plans nothing, or nothing is left. `mayBeBegun`: also a series whose last time has begun. */
export function planOf(change: Change, { mayBeBegun = false } = {}): Plan | undefined {
  const { id, idempotencyKey, words, actor, request, reason, children = [] } = change;
  const { projectId, resourceType, resourceIds, processes } = body.safeParse(request).data ?? {};
  const spans = spansOf(change);
  const isLeft = spans.length > 0 || (mayBeBegun && isTimedSeries(change));
  if (change.subjectKind !== "exclusion" || !isLeft) return undefined;
  return {
    ...{ id, idempotencyKey, words, ownerId: actor.userId, spans, reason, input: inputAgain(change) },
    projectId: projectId ?? null,
    resourceType: resourceType ?? undefined,
    resourceIds: resourceIds ?? [],
    processes: processes ?? [],
    repeats: isTimedSeries(change) ? (recordedPlan(change).times ?? "several times") : undefined,
    isWaiting: change.state === "awaiting-approval",
    zone: readRecurrenceValue(change.input.every)?.zone ?? actor.timeZone,
    exclusionIds: children.flatMap(({ state, subjectId }) => (state === "succeeded" ? (subjectId ?? []) : [])),
  };
}

function spansOf(change: Change): readonly Span[] {
  if (!isTimedSeries(change)) return [planTimes(change) ?? []].flat();
  return stepsAhead(change).flatMap(({ startsAt, input: { until } }) =>
    typeof until === "number" ? [{ startsAt, endsAt: until }] : [],
  );
}
