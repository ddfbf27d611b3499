import { z } from "zod";
import { weekdays } from "../../../service/resources.ts";
import { shortDay, timeAt, timeSpan } from "../../../time/format-moment.ts";
import { calendarDay, isoDay, occurrencesOf } from "../../../time/recurrence.ts";
import { addDays, wallClockAt } from "../../../time/wall-clock.ts";
import { isChangeId } from "../../about-changes/about-changes.ts";
import type { CommandButton, Problem } from "../../answer.ts";
import type { FillContext, Inverse } from "../../command.ts";
import type { Input } from "../../field.ts";
import type { Plan } from "../../query-ports.ts";
import { editPlan, findPlans, leaveOut, planActions, plansSeen, whatOf, whenOf, withdrawPlan } from "./plans.ts";
import { readRecurrenceValue, recurrenceSchema } from "./recurrence-words.ts";

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
      return ofName(input.change, context);
    default:
      return undefined;
  }
}

async function ofExclusion({ words, input }: Asked, id: string, context: FillContext) {
  const plan = (await plansSeen(context, undefined, true)).find((each) => each.id === id);
  if (words === "exclusion end") return plan ? ending(plan, context) : withdrawal(id);
  if (!plan) return planGone(id);
  return words === "exclusion edit" ? editing(plan, input) : extending(plan, input, context);
}

/** "withdraw staging", "undo staging". */
async function ofName(named: unknown, context: FillContext) {
  if (typeof named !== "string" || isChangeId(named) || /^(?:last|latest)$/i.test(named)) return undefined;
  const { plans, isPart, isSaid } = await findPlans(named, context);
  const [first, ...others] = plans;
  if (!first) return undefined;
  if (others.length > 0 || isPart) return whichOf(named, plans, context);
  if (isSaid)
    return ending(
      first,
      context,
      first.spans.find((span) => isSaid(span, first.zone)),
    );
  return /\b(?:series|whole|all|weekly)\b/i.test(named) ? withdrawal(first.id) : ending(first, context);
}

const withdrawal = (change: string): MeantForPlan => ({ words: "withdraw", input: { change }, opens: "result" });

export const planGone = (id: string): Problem => ({
  problem: `Change ${id} is not planned any more. Nothing was changed now: “history ${id}” shows what came of it.`,
});

/** Withdraws a plan. Of a series with several times left, one may be meant or all. */
function ending(plan: Plan, context: FillContext, next = plan.spans[0]): MeantForPlan | Problem {
  const { id, spans, repeats, zone, isWaiting } = plan;
  const isWhole = repeats === undefined || isWaiting || !next || spans.length === 1;
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

const partOf = recurrenceSchema.partial();

/** With other times it takes the place of the plan; without any, its form says them. */
function editing(plan: Plan, { every }: Input): MeantForPlan {
  const part = partOf.safeParse(every).data ?? {};
  const { words, input } = editPlan(plan);
  const { starts, ends, firstDay, lastDay } = part;
  // “until 23:00 tomorrow” is about that one time.
  if (plan.repeats !== undefined && firstDay !== undefined && firstDay === lastDay && (starts ?? ends) !== undefined) {
    const day = Date.parse(`${firstDay}T12:00:00Z`);
    return { words: "move time", input: { thing: plan.id, day, to: day, starts, ends }, opens: "result" };
  }
  const changed = Object.keys(part).length > 0 ? changedTimes(plan, part) : undefined;
  return changed ? { words, input: { ...input, ...changed }, opens: "result" } : { words, input, opens: "form" };
}

/** The new times of a series, or of what is planned once; undefined where they make no sense of it. */
function changedTimes({ input, spans: [span], zone }: Plan, { firstDay, ...part }: Part): Input | undefined {
  const before = readRecurrenceValue(input.every);
  if (before) {
    const { starts, ends } = { ...before, ...part };
    const isLater = firstDay !== undefined && (part.starts ?? part.ends) !== undefined;
    // Other days from a later day on would drop what comes before it.
    if (
      isLater || part.days ? firstDay !== undefined && Object.keys(part).some((name) => !timesOfDay.has(name)) : false
    )
      return undefined;
    const notOn = [...new Set([...before.notOn, ...(part.notOn ?? [])])];
    if (isLater) return { every: { ...before, later: { starts, ends, firstDay } } };
    return { every: { ...before, ...part, notOn, ...(firstDay === undefined ? {} : { firstDay }) } };
  }
  if (!span || !part.ends) return undefined;
  const starts = part.starts ?? timeAt(span.startsAt, zone);
  const day = firstDay ?? isoDay(wallClockAt(span.startsAt, zone));
  const once = { days: weekdays, starts, ends: part.ends, zone, firstDay: day, lastDay: day, notOn: [] };
  const [only] = occurrencesOf(once, span.startsAt - dayMs);
  return only && { from: only.startsAt, until: only.endsAt };
}

type Part = z.infer<typeof partOf>;
const timesOfDay: ReadonlySet<string> = new Set(["starts", "ends", "zone"]);
const dayMs = 86_400_000;

const moved = z.union([z.object({ until: z.number() }), z.object({ forMs: z.number() })]);

/** A plan with another end takes its place; of a series, that is its last day. */
function extending(plan: Plan, { until, shorter }: Input, context: FillContext): MeantForPlan | Problem {
  const asked = moved.safeParse(until).data;
  const [span] = plan.spans;
  if (!asked || !span) return editing(plan, {});
  const series = readRecurrenceValue(plan.input.every);
  const lastDay = series ? lastDayOf(asked, series.lastDay, shorter === true, plan.zone) : "";
  if (series && (shorter === true ? lastDay !== "" && lastDay < series.lastDay : lastDay > series.lastDay))
    return editing(plan, { every: { lastDay } });
  if (plan.repeats !== undefined)
    return {
      problem: `${whatOf(plan.resourceIds, context)} is planned ${plan.repeats}. Nothing was changed: change its times in the form.`,
      buttons: [editPlan(plan)],
    };
  const end = "until" in asked ? asked.until : span.endsAt + (shorter === true ? -asked.forMs : asked.forMs);
  return { words: plan.words, input: { ...plan.input, replaces: plan.id, until: end }, opens: "result" };
}

/** Its last day, or so many days later or earlier. */
function lastDayOf(asked: z.infer<typeof moved>, lastDay: string, isShorter: boolean, zone: string): string {
  if ("until" in asked) return isoDay(wallClockAt(asked.until, zone));
  const days = asked.forMs / dayMs;
  return Number.isInteger(days) ? isoDay(addDays(calendarDay(lastDay), isShorter ? -days : days)) : "";
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
