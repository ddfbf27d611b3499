import type { Entity } from "../../directory/directory.ts";
import { resourceTypeNamed, typeWords } from "../../directory/resources.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { dayAndTime, shortMoment } from "../../time/format-moment.ts";
import type { CommandButton } from "../answer.ts";
import type { FillContext, Preview } from "../command.ts";
import type { Plan, Span } from "../query-ports.ts";
import { statesOf } from "./chosen-things.ts";
import { groupsProject } from "./derive-place.ts";
import { instant, mayAlter, processesOf, processWords, resourceWords } from "./exclusion-body.ts";
import { exclusionImpact, type PlannedExclusion } from "./exclusion-impact.ts";
import { beginning } from "./new-exclusion.ts";
import { alsoHeld, exclusionsHolding, overlapLines } from "./overlapping-exclusions.ts";
import { planActions, plansSeen, withdrawPlan } from "./planned/plans.ts";
import { groupOf } from "./resource-context.ts";

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
    ...(await overlapLines(planned, spansOf(planned), context)),
  ];
  return {
    get lines() {
      return [...impact.lines, ...others];
    },
    buttons: overlapping.slice(0, 1).flatMap((entity) => extendInstead(entity, context)),
    answer: { effect: impact.inShort, lines: [...why, ...others] },
  };
}

/** Only of a plan. */
const spansOf = ({ from, until }: PlannedExclusion): readonly Span[] =>
  from === undefined || until === undefined ? [] : [{ startsAt: from, endsAt: until }];

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

function untilWords(expiryDate: string | null | undefined, zone: string): string {
  const end = instant(expiryDate);
  return end === undefined ? "" : ` until ${dayAndTime(end, zone)}`;
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
  const count = held.length - shownOthers;
  const more = count > 0 ? [`So ${count === 1 ? "does 1 more exclusion" : `do ${count} more exclusions`}.`] : [];
  const series =
    id === undefined ? undefined : (await plansSeen(context)).find((plan) => plan.exclusionIds.includes(id));
  const all = [...lines, ...more, ...(series ? [goesOn(series, context)] : [])];
  const isWithdrawn = series !== undefined && planActions(series, context).length > 0;
  const buttons = isWithdrawn ? [withdrawPlan("Withdraw the series", series.id)] : [];
  return { lines: all, buttons: [], answer: { effect: "", lines: all, buttons } };
}

function goesOn({ repeats, spans: [next] }: Plan, { actor, now }: FillContext): string {
  const when = next ? `, next ${shortMoment(next.startsAt, actor.timeZone, now)}` : "";
  return `Its series goes on ${repeats ?? ""}${when}.`;
}

function extendInstead(entity: Entity<"exclusion">, context: FillContext): readonly CommandButton[] {
  if (!mayAlter(entity, "ModifyActionExclusion", context)) return [];
  return [{ label: "Extend that one", words: "exclusion extend", opens: "form", input: { exclusion: entity.id } }];
}

interface Planned extends PlannedExclusion {
  readonly projectFrom?: string | undefined;
  readonly chosen?: readonly string[] | undefined;
}

/** What was understood by *What*: "staging: 2 EC2 instances in Development (i-0a1, i-0a2)". */
export async function exclusionNotes(
  { resourceIds = [], chosen = [], type, project, projectFrom }: Planned,
  context: FillContext,
): Promise<Readonly<Record<string, string>>> {
  if (resourceIds.length === 0) return {};
  const { directory, settings } = context;
  const states = await statesOf(chosen, context);
  const group = groupOf(resourceIds, settings.resourceGroups);
  const known = project === undefined ? undefined : await directory.get("project", project);
  const where = project === undefined ? "" : ` in ${known?.name ?? project}`;
  const why = projectFrom === undefined || projectFrom === groupsProject ? [] : [projectFrom];
  const inBrackets = [...(group === undefined ? [] : [resourceWords(resourceIds, 5)]), ...why].join("; ");
  const what = `${counted(resourceIds.length, type)}${where}${inBrackets ? ` (${inBrackets})` : ""}`;
  const understood = { resourceIds: group === undefined ? what : `${group}: ${what}` };
  return states === undefined ? understood : { ...understood, chosen: states };
}

function counted(count: number, type: string | undefined): string {
  const known = resourceTypeNamed(type);
  const one = known ? typeWords[known] : "resource";
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
