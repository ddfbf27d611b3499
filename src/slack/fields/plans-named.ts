import { plansSeen, whatOf } from "../../commands/exclusion/planned/plans.ts";
import { formatMoment } from "../../time/format-moment.ts";
import { clip, limits } from "../messages/message.ts";
import { type Reading, type ReadingContext, value } from "./field-kind.ts";

const maxOptions = 5;

/** The plan of this group, or of this resource, where an exclusion is to be ended and none is in force; undefined if there is none. */
export async function plansNamed(text: string, context: ReadingContext): Promise<Reading | undefined> {
  const wanted = text.toLowerCase();
  const group = Object.entries(context.settings.resourceGroups).find(([name]) => name.toLowerCase() === wanted)?.[1];
  const ids = group?.ids ?? [text];
  const plans = await plansSeen(context, ids);
  const [first, ...others] = plans;
  if (!first) return undefined;
  if (others.length === 0) return value(first.id);
  const { timeZone } = context.actor;
  const options = plans.slice(0, maxOptions).map((plan) => {
    const [next] = plan.spans;
    const when = plan.repeats ?? (next ? `from ${formatMoment(next.startsAt, timeZone)}` : plan.id);
    return { label: clip(`${whatOf(plan.resourceIds, context)}, ${when}`, limits.buttonText), value: plan.id };
  });
  return { kind: "choice", text: `“${clip(text, 100)}” is planned more than once. Nothing was changed.`, options };
}
