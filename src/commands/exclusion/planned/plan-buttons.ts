import { shortDay } from "../../../time/format-moment.ts";
import type { CommandButton } from "../../answer.ts";
import type { FillContext } from "../../command.ts";
import type { Plan, Span } from "../../query-ports.ts";

/** What the requester may do with a plan: who could end such an exclusion may withdraw it. */
export function planActions(plan: Plan, { may, actor }: Pick<FillContext, "may" | "actor">): readonly CommandButton[] {
  const { ownerId, projectId, resourceType } = plan;
  const isOwn = ownerId === actor.userId;
  const target = { projectId: projectId ?? undefined, resourceType, exclusionLengthMs: 0, isOwn };
  return isOwn || may("DeleteActionExclusion", target) ? planButtons(plan) : [];
}

type Changing = Pick<Plan, "id" | "words" | "input" | "spans" | "repeats" | "zone">;

/** Withdraws a plan, replaces it, or leaves out the next time of one that repeats. */
export function planButtons(plan: Changing): readonly CommandButton[] {
  const { id, spans, repeats } = plan;
  const [next] = spans;
  if (repeats === undefined) return [editPlan(plan), withdrawPlan("Withdraw", id)];
  return next ? [leaveOut(plan, next), withdrawPlan("Withdraw the series", id), editPlan(plan)] : [];
}

export const editPlan = ({ id, words, input }: Pick<Plan, "id" | "words" | "input">): CommandButton => ({
  ...{ label: "Edit…", words, opens: "form", input: { ...input, replaces: id } },
});

export const withdrawPlan = (label: string, change: string): CommandButton => ({
  ...{ label, words: "withdraw", opens: "result", input: { change } },
});

/** Leaves one time out of a series: it goes on with the others. */
export const leaveOut = ({ id, zone }: Pick<Plan, "id" | "zone">, { startsAt }: Span): CommandButton => ({
  label: `Leave out ${shortDay(startsAt, zone)}`,
  words: "withdraw",
  opens: "result",
  input: { change: id, occurrence: startsAt },
});
