import type { HistoryEntry } from "../../commands/about-changes/about-changes.ts";
import type { Sign } from "../../commands/answer.ts";
import { ticketOf } from "../../commands/reason-and-ticket.ts";
import { askedRolesOf, type Change, type ChangeState, stateWords } from "../change.ts";
import { describeChange } from "../change-command.ts";
import { verifiedWords } from "../outcomes/follow-up.ts";
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

/** A change as the history shows it, without what its reader may do with it. */
export function historyEntry(change: Change, transitions: Transitions): Omit<HistoryEntry, "isUndoable" | "followUp"> {
  const { id, words, actor, requestedAt, state, reason, note, approval, decisions, notices } = change;
  return {
    id,
    words,
    actorName: actor.name,
    requestedAt,
    state: stateWords[state],
    sign: signs[state],
    isDone: state === "succeeded",
    reason,
    ticket: ticketOf(change.input),
    note,
    verified: verifiedWords(change).map(({ by, words }) => `${by?.name ?? "Curfew"} ${words}`)[0],
    description: describeChange(change),
    isAwaited: state === "awaiting-approval",
    transitions: shownTransitions(transitions, decisions).map(({ state: then, at }) => ({
      state: stateWords[then],
      at,
    })),
    approvers: approval ? askedRolesOf(approval, actor) : [],
    decisions,
    notices,
    partOf: change.parentId,
    latestAt: change.settledAt ?? requestedAt,
  };
}
