import { isProblem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { Actor } from "../../permissions/actor.ts";
import { channelsHeld } from "../../permissions/roles-held.ts";
import { changeTargets } from "../authorize/change-targets.ts";
import { type Denied, judge } from "../authorize/decide-change.ts";
import { hoursAdded } from "../authorize/hours-added.ts";
import { type Change, isAskedFor, isServiceChange, occurrenceOf } from "../change.ts";
import type { ExclusionRecords } from "../hours/kept-running.ts";
import type { Pipeline } from "../ports.ts";

export type OwnRightPorts = Pick<Pipeline, "settings" | "directory"> & { readonly store: ExclusionRecords };

/**
 * Why this actor, who is asked to allow a change, may not allow it: they may not do it themselves, exactly as it was asked for.
 * Undefined if they may, in some channel, and for a change that its requester may make. Throws if that cannot be read.
 */
export async function whyNoOwnRight(
  { settings, directory, store }: OwnRightPorts,
  change: Change,
  actor: Actor,
): Promise<Denied | undefined> {
  if (!isAskedFor(change) || !isServiceChange(change)) return undefined;
  const { policy } = settings();
  const { operation, channelId, subjectKind, subjectId, requestedAt } = change;
  const command = commandOf(change.words);
  if (command?.kind !== "change") throw new Error(`Curfew has no command “${change.words}” any more.`);
  const targets = await changeTargets(command, occurrenceOf(change), { subjectId, now: requestedAt, directory });
  const subject = subjectId === null ? undefined : await directory.get(subjectKind, subjectId);
  const counted = { command, occurrence: occurrenceOf(change), subject, targets };
  const asked = { actor, operation, channelId, now: requestedAt, settings: settings() };
  const hours = await hoursAdded(policy, store, counted, asked);
  const ask = { actor, operation, isOwn: subject?.ownerId === actor.userId, hours };
  const found = [channelId, ...channelsHeld(policy, actor)].map((channel) =>
    judge(policy, targets, { ...ask, channelId: channel }),
  );
  const [first] = found;
  // A contradiction about its resources is no matter of rights, and is found again before it is performed.
  const isAllowed = found.some((each) => isProblem(each) || each.kind === "allowed");
  return isAllowed || !first || isProblem(first) || first.kind !== "denied" ? undefined : first;
}
