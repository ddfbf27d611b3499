import { findPlans, whatOf, whenOf } from "../../commands/exclusion/planned/plans.ts";
import { clip, limits } from "../messages/message.ts";
import { type Reading, type ReadingContext, value } from "./field-kind.ts";

const maxOptions = 5;
const aboutExclusions: ReadonlySet<string> = new Set(["exclusion end", "exclusion extend", "exclusion edit"]);

/** The plan that is meant where no exclusion is in force; undefined if there is none, or the command cannot be about one. */
export async function plansNamed(text: string, context: ReadingContext): Promise<Reading | undefined> {
  if (!aboutExclusions.has(context.command?.words ?? "")) return undefined;
  const { plans, isPart } = await findPlans(text, context);
  const [first, ...others] = plans;
  if (!first) return undefined;
  if (others.length === 0 && !isPart) return value(first.id);
  const options = plans.slice(0, maxOptions).map((plan) => ({
    label: clip(`${whatOf(plan.resourceIds, context)}, ${whenOf(plan, context)}`, limits.buttonText),
    value: plan.id,
  }));
  const many = isPart
    ? `Only a part of “${clip(text, 100)}” is planned`
    : `“${clip(text, 100)}” is planned more than once`;
  return { kind: "choice", text: `${many}. Nothing was changed. Choose one.`, options };
}
