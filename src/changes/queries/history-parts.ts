import type { Sign } from "../../commands/answer.ts";
import type { Change, ChangeState } from "../change.ts";
import type { ChangeStore } from "../ports.ts";
import { isSeries } from "../steps/series.ts";

/** How each state looks at a glance. */
export const signs: Readonly<Record<ChangeState, Sign>> = {
  "awaiting-approval": "waiting",
  planned: "planned",
  approved: "waiting",
  denied: "over",
  withdrawn: "over",
  expired: "over",
  performing: "waiting",
  succeeded: "done",
  partly: "failed",
  failed: "failed",
  unknown: "unknown",
};

/** What the approvers approve. */
export function exactRequest(change: Change): string | undefined {
  const { state, operation, words, request } = change;
  return state === "awaiting-approval"
    ? `${isSeries(change) ? words : operation}\n${JSON.stringify(request, null, 1)}`
    : undefined;
}

export type Transitions = Awaited<ReturnType<ChangeStore["transitions"]>>;

/** Shows a repeated state once, and leaves out `approved` and `denied` where the decisions show them. */
export function shownTransitions(transitions: Transitions, decisions: Change["decisions"]): Transitions {
  const shownElsewhere = new Set<string>(decisions.map(({ verdict }) => verdict));
  return transitions.filter(({ state }) => !shownElsewhere.has(state) && shownElsewhere.add(state));
}
