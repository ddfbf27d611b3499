import { plannedStart, type Step } from "../../commands/command.ts";
import type { Change } from "../change.ts";
import { type SeriesStep, stepsOf } from "../steps/series.ts";

export interface Occurrence extends SeriesStep {
  /** In epoch ms. */
  readonly startsAt: number;
}

/** The occurrences of a series that are neither begun nor left out, in their order. One that was put back is `planned`. */
export function stepsAhead(series: Change): readonly Occurrence[] {
  return stepsOf(series).flatMap((step) => {
    const startsAt = startOf(step);
    const isAhead = step.change === undefined || step.change.state === "planned";
    return isAhead && startsAt !== undefined ? [{ ...step, startsAt }] : [];
  });
}

export const nextStep = (series: Change): Occurrence | undefined => stepsAhead(series)[0];

const startOf = ({ input }: Step): number | undefined => plannedStart(input);
