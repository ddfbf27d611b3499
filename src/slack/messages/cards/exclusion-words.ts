import { type Change, endBefore, endSetBy, isCreation } from "../../../changes/change.ts";
import { isTimedSeries } from "../../../changes/steps/series.ts";
import type { Sentence } from "../../../commands/answer.ts";
import { plannedStart } from "../../../commands/command.ts";
import { processesOf, processWords } from "../../../commands/exclusion/exclusion-body.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import { resourceTypeLabel } from "../../../service/action-types.ts";
import { formatDuration } from "../../../time/duration.ts";
import { bold, join, literal, type Mrkdwn, md } from "../message.ts";
import type { CardContext } from "./card-context.ts";
import type { ExclusionBody } from "./exclusion-state.ts";

/* What an exclusion keeps, and how, in the words of its card and its reminders. */

export function again(what: Mrkdwn, { resourceIds }: ExclusionBody, { groupName }: CardContext): Mrkdwn {
  const isOne = groupName !== undefined || resourceIds?.length === 1;
  return md`${what} ${isOne ? "follows its schedule" : "follow their schedule"} again`;
}

/** "keeping *staging* running". */
export function keeping(body: ExclusionBody, what: Mrkdwn): Mrkdwn {
  const [keep, how] = wordsFor(body);
  return md`${keep} ${what} ${how}`;
}

/** "keep *staging* running". */
export function toKeep(body: ExclusionBody, what: Mrkdwn): Mrkdwn {
  const [keep, how] = wordsFor(body);
  return md`${infinitives[keep]} ${what} ${how}`;
}

const infinitives = { keeping: "keep", leaving: "leave", excluding: "exclude" } as const;

type KeepWords = readonly [
  keep: keyof typeof infinitives,
  how: Mrkdwn | "running" | "off" | "alone",
  kept: `${"kept" | "left"} ${"running" | "off" | "alone"}` | "excluded",
];

/** The verb, how things are kept, and both in the past. */
export function wordsFor({ processes }: ExclusionBody): KeepWords {
  const held = (processes ?? []).join(" ");
  if (held === processesOf.stop.join(" ")) return ["keeping", "running", "kept running"];
  if (held === processesOf.start.join(" ")) return ["keeping", "off", "kept off"];
  if (processesOf.both.every((each) => processes?.includes(each))) return ["leaving", "alone", "left alone"];
  const from = md`from ${literal(processWords(processes ?? undefined), 200)}`;
  return ["excluding", from, "excluded"];
}

const shownIds = 2;

/** The group's name, or the first ids. Not every exclusion names its resources. */
export function subject(body: ExclusionBody, { groupName, projectName }: CardContext): Mrkdwn {
  const { resourceIds, resourceIdentificationMethod: method, resourceType, projectId } = body;
  if (method && method !== "by-resource-id") {
    const type = resourceTypeLabel(resourceType ?? "resources");
    const which = method === "all" ? `everything of ${type}` : `${type} (${method})`;
    return bold(`${which}${projectId ? ` in ${projectName ?? projectId}` : ""}`, 300);
  }
  if (groupName !== undefined) return bold(groupName, 200);
  const ids = resourceIds ?? [];
  if (ids.length === 0) return md`its resources`;
  const shown = ids.slice(0, shownIds).map((id) => bold(id, 200));
  const more = ids.length - shownIds;
  return more > 0 ? md`${join(shown, ", ")} and ${more} more` : join(shown, " and ");
}

/** The name that somebody gave it. Without one it was made from its maker and resources, which the card shows anyway. */
export function givenName({ actor }: Pick<Change, "actor">, { name }: ExclusionBody): readonly Mrkdwn[] {
  return name && !name.startsWith(`${actor.name}: `) ? [md`“${literal(name, 200)}”`] : [];
}

/** "2 × EC2 in Development" for a group, else "EC2 in Development". */
export function where(
  { resourceIds, resourceType, projectId }: ExclusionBody,
  { groupName, projectName }: CardContext,
): Mrkdwn {
  const count = groupName === undefined ? "" : `${resourceIds?.length ?? 0} × `;
  const type = resourceType ? `${count}${resourceTypeLabel(resourceType)}` : "";
  const project = projectName ?? projectId;
  return literal(`${type}${project ? ` in ${project}` : ""}`.trim(), 300);
}

const minuteMs = 60_000;
const inMinutes = (ms: number): string => formatDuration(Math.max(1, Math.round(Math.abs(ms) / minuteMs)) * minuteMs);

/**
 * " for 4 h, until Thu 26 Nov 22:00" for what a change makes, " to Thu 26 Nov 22:00, 1 h later" for an end that it moves; empty for
 * others.
 */
export function lastingWords(change: Change): Sentence {
  const endsAt = change.subjectKind === "exclusion" && !isTimedSeries(change) ? endSetBy(change) : undefined;
  if (endsAt === undefined) return [];
  const former = endBefore(change);
  if (isCreation(change)) {
    const begun = change.state === "succeeded" ? (change.settledAt ?? change.requestedAt) : change.requestedAt;
    const start = plannedStart(change.input) ?? begun;
    // A time of a series that was missed is recorded after its end.
    const from = begun < endsAt ? Math.max(begun, start) : start;
    return [` for ${inMinutes(endsAt - from)}, until `, { at: endsAt }];
  }
  if (change.words !== exclusionExtend.words) return [];
  const moved = former === undefined ? "" : `, ${inMinutes(endsAt - former)} ${endsAt < former ? "earlier" : "later"}`;
  return [" to ", { at: endsAt }, moved];
}
