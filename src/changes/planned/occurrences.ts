import { plannedStart } from "../../commands/occurrence.ts";
import type { Step } from "../../commands/series.ts";
import type { Change } from "../change.ts";
import { type SeriesStep, stepsOf } from "../steps/series.ts";

export interface Occurrence extends SeriesStep {
  /** In epoch ms. */
  readonly startsAt: number;
}

/** The occurrences of a series that were not begun or skipped yet, in their order. */
export function stepsAhead(series: Change): readonly Occurrence[] {
  return stepsOf(series).flatMap((step) => {
    const startsAt = startOf(step);
    return step.change === undefined && startsAt !== undefined ? [{ ...step, startsAt }] : [];
  });
}

export const nextStep = (series: Change): Occurrence | undefined => stepsAhead(series)[0];

const startOf = ({ input }: Step): number | undefined => plannedStart(input);
