import { isFor } from "../../service/action-types.ts";
import type { Interval } from "../../time/intervals.ts";
import { processesOf } from "../exclusion/exclusion-body.ts";
import type { Run } from "./coming-runs.ts";
import { type Hold, isHolding } from "./holding.ts";

/** A time in which resources are up, or down; which of both is unknown before the first run. */
export interface Phase extends Interval {
  readonly isUp: boolean | undefined;
  /** The run that began it. */
  readonly began: Run | undefined;
  /** The runs that did not end it, with what held them back. */
  readonly held: readonly { readonly at: number; readonly by: readonly Hold[] }[];
}

/**
 * When some resources are up within a time, by the runs that start and stop them all and by what holds all of them. What is started while
 * it is up begins another phase: it is up for that reason.
 */
export function phasesOf(runs: readonly Run[], holds: readonly Hold[], { from, to }: Interval): readonly Phase[] {
  const found: Phase[] = [];
  let phase: Phase = { from, to, isUp: undefined, began: undefined, held: [] };
  for (const run of [...runs].sort((one, other) => one.at - other.at)) {
    const isUp = isFor("start", run.action) === true;
    if (phase.isUp === false && !isUp) continue;
    const by = holds.filter((hold) => isHolding(hold, run.at, processesOf[isUp ? "start" : "stop"][0]));
    if (by.length > 0) {
      phase = { ...phase, held: [...phase.held, { at: run.at, by }] };
      continue;
    }
    found.push({ ...phase, to: run.at });
    phase = { from: run.at, to, isUp, began: run, held: [] };
  }
  return [...found, phase];
}

/** What keeps resources as they are at a moment: what holds then, else what held the last run back that would have changed that. */
export function keptBy({ isUp, held }: Phase, holds: readonly Hold[], at: number): readonly Hold[] {
  const then = holds.filter((hold) => isHolding(hold, at, processesOf[isUp ? "stop" : "start"][0]));
  return then.length > 0 ? then : (held.findLast((run) => run.at <= at)?.by ?? []);
}
