import { z } from "zod";
import { exclusionsCovering } from "../../../directory/exclusions-covering.ts";
import { shortDay, timeSpan } from "../../../time/format-moment.ts";
import type { CommandButton, Problem } from "../../answer.ts";
import type { FillContext, Inverse } from "../../command.ts";
import type { Input } from "../../field.ts";
import type { Plan } from "../../query-ports.ts";
import { mayAlter } from "../exclusion-body.ts";
import { findPlans } from "./find-plans.ts";
import { editPlan, leaveOut, planActions, withdrawPlan } from "./plan-buttons.ts";
import { plansSeen, whatOf, whenOf } from "./plans.ts";

/** What a command about exclusions, or about a change, means for what is only planned. */
export type MeantForPlan = Inverse & Pick<CommandButton, "opens">;

type Asked = { readonly words: string; readonly input: Input };

/** Undefined where the command is about no plan. A problem asks what is meant: nothing is done before. */
export async function meantForPlan(
  { words, input }: Asked,
  context: FillContext,
): Promise<MeantForPlan | Problem | undefined> {
  switch (words) {
    case "exclusion end":
    case "exclusion extend":
    case "exclusion edit":
      return isChangeId(input.exclusion) ? ofExclusion({ words, input }, input.exclusion, context) : undefined;
    case "withdraw":
    case "undo":
      return ofName(words, input.change, context);
    default:
      return undefined;
  }
}

const isChangeId = (value: unknown): value is string => typeof value === "string" && /^chg-\w+$/.test(value);

async function ofExclusion({ words, input }: Asked, id: string, context: FillContext) {
  const plan = (await plansSeen(context, undefined, true)).find((each) => each.id === id);
  if (words === "exclusion end") return plan ? ending(plan, context) : withdrawal(id);
  if (!plan) return planGone(id);
  return words === "exclusion edit" ? editing(plan) : extending(plan, input, context);
}

/** "withdraw staging", "undo staging". */
async function ofName(words: string, named: unknown, context: FillContext) {
  if (typeof named !== "string" || isChangeId(named) || /^(?:last|latest)$/i.test(named)) return undefined;
  const { plans, isPart } = await findPlans(named, context);
  const [first, ...others] = plans;
  if (!first) return words === "undo" ? inForce(named, context) : undefined;
  return others.length > 0 || isPart ? whichOf(named, plans, context) : ending(first, context);
}

const withdrawal = (change: string): MeantForPlan => ({ words: "withdraw", input: { change }, opens: "result" });

export const planGone = (id: string): Problem => ({
  problem: `Change ${id} is not planned any more. Nothing was changed now: “history ${id}” shows what came of it.`,
});

/** Withdraws a plan. Of a series with several times left, one may be meant or all. */
function ending(plan: Plan, context: FillContext): MeantForPlan | Problem {
  const { id, spans, repeats, zone, isWaiting } = plan;
  const [next, ...later] = spans;
  const isWhole = repeats === undefined || isWaiting || !next || later.length === 0;
  // Who may not withdraw it gets the refusal, with who could.
  if (isWhole || planActions(plan, context).length === 0) return withdrawal(id);
  const only = `${shortDay(next.startsAt, zone)}, ${timeSpan(next.startsAt, next.endsAt, zone)}`;
  const what = whatOf(plan.resourceIds, context);
  return {
    problem: `${what} is planned ${repeats}, and ${spans.length} times are left. Nothing was changed yet. What do you want to withdraw?`,
    buttons: [
      { ...leaveOut(plan, next), label: `Leave out only ${only}` },
      withdrawPlan(`Withdraw the whole series (${spans.length} times)`, id),
    ],
  };
}

function editing(plan: Plan): MeantForPlan {
  const { words, input } = editPlan(plan);
  return { words, input, opens: "form" };
}

const moved = z.union([z.object({ until: z.number() }), z.object({ forMs: z.number() })]);

/** A plan with another end takes its place. */
function extending(plan: Plan, { until, shorter }: Input, context: FillContext): MeantForPlan | Problem {
  const asked = moved.safeParse(until).data;
  const [span] = plan.spans;
  if (!asked || !span) return editing(plan);
  if (plan.repeats !== undefined)
    return {
      problem: `${whatOf(plan.resourceIds, context)} is planned ${plan.repeats}. Nothing was changed: change its times in the form.`,
      buttons: [editPlan(plan)],
    };
  const end = "until" in asked ? asked.until : span.endsAt + (shorter === true ? -asked.forMs : asked.forMs);
  return { words: plan.words, input: { ...plan.input, replaces: plan.id, until: end }, opens: "result" };
}

const shownPlans = 4;

function whichOf(named: string, plans: readonly Plan[], context: FillContext): Problem {
  return {
    problem: `“${named}” could be more than one plan. Nothing was changed. Which one do you want to withdraw?`,
    buttons: plans
      .slice(0, shownPlans)
      .map((plan) => withdrawPlan(`Withdraw ${whatOf(plan.resourceIds, context)}, ${whenOf(plan, context)}`, plan.id)),
  };
}

/** What has begun is not withdrawn: it is ended, or one of its changes is undone. */
async function inForce(named: string, context: FillContext): Promise<Problem | undefined> {
  const { directory, now, settings } = context;
  const { fits } = await exclusionsCovering(named, { directory, groups: settings.resourceGroups, now });
  const mine = fits.filter((exclusion) => mayAlter(exclusion, "DeleteActionExclusion", context));
  const [first, ...others] = mine;
  if (!first) return undefined;
  const isOne = others.length === 0;
  return {
    problem: `“${named}” is in force${isOne ? "" : ` ${mine.length} times`}. Nothing was changed. Undo one of its changes in the history, or end it.`,
    buttons: [
      { label: "Show its history", words: "history", opens: "result", input: { which: isOne ? first.id : named } },
      ...(isOne
        ? [{ label: "End it…", words: "exclusion end", opens: "form", input: { exclusion: first.id } } as const]
        : []),
    ],
  };
}
