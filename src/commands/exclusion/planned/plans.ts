import { resourceKeys } from "../../../directory/resource-place.ts";
import type { CommandButton, Line, LinePart } from "../../answer.ts";
import type { CommandContext, FillContext } from "../../command.ts";
import { maySeeProject } from "../../lookup/may-see.ts";
import type { Plan, Span } from "../../query-ports.ts";
import { resourceWords } from "../exclusion-body.ts";
import { groupOf } from "../resource-context.ts";

/** The plans that name one of these resources, or any; the first to begin first. */
export async function plansFor(
  { plans }: Pick<CommandContext, "plans">,
  ids?: readonly string[],
): Promise<readonly Plan[]> {
  const all = (await plans?.()) ?? [];
  const keys = ids && new Set(ids.flatMap(resourceKeys));
  return keys ? all.filter(({ resourceIds }) => resourceIds.flatMap(resourceKeys).some((key) => keys.has(key))) : all;
}

/** Those of them that the requester may see. */
export async function plansSeen(
  context: Pick<FillContext, "plans" | "may" | "actor">,
  ids?: readonly string[],
): Promise<readonly Plan[]> {
  const plans = await plansFor(context, ids);
  return plans.filter(
    ({ projectId, ownerId }) => ownerId === context.actor.userId || maySeeProject(context, projectId),
  );
}

/** Those that hold back one of these processes at some time within the span. */
export const plansHolding = (
  plans: readonly Plan[],
  { span, processes }: { readonly span: Span; readonly processes: readonly string[] },
): readonly Plan[] =>
  plans.filter(
    (plan) =>
      plan.processes.some((process) => processes.includes(process)) &&
      plan.spans.some(({ startsAt, endsAt }) => startsAt < span.endsAt && endsAt > span.startsAt),
  );

/** The plans of some resources, or of all, that the requester may see, one a line. */
export async function planLines(context: FillContext, ids?: readonly string[], most = 5): Promise<readonly Line[]> {
  return (await plansSeen(context, ids)).slice(0, most).map((plan) => planLine(plan, context));
}

const shownIds = 2;

/** A plan on one line, with what its reader may do with it. */
export function planLine(plan: Plan, context: FillContext): Line {
  const { id, ownerId, resourceIds, spans, repeats, reason } = plan;
  const [next] = spans;
  const times: readonly LinePart[] =
    repeats !== undefined
      ? [repeats, ...(next ? [{ before: "next: ", at: next.startsAt }] : []), `${spans.length} left`]
      : next
        ? [
            { before: "planned from ", at: next.startsAt },
            { before: "until ", at: next.endsAt },
          ]
        : [];
  return {
    ...{ id, sign: "planned", name: whatOf(resourceIds, context) },
    parts: [...times, ownerId === context.actor.userId ? "you" : { person: ownerId }, ...(reason ? [reason] : [])],
    menu: planMenu(plan, context),
  };
}

/** The name of the group of these resources, or the first of them. */
export const whatOf = (ids: readonly string[], { settings }: Pick<FillContext, "settings">): string =>
  groupOf(ids, settings.resourceGroups) ?? resourceWords(ids, shownIds);

const planMenu = (plan: Plan, context: FillContext): readonly CommandButton[] => [
  ...planActions(plan, context),
  { label: "Details", words: "history", opens: "result", input: { which: plan.id } },
];

/** What the requester may do with a plan: who could end such an exclusion may withdraw it. */
export function planActions(plan: Plan, { may, actor }: Pick<FillContext, "may" | "actor">): readonly CommandButton[] {
  const { ownerId, projectId, resourceType } = plan;
  const isOwn = ownerId === actor.userId;
  const target = { projectId: projectId ?? undefined, resourceType, exclusionLengthMs: 0, isOwn };
  return isOwn || may("DeleteActionExclusion", target) ? planButtons(plan) : [];
}

type Changing = Pick<Plan, "id" | "words" | "input" | "spans" | "repeats">;

/** Withdraws a plan, replaces it, or leaves out the next time of one that repeats. */
export function planButtons({ id, words, input, spans, repeats }: Changing): readonly CommandButton[] {
  const edit: CommandButton = { label: "Edit…", words, opens: "form", input: { ...input, replaces: id } };
  const withdraw = { words: "withdraw", opens: "result" } as const;
  const [next] = spans;
  if (repeats === undefined) return [edit, { label: "Withdraw", ...withdraw, input: { change: id } }];
  const skip = next && { label: "Skip the next one", ...withdraw, input: { change: id, occurrence: next.startsAt } };
  return [...(skip ? [skip] : []), { label: "End the series", ...withdraw, input: { change: id } }, edit];
}
