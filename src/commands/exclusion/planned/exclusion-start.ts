import type { Fact, Problem } from "../../answer.ts";
import type { CommandContext } from "../../command.ts";

interface Planned {
  /** In epoch ms; undefined for one that begins now. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** When an exclusion begins, in epoch ms: now, unless it is planned for later. */
export const beginning = ({ from }: Planned, { now }: Pick<CommandContext, "now">): number =>
  Math.max(from ?? now, now);

const longestAheadMs = 366 * 86_400_000;

/** Why an exclusion cannot be planned for then. */
export function planProblem({ from, until }: Planned, { now }: Pick<CommandContext, "now">): Problem | undefined {
  if (from === undefined || from <= now) return undefined;
  if (from - now > longestAheadMs)
    return {
      field: "from",
      problem: "Curfew plans for at most 366 days ahead. Nothing was changed: give an earlier start.",
    };
  if (until === undefined || until > from) return undefined;
  return {
    field: "until",
    problem: "The end must come after the start. Nothing was changed: give a later end, or an earlier start.",
  };
}

/** The start of an exclusion that was planned. */
export const fromFact = (startsAt: number | undefined): readonly Fact[] =>
  startsAt === undefined ? [] : [{ label: "From", value: { at: startsAt } }];
