import { resourceKeys } from "../../../service/resources.ts";
import { shortDay, shortMoment } from "../../../time/format-moment.ts";
import { isoDay } from "../../../time/recurrence.ts";
import { wallClockAt, weekdayOf } from "../../../time/wall-clock.ts";
import type { CommandButton, Line, LinePart } from "../../answer.ts";
import type { CommandContext, FillContext } from "../../command.ts";
import { daysOffIn } from "../../lookup/days-off.ts";
import { maySeeProject } from "../../lookup/may-see.ts";
import type { Plan, Span } from "../../query-ports.ts";
import { resourceWords } from "../exclusion-body.ts";
import { groupOf } from "../resource-context.ts";

/** The plans that name one of these resources, or any; the first to begin first. */
export async function plansFor(
  { plans }: Pick<CommandContext, "plans">,
  ids?: readonly string[],
  alsoWaiting = false,
): Promise<readonly Plan[]> {
  const all = (await plans?.(alsoWaiting)) ?? [];
  if (!ids || all.length === 0) return all;
  const keys = new Set(ids.flatMap(resourceKeys));
  return all.filter(({ resourceIds }) => resourceIds.flatMap(resourceKeys).some((key) => keys.has(key)));
}

/** Those of them that the requester may see. */
export async function plansSeen(
  context: Pick<FillContext, "plans" | "may" | "actor">,
  ids?: readonly string[],
  alsoWaiting = false,
): Promise<readonly Plan[]> {
  const plans = await plansFor(context, ids, alsoWaiting);
  return plans.filter(
    ({ projectId, ownerId }) => ownerId === context.actor.userId || maySeeProject(context, projectId),
  );
}

/** The plans of some resources, of a project or of all, that the requester may see, one a line. */
export async function planLines(
  context: FillContext,
  ids?: readonly string[],
  most = 5,
  project?: string,
): Promise<readonly Line[]> {
  const seen = await plansSeen(context, ids);
  const plans = project === undefined ? seen : seen.filter(({ projectId }) => projectId === project);
  const more = plans.length - most;
  const rest: Line = {
    id: "more",
    sign: "none",
    name: `${more} more planned`,
    parts: ["“list” shows all"],
    menu: [],
  };
  const lines = await Promise.all(plans.slice(0, most).map((plan) => planLine(plan, context)));
  return [...lines, ...(more > 0 ? [rest] : [])];
}

const shownIds = 2;

/** A plan on one line, with what its reader may do with it. */
export async function planLine(plan: Plan, context: FillContext): Promise<Line> {
  const { id, ownerId, resourceIds, spans, repeats, reason } = plan;
  const [next] = spans;
  const times: readonly LinePart[] =
    repeats !== undefined
      ? [repeats, ...(next ? [{ before: "next: ", at: next.startsAt }] : []), await leftWords(plan, context)]
      : next
        ? [
            { before: "planned from ", at: next.startsAt },
            { before: "until ", at: next.endsAt },
          ]
        : [];
  return {
    ...{ id, sign: "planned", name: whatOf(resourceIds, context) },
    parts: [...times, ownerId === context.actor.userId ? "you" : { person: ownerId }, ...(reason ? [reason] : [])],
    menu: [
      ...planActions(plan, context),
      { label: "Details", words: "history", opens: "result", input: { which: plan.id } },
    ],
  };
}

/** "4 left: Thu 26 Nov, Thu 3 Dec (Founders' Day) and Thu 17 Dec" */
async function leftWords({ spans, zone }: Plan, context: FillContext): Promise<string> {
  const left = `${spans.length} left`;
  if (spans.length > shownTimes) return left;
  const off = await daysOffIn(
    spans.map(({ startsAt, endsAt }) => ({ from: startsAt, to: endsAt })),
    context,
  );
  const days = spans.map(({ startsAt }) => {
    const iso = isoDay(wallClockAt(startsAt, zone));
    const found = off.find(({ day }) => day === iso);
    return `${shortDay(startsAt, zone)}${found ? ` (${found.name || found.calendar})` : ""}`;
  });
  return `${left}: ${days.join(", ")}`;
}

const shownTimes = 6;

/** The name of the group of these resources, or the first of them. */
export const whatOf = (ids: readonly string[], { settings }: Pick<FillContext, "settings">): string =>
  groupOf(ids, settings.resourceGroups) ?? resourceWords(ids, shownIds);

/** "every Thu 18:00–22:00 until …", or "Fri 27 Nov 18:00" for one time. */
export function whenOf(
  { repeats, spans: [next], id }: Plan,
  { actor, now }: Pick<FillContext, "actor" | "now">,
): string {
  return repeats ?? (next ? `from ${shortMoment(next.startsAt, actor.timeZone, now)}` : id);
}

/** What the requester may do with a plan: who could end such an exclusion may withdraw it. */
export function planActions(plan: Plan, { may, actor }: Pick<FillContext, "may" | "actor">): readonly CommandButton[] {
  const { ownerId, projectId, resourceType, resourceIds } = plan;
  const isOwn = ownerId === actor.userId;
  const target = { projectId: projectId ?? undefined, resourceType, resourceIds, exclusionLengthMs: 0, isOwn };
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

/** The plans that were found, and whether the words name all of the resources of none of them or of some only. */
export interface PlansFound {
  readonly plans: readonly Plan[];
  readonly isPart: boolean;
  /** Whether a time is on one of the days of the week that are said: "the thursdays of staging". */
  readonly isSaid?: ((span: Span, zone: string) => boolean) | undefined;
}

/** The plans that the requester may see, by their id or name, their group, or their resources. */
export async function findPlans(
  text: string,
  context: Pick<FillContext, "plans" | "may" | "actor" | "settings">,
): Promise<PlansFound> {
  const asked = text.trim().toLowerCase().replace(noun, "");
  const seen = await plansSeen(context, undefined, true);
  const named = seen.filter(({ id, input }) => id === asked || String(input.name ?? "").toLowerCase() === asked);
  if (named.length > 0) return { plans: named, isPart: false };
  const isSaid = onDaysSaid(asked);
  const plans = isSaid ? seen.filter(({ spans, zone }) => spans.some((span) => isSaid(span, zone))) : seen;
  const wanted = isSaid ? asked.replaceAll(ofDays, " ").trim() : asked;
  if (wanted === "")
    return { plans: plans.filter(({ ownerId }) => ownerId === context.actor.userId), isPart: false, isSaid };
  const groups = Object.entries(context.settings.resourceGroups);
  const group = groups.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const keys = (group?.ids ?? wanted.split(/[\s,]+/)).flatMap((id) => resourceKeys(id).slice(-1));
  const hasKey = ({ resourceIds }: Plan) => {
    const own = new Set(resourceIds.flatMap(resourceKeys));
    return (key: string) => own.has(key);
  };
  const whole = plans.filter((plan) => keys.every(hasKey(plan)));
  if (whole.length > 0) return { plans: whole, isPart: false, isSaid };
  const said = group ? [] : plans.filter(({ reason }) => hasWords(reason ?? "", wanted));
  if (said.length > 0) return { plans: said, isPart: false, isSaid };
  return { plans: group ? plans.filter((plan) => keys.some(hasKey(plan))) : [], isPart: true };
}

const weekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?";
const ofDays = new RegExp(`\\b(?:${weekday}|the|all|my|our|of|on|for|every|each)\\b`, "g");

function onDaysSaid(text: string): PlansFound["isSaid"] {
  const days = text.match(new RegExp(`\\b${weekday}\\b`, "g"))?.map((day) => day.replace(/s$/, ""));
  return days && (({ startsAt }, zone) => days.includes(weekdayOf(wallClockAt(startsAt, zone))));
}

/** "release build" is what “weekly release build” is planned for. */
function hasWords(reason: string, wanted: string): boolean {
  const words = reason.toLowerCase().split(/\W+/);
  const said = wanted.split(/\W+/).filter(Boolean);
  return said.length > 0 && said.every((word) => words.includes(word));
}

/** "the staging series", "the plan for staging". */
const noun =
  /^(?:the )?(?:(?:whole|entire|weekly) )?(?:(?:plan|series|exclusion) (?:for |of )?)?|\s+(?:plan|series|exclusion)$/g;
