import type { Problem } from "../../answer.ts";
import type { FillContext } from "../../command.ts";
import type { Input } from "../../field.ts";
import type { Span } from "../../query-ports.ts";
import { processesOf } from "../exclusion-body.ts";
import { groupOf } from "../resource-context.ts";
import { plansFor, plansSeen, whatOf } from "./plans.ts";

interface Planned extends Input {
  readonly words: string;
  readonly resourceIds: readonly string[];
  readonly type: string;
  readonly project: string;
  readonly process: keyof typeof processesOf;
  /** The id of the plan that it takes the place of. */
  readonly replaces?: string | undefined;
}

/** Why a plan would be a second one: another has all of these times. */
export async function alreadyPlanned(
  { words, ...planned }: Planned,
  spans: readonly Span[],
  context: FillContext,
): Promise<Problem | undefined> {
  const { resourceIds, project, type, process, replaces } = planned;
  const covering = (await plansFor(context, resourceIds)).find(
    (plan) =>
      plan.id !== replaces &&
      plan.projectId === project &&
      plan.resourceType === type &&
      processesOf[process].every((each) => plan.processes.includes(each)) &&
      resourceIds.every((id) => plan.resourceIds.some((each) => each.toLowerCase() === id.toLowerCase())) &&
      spans.every((span) =>
        plan.spans.some(({ startsAt, endsAt }) => startsAt <= span.startsAt && endsAt >= span.endsAt),
      ),
  );
  if (!covering) return undefined;
  const isSeen = (await plansSeen(context, resourceIds)).some(({ id }) => id === covering.id);
  const isOne = resourceIds.length === 1 || groupOf(resourceIds, context.settings.resourceGroups) !== undefined;
  const which = isSeen ? ` (change ${covering.id})` : "";
  const show = { label: "Show it", words: "history", opens: "result", input: { which: covering.id } } as const;
  const edit = { label: "Change the times…", words, opens: "form", input: planned } as const;
  return {
    problem: `${whatOf(resourceIds, context)} ${isOne ? "is" : "are"} planned already for all of that time${which}. Nothing was changed. Choose other times.`,
    buttons: [...(isSeen ? [show] : []), edit],
  };
}
