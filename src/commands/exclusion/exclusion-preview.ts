import type { Entity } from "../../directory/directory.ts";
import { amongResources, resourceTypeNamed, typeWords } from "../../directory/resources.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { shortMoment } from "../../time/format-moment.ts";
import { type CommandButton, inWords, type Sentence } from "../answer.ts";
import type { FillContext, Preview } from "../command.ts";
import type { Plan, Span } from "../query-ports.ts";
import { statesOf } from "./chosen-things.ts";
import { groupsProject } from "./derive-place.ts";
import { endAmong, makerOf, mayAlter, processesOf, resourceWords, verbsFor } from "./exclusion-body.ts";
import { exclusionImpact, type Impact, type PlannedExclusion } from "./exclusion-impact.ts";
import { beginning } from "./new-exclusion.ts";
import { type AlsoHeld, alsoHeld, exclusionsHolding, overlapLines } from "./overlapping-exclusions.ts";
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
  const { resourceIds = [], until } = planned;
  const held = overlapping.map((by) => ({ by, resourceIds: resourceIds.filter(amongResources(by.body.resourceIds)) }));
  const kept = await alsoKept(held, resourceIds, { adverb: "too", until }, context);
  const keptForOthers = await alsoKept(held, resourceIds, { adverb: "too", until }, context, context.actor.name);
  const others = await overlapLines(planned, spansOf(planned), context);
  return {
    get lines() {
      return [...plainly(impact.off, context), ...impact.lines, ...plainly(kept, context), ...others];
    },
    get forOthers() {
      return [...impact.lines, ...plainly(keptForOthers, context), ...others];
    },
    buttons: overlapping.slice(0, 1).flatMap((entity) => extendInstead(entity, context)),
    answer: {
      effect: [...saidOf(impact), ...(kept.length > 0 && !impact.isIdle ? [" ", ...kept] : [])],
      lines: [...why, ...others],
    },
  };
}

/** Of what is off, and what nothing stops before it is on again, the first is enough. */
function saidOf({ off, inShort, isIdle }: Impact): Sentence {
  if (off.length === 0) return inShort;
  return isIdle ? off : [...off, " ", ...inShort];
}

/**
 * "bob keeps them running until 15:39 too.", or "3 others still keep some of them, the longest until Fri 13:39.": the end only where it
 * is later than `until`. Who may not see one reads no name.
 */
async function alsoKept(
  held: readonly Pick<AlsoHeld, "by" | "resourceIds">[],
  ids: readonly string[],
  { adverb, until: ownEnd = 0 }: { readonly adverb: "too" | "still"; readonly until?: number | undefined },
  context: FillContext,
  you = "you",
): Promise<Sentence> {
  const [first] = held;
  if (!first) return [];
  const isWhole = held.some(({ resourceIds }) => resourceIds.length === ids.length);
  const them = ids.length === 1 ? "it" : isWhole ? "them" : "some of them";
  const [still, too] = adverb === "still" ? ["still ", ""] : ["", " too"];
  const ends = held.map(({ by, resourceIds }) => endAmong(by.body, resourceIds) ?? Number.POSITIVE_INFINITY);
  const end = Math.max(...ends);
  const until = (before: string): Sentence =>
    Number.isFinite(end) && end > ownEnd ? [`${before}until `, { at: end }] : [];
  if (held.length > 1) return [`${held.length} others ${still}keep ${them}${too}`, ...until(", the longest "), "."];
  const isSeen = context.may("ListActions", { projectId: first.by.projectId ?? unknownProject });
  const maker = isSeen ? await makerOf(first.by, context) : "somebody else";
  const who = maker === "you" ? you : maker;
  const { how } = verbsFor(first.by.body.processes);
  const keeps = who === "you" ? "keep" : "keeps";
  return [`${who.charAt(0).toUpperCase()}${who.slice(1)} ${still}${keeps} ${them} ${how}`, ...until(" "), `${too}.`];
}

/** For a form, which shows no moments. */
const plainly = (sentence: Sentence, { actor, now }: FillContext): readonly string[] =>
  sentence.length === 0 ? [] : [inWords(sentence, (at) => shortMoment(at, actor.timeZone, now))];

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

/** The resources that stay excluded when an exclusion ends. */
export async function previewEnd(id: string | undefined, context: FillContext): Promise<Preview> {
  const { directory, now } = context;
  const exclusion = id === undefined ? undefined : await directory.get("exclusion", id);
  const held = exclusion ? await alsoHeld(exclusion, now, directory) : [];
  const { resourceIds = [] } = exclusion?.body ?? {};
  const effect = await alsoKept(held, resourceIds, { adverb: "still" }, context);
  const effectForOthers = await alsoKept(held, resourceIds, { adverb: "still" }, context, context.actor.name);
  const series =
    id === undefined ? undefined : (await plansSeen(context)).find((plan) => plan.exclusionIds.includes(id));
  const lines = series ? [goesOn(series, context)] : [];
  const isWithdrawn = series !== undefined && planActions(series, context).length > 0;
  const buttons = isWithdrawn ? [withdrawPlan("Withdraw the series", series.id)] : [];
  return {
    lines: [...plainly(effect, context), ...lines],
    forOthers: [...plainly(effectForOthers, context), ...lines],
    buttons: [],
    answer: { effect, lines, buttons },
  };
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
