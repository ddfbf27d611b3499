import type { Entity } from "../../directory/directory.ts";
import { unknownProject } from "../../permissions/decide.ts";
import type { Action } from "../../service/resources.ts";
import { formatMoment } from "../../time/format-moment.ts";
import type { CommandButton } from "../answer.ts";
import type { FillContext, Preview } from "../command.ts";
import { instant, mayAlter, processesOf, processWords, resourceWords } from "./exclusion-body.ts";
import { alsoHeld, exclusionsHolding } from "./overlapping-exclusions.ts";
import { groupOf } from "./resource-context.ts";

export interface PlannedExclusion {
  readonly resourceIds?: readonly string[] | undefined;
  readonly type?: string | undefined;
  readonly project?: string | undefined;
  readonly process?: keyof typeof processesOf | undefined;
  readonly until?: number | undefined;
}

const shownRuns = 3;

/** The actions that an exclusion would hold back, as the service lists them, and the exclusions it would overlap. */
export async function previewExclusion(planned: PlannedExclusion, context: FillContext): Promise<Preview> {
  const overlapping = await overlaps(planned, context);
  const group = groupOf(planned.resourceIds ?? [], context.settings.resourceGroups);
  return {
    lines: [
      ...(group === undefined
        ? []
        : [`These are the resources of the group “${group}”: ${resourceWords(planned.resourceIds, 20)}.`]),
      ...(await impact(planned, context)),
      ...overlapping.map((entity) => overlapLine(entity, context)),
    ],
    buttons: overlapping.slice(0, 1).flatMap((entity) => extendInstead(entity, context)),
  };
}

/** An action does not name its resources (API.md), so this lists the actions of that kind in the project. */
async function impact(planned: PlannedExclusion, context: FillContext): Promise<readonly string[]> {
  const { project, process, until } = planned;
  if (!project || !process || until === undefined || !context.may("ListActions", { projectId: project })) return [];
  const listed = await context.read("ListActions", {});
  if (listed.kind !== "succeeded") return ["Curfew couldn't read from the service which actions this holds back."];
  const doing = processWords(processesOf[process]);
  const runs = (listed.answer ?? []).filter((action) => isHeldBack(action, planned)).flatMap((action) => runOf(action));
  const within = runs.filter(({ at }) => at > context.now && at < until).sort((one, other) => one.at - other.at);
  const when = formatMoment(Math.floor(until / 60_000) * 60_000, context.actor.timeZone);
  if (within.length === 0) return [`No known action of ${project} for ${doing} runs before ${when}.`];
  const count = within.length === 1 ? "1 known action" : `${within.length} known actions`;
  const next = within
    .slice(0, shownRuns)
    .map(({ name, at }) => `• ${name}: ${formatMoment(at, context.actor.timeZone)}`);
  return [
    `${count} of ${project} for ${doing} ${within.length === 1 ? "runs" : "run"} before ${when}${within.length > shownRuns ? "; the next three" : ""}:`,
    ...next,
    "They may be for other resources.",
  ];
}

/** By the words of its type, which is an open set: `amazon-stop-ec2-instances` stops machines of Amazon's cloud. */
function isHeldBack(
  { projectId, actionType, isEnabled }: Action,
  { project, process, type }: PlannedExclusion,
): boolean {
  if (projectId !== project || isEnabled === false) return false;
  const words = (actionType ?? "").split("-");
  const cloud = type?.split("-")[0];
  const verbs = process === "both" ? ["start", "stop"] : [process ?? ""];
  return verbs.some((verb) => words.includes(verb)) && (cloud === undefined || words[0] === cloud);
}

function runOf({
  name,
  actionId,
  nextExecutionDate,
}: Action): readonly { readonly name: string; readonly at: number }[] {
  const at = instant(nextExecutionDate);
  return at === undefined ? [] : [{ name: name ?? actionId, at }];
}

async function overlaps(
  { resourceIds, process }: PlannedExclusion,
  { directory, now, may }: FillContext,
): Promise<readonly Entity<"exclusion">[]> {
  const ids = new Set(resourceIds);
  if (ids.size === 0 || !process) return [];
  const held = { resourceIds: [...ids], processes: processesOf[process] };
  const live = await exclusionsHolding(directory, held, now);
  return live.filter(({ projectId }) => may("ListActions", { projectId: projectId ?? unknownProject }));
}

function overlapLine({ id, name, body }: Entity<"exclusion">, { actor }: FillContext): string {
  const until = untilWords(body.expiryDate, actor.timeZone);
  return `“${name ?? id}” (${id}) already keeps some of these from ${processWords(body.processes)}${until}.`;
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
  return [
    { label: "Extend that one instead", words: "exclusion extend", opens: "form", input: { exclusion: entity.id } },
  ];
}
