import type { ChangeCommand } from "../../commands/command.ts";
import type { AnyOccurrence } from "../../commands/occurrence.ts";
import type { Entity } from "../../directory/directory.ts";
import { countsHours } from "../../permissions/budgets/budgets.ts";
import type { WeekOfHours } from "../../permissions/budgets/weekly-hours.ts";
import type { PermissionRequest } from "../../permissions/permission-request.ts";
import type { Policy } from "../../permissions/policy.ts";
import { weekAt } from "../../time/week.ts";
import { isById, isKeepingRunning, keepsOf, partly } from "../hours/exclusion-steps.ts";
import type { ExclusionRecords } from "../hours/kept-running.ts";
import { weeklyHours } from "../hours/weekly-hours.ts";
import type { ChangeTargets } from "./change-targets.ts";

interface Change {
  readonly command: Pick<ChangeCommand, "makes" | "series">;
  readonly occurrence: AnyOccurrence;
  readonly subject: Entity | undefined;
  readonly targets: ChangeTargets;
}

interface Ask extends PermissionRequest {
  readonly now: number;
  readonly settings: { readonly channels: Readonly<Record<string, { readonly zone?: string | undefined }>> };
}

/**
 * What a change adds to its requester's hours in each week; undefined where nobody knows which resources it keeps running. Reads the record
 * only where a rule in force counts hours.
 */
export async function hoursAdded(
  policy: Policy,
  records: ExclusionRecords | undefined,
  { command, occurrence, subject, targets: { own, otherPlaces } }: Change,
  ask: Ask,
): Promise<readonly WeekOfHours[] | undefined> {
  const { actor, channelId, now, settings } = ask;
  const targets = [...own, ...otherPlaces.map(({ target }) => target)];
  const requests = targets.map((target) => ({ operation: ask.operation, ...target }));
  // The times of a series are counted one by one.
  if (!records || command.series || !countsHours(policy, actor, requests)) return [];
  const body = { ...startIn(subject), ...partly(occurrence.request) };
  if (isKeepingRunning(body) && !isById(body)) return command.makes?.(occurrence) ? undefined : [];
  const projectId = subject?.projectId ?? body.projectId ?? null;
  const known = keepsOf(body, projectId);
  const keeps = { ...known, from: Math.max(known.from, occurrence.startsAt ?? known.from) };
  if (keeps.resources.length === 0) return [];
  const zone = (channelId === null ? undefined : settings.channels[channelId]?.zone) ?? actor.timeZone;
  const found = await records.exclusionsKeeping(
    weekAt(now, zone).from,
    keeps.resources.map(({ id }) => id),
  );
  const step = { exclusionId: subject?.id ?? null, projectId, at: now, by: actor.userId, keeps };
  return weeklyHours(found, step, zone);
}

const startIn = (subject: Entity | undefined) => {
  const { startDate } = partly(subject?.body);
  return startDate ? { startDate } : {};
};
