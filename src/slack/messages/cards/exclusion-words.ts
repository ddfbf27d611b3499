import { type Change, isCreation } from "../../../changes/change.ts";
import { endBefore, endSetBy } from "../../../changes/exclusion-end.ts";
import { isTimedSeries } from "../../../changes/steps/series.ts";
import { processesOf, processWords } from "../../../commands/exclusion/exclusion-body.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import { plannedStart } from "../../../commands/occurrence.ts";
import { resourceTypeLabel } from "../../../service/action-types.ts";
import { formatDuration } from "../../../time/duration.ts";
import { escapeWithin } from "../message.ts";
import type { CardContext } from "./card-context.ts";
import type { ExclusionBody } from "./exclusion-state.ts";

/* What an exclusion keeps, and how, in the words of its card and its reminders. */

export function again(what: string, { resourceIds }: ExclusionBody, { groupName }: CardContext): string {
  const isOne = groupName !== undefined || resourceIds?.length === 1;
  return `${what} ${isOne ? "follows its schedule" : "follow their schedule"} again`;
}

/** "keeping *staging* running". */
export function keeping(body: ExclusionBody, what: string): string {
  const [keep, how] = wordsFor(body);
  return `${keep} ${what} ${how}`;
}

/** "keep *staging* running". */
export function toKeep(body: ExclusionBody, what: string): string {
  const [keep, how] = wordsFor(body);
  return `${infinitives[keep]} ${what} ${how}`;
}

const infinitives = { keeping: "keep", leaving: "leave", excluding: "exclude" } as const;

type KeepWords = readonly [keep: keyof typeof infinitives, how: string, kept: string];

/** The verb, how things are kept, and both in the past. */
export function wordsFor({ processes }: ExclusionBody): KeepWords {
  const held = (processes ?? []).join(" ");
  if (held === processesOf.stop.join(" ")) return ["keeping", "running", "kept running"];
  if (held === processesOf.start.join(" ")) return ["keeping", "off", "kept off"];
  if (processesOf.both.every((each) => processes?.includes(each))) return ["leaving", "alone", "left alone"];
  const from = `from ${escapeWithin(processWords(processes ?? undefined), 200)}`;
  return ["excluding", from, "excluded"];
}

const shownIds = 2;

/** The group's name, or the first ids. Not every exclusion names its resources. */
export function subject(body: ExclusionBody, { groupName, projectName }: CardContext): string {
  const { resourceIds, resourceIdentificationMethod: method, resourceType, projectId } = body;
  if (method && method !== "by-resource-id") {
    const type = escapeWithin(resourceTypeLabel(resourceType ?? "resources"), 100);
    const which = method === "all" ? `everything of ${type}` : `${type} (${escapeWithin(method, 100)})`;
    return `*${which}${projectId ? ` in ${escapeWithin(projectName ?? projectId, 200)}` : ""}*`;
  }
  if (groupName !== undefined) return `*${escapeWithin(groupName, 200)}*`;
  const ids = resourceIds ?? [];
  if (ids.length === 0) return "its resources";
  const shown = ids.slice(0, shownIds).map((id) => `*${escapeWithin(id, 200)}*`);
  const more = ids.length - shownIds;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(" and ");
}

/** The name that somebody gave it. Without one it was made from its maker and resources, which the card shows anyway. */
export function givenName({ actor }: Pick<Change, "actor">, { name }: ExclusionBody): readonly string[] {
  return name && !name.startsWith(`${actor.name}: `) ? [`“${escapeWithin(name, 200)}”`] : [];
}

/** "2 × EC2 in Development" for a group, else "EC2 in Development". */
export function where(
  { resourceIds, resourceType, projectId }: ExclusionBody,
  { groupName, projectName }: CardContext,
): string {
  const count = groupName === undefined ? "" : `${resourceIds?.length ?? 0} × `;
  const type = resourceType ? escapeWithin(resourceTypeLabel(resourceType), 100) : "";
  const project = projectName ?? projectId;
  return `${type ? `${count}${type}` : ""}${project ? ` in ${escapeWithin(project, 200)}` : ""}`.trim();
}

const minuteMs = 60_000;
const inMinutes = (ms: number): string => formatDuration(Math.max(1, Math.round(Math.abs(ms) / minuteMs)) * minuteMs);

/**
 * " for 4 h, until Thu 26 Nov 22:00" for what a change makes, " to Thu 26 Nov 22:00, 1 h later" for an end that it moves; empty for
 * others. `moment` writes a moment in the requester's zone.
 */
export function lastingWords(change: Change, moment: (at: number, zone: string) => string): string {
  const endsAt = change.subjectKind === "exclusion" && !isTimedSeries(change) ? endSetBy(change) : undefined;
  if (endsAt === undefined) return "";
  const end = moment(endsAt, change.actor.timeZone);
  const former = endBefore(change);
  if (isCreation(change)) {
    const begun = change.state === "succeeded" ? (change.settledAt ?? change.requestedAt) : change.requestedAt;
    return ` for ${inMinutes(endsAt - Math.max(begun, plannedStart(change.input) ?? 0))}, until ${end}`;
  }
  if (change.words !== exclusionExtend.words) return "";
  const moved = former === undefined ? "" : `, ${inMinutes(endsAt - former)} ${endsAt < former ? "earlier" : "later"}`;
  return ` to ${end}${moved}`;
}
