import type { Entity } from "../../directory/directory.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { formatMoment } from "../../time/format-moment.ts";
import type { CommandButton } from "../answer.ts";
import type { FillContext, Preview } from "../command.ts";
import type { Plan } from "../query-ports.ts";
import { groupsProject } from "./derive-place.ts";
import { instant, mayAlter, processesOf, processWords, resourceWords } from "./exclusion-body.ts";
import { exclusionImpact, type PlannedExclusion } from "./exclusion-impact.ts";
import { alsoHeld, exclusionsHolding } from "./overlapping-exclusions.ts";
import { beginning } from "./planned/exclusion-start.ts";
import { plansHolding, plansSeen, whatOf } from "./planned/plans.ts";

interface PlannedWithSource extends PlannedExclusion {
  readonly projectFrom?: string | undefined;
  readonly replaces?: string | undefined;
}

/** The runs that an exclusion would prevent, those that are due, and the exclusions it would overlap. */
export async function previewExclusion(planned: PlannedWithSource, context: FillContext): Promise<Preview> {
  const overlapping = await overlaps(planned, context);
  const why = await whyProject(planned, context);
  const impact = await exclusionImpact(planned, context);
  const others = [
    ...overlapping.map((entity) => overlapLine(entity, context)),
    ...(await plansOverlapping(planned, context)).map((plan) => planOverlapLine(plan, context)),
  ];
  return {
    get lines() {
      return [...impact.lines, ...others];
    },
    buttons: overlapping.slice(0, 1).flatMap((entity) => extendInstead(entity, context)),
    answer: { effect: impact.inShort, lines: [...why, ...others] },
  };
}

/** How Curfew knew the project, where nobody said it and it is not the group's. */
async function whyProject(
  { project, projectFrom }: PlannedWithSource,
  { directory }: FillContext,
): Promise<readonly string[]> {
  if (project === undefined || projectFrom === undefined || projectFrom === groupsProject) return [];
  const known = await directory.get("project", project);
  return [`Project ${known?.name ?? project}: ${projectFrom}.`];
}

async function overlaps(
  { resourceIds, process, from }: PlannedExclusion,
  { directory, now, may }: FillContext,
): Promise<readonly Entity<"exclusion">[]> {
  const ids = new Set(resourceIds);
  if (ids.size === 0 || !process) return [];
  const held = { resourceIds: [...ids], processes: processesOf[process] };
  const live = await exclusionsHolding(directory, held, beginning({ from }, { now }));
  return live.filter(({ projectId }) => may("ListActions", { projectId: projectId ?? unknownProject }));
}

function overlapLine({ id, name, body }: Entity<"exclusion">, { actor }: FillContext): string {
  const until = untilWords(body.expiryDate, actor.timeZone);
  return `“${name ?? id}” (${id}) already keeps some of these from ${processWords(body.processes)}${until}.`;
}

const shownPlans = 3;

/** The other plans of some of the resources that the requester may see and that hold back the same in that time; only for a plan. */
async function plansOverlapping(planned: PlannedWithSource, context: FillContext): Promise<readonly Plan[]> {
  const { resourceIds = [], process, from, until, replaces } = planned;
  if (!process || from === undefined || until === undefined) return [];
  const span = { startsAt: from, endsAt: until };
  const plans = plansHolding(await plansSeen(context, resourceIds), { span, processes: processesOf[process] });
  return plans.filter(({ id }) => id !== replaces).slice(0, shownPlans);
}

function planOverlapLine({ id, resourceIds, spans, repeats }: Plan, context: FillContext): string {
  const { timeZone } = context.actor;
  const [next] = spans;
  const times = next ? `${formatMoment(next.startsAt, timeZone)} until ${formatMoment(next.endsAt, timeZone)}` : "";
  return `Change ${id} plans the same for ${whatOf(resourceIds, context)}: ${repeats ?? times}.`;
}

function untilWords(expiryDate: string | null | undefined, zone: string): string {
  const end = instant(expiryDate);
  return end === undefined ? "" : ` until ${formatMoment(Math.floor(end / 60_000) * 60_000, zone)}`;
}

const shownOthers = 5;

/** The resources that stay excluded when an exclusion ends. Other exclusions are named only to those who may see them. */
export async function previewEnd(id: string | undefined, context: FillContext): Promise<Preview> {
  const { directory, now, may, actor } = context;
  const exclusion = id === undefined ? undefined : await directory.get("exclusion", id);
  const held = exclusion ? await alsoHeld(exclusion, now, directory) : [];
  const lines = held.slice(0, shownOthers).map(({ by, resourceIds, processes }) => {
    const isNamed = may("ListActions", { projectId: by.projectId ?? unknownProject });
    const who = isNamed ? `“${by.name ?? by.id}” (${by.id})` : "Another exclusion";
    const until = untilWords(by.body.expiryDate, actor.timeZone);
    return `${who} still keeps ${resourceWords(resourceIds)} from ${processWords(processes)}${until}.`;
  });
  const more = held.length - shownOthers;
  return {
    lines: more > 0 ? [...lines, `So ${more === 1 ? "does 1 more exclusion" : `do ${more} more exclusions`}.`] : lines,
    buttons: [],
  };
}

function extendInstead(entity: Entity<"exclusion">, context: FillContext): readonly CommandButton[] {
  if (!mayAlter(entity, "ModifyActionExclusion", context)) return [];
  return [{ label: "Extend that one", words: "exclusion extend", opens: "form", input: { exclusion: entity.id } }];
}
