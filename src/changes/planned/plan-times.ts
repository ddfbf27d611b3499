import { plannedStart } from "../../commands/command.ts";
import { instant } from "../../commands/exclusion/exclusion-body.ts";
import { ActionExclusion } from "../../service/resources.ts";
import type { Change } from "../change.ts";
import type { NewJob } from "../job.ts";
import { isTimedSeries, type SeriesStep, stepsOf } from "../steps/series.ts";

const end = ActionExclusion.pick({ expiryDate: true });

/** When a change is to begin and end, in epoch ms; undefined for one that was not planned for later. */
export function planTimes({ input, request }: Pick<Change, "input" | "request">) {
  const startsAt = plannedStart(input);
  if (startsAt === undefined) return undefined;
  const endsAt = instant(end.safeParse(request).data?.expiryDate);
  return endsAt === undefined ? undefined : { startsAt, endsAt };
}

/** Until when an approved change is tried: one that was planned until its end, others while their approval lasts. */
export const triedUntil = (change: Change): number | undefined =>
  planTimes(change)?.endsAt ?? change.approval?.expiresAt;

/** Whether a change is still to begin later, now that it may. */
export function isStillAhead(change: Change, now: number): boolean {
  if (isTimedSeries(change)) return true;
  const { startsAt = now } = planTimes(change) ?? {};
  return startsAt > now;
}

/** The job that begins a planned change, or the next occurrence of a series. */
export function planJobs(change: Change, now: number): readonly NewJob[] {
  const dueAt = isTimedSeries(change) ? (nextStep(change)?.startsAt ?? now) : planTimes(change)?.startsAt;
  return dueAt === undefined ? [] : [{ kind: "planned-change", subjectId: change.id, dueAt }];
}

export interface Occurrence extends SeriesStep {
  /** In epoch ms. */
  readonly startsAt: number;
}

/** The occurrences of a series that are neither begun nor left out, in their order. One that was put back is `planned`. */
export function stepsAhead(series: Change): readonly Occurrence[] {
  return stepsOf(series).flatMap((step) => {
    const startsAt = plannedStart(step.input);
    const isAhead = step.change === undefined || step.change.state === "planned";
    return isAhead && startsAt !== undefined ? [{ ...step, startsAt }] : [];
  });
}

export const nextStep = (series: Change): Occurrence | undefined => stepsAhead(series)[0];
