import type { Problem } from "../../commands/answer.ts";
import { type AnyOccurrence, type ChangeCommand, type CommandContext, plannedStart } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import { instant, useLongest } from "../../commands/exclusion/exclusion-body.ts";
import { exclusionExtend, extendTo } from "../../commands/exclusion/exclusion-extend.ts";
import type { Input } from "../../commands/field.ts";
import type { Entity } from "../../directory/directory.ts";
import { setsExclusionLength } from "../../permissions/conditions.ts";
import { type HeldTime, latestEndHeld, lengthWords, longestHeld } from "../../permissions/held-time.ts";
import { isOperationName } from "../../service/operations.ts";
import { formatDuration } from "../../time/duration.ts";
import type { Interval } from "../../time/intervals.ts";
import type { Change } from "../change.ts";
import { stepsAhead } from "../planned/plan-times.ts";
import type { ChangeStore } from "../ports.ts";
import { isTimedSeries } from "../steps/series.ts";
import { type ExclusionRecords, isHolding, keepsOf, keptBy, type NamedResource, partly } from "./kept-running.ts";

/** A time for which somebody holds a machine. */
interface Hold extends Interval {
  /** Of the machine. */
  readonly key: string;
  /** Undefined for one that is not made yet. */
  readonly exclusionId: string | undefined;
}

/** The times for which one person holds these machines, or asked to. */
export type Holds = (resources: readonly NamedResource[]) => Promise<readonly Hold[]>;

/** `except`: the plan that a new one takes the place of. */
export function holdsOf(
  store: Pick<ChangeStore, "openOf"> & ExclusionRecords,
  userId: string,
  { since, except }: { readonly since: number; readonly except: string | undefined },
): Holds {
  const found = new Map<string, Promise<readonly Hold[]>>();
  const look = async (ids: readonly string[]) => {
    // In this order: what is made between the two is in both.
    const [open, records] = await Promise.all([store.openOf(userId, since), store.exclusionsHolding(since, ids)]);
    const made = records.flatMap(keptBy).filter(({ by }) => by === userId);
    return [
      ...made.map(({ from, to, resource: { key }, exclusionId }) => ({ from, to, key, exclusionId })),
      ...open.filter(({ id }) => id !== except).flatMap(holdsAsked),
    ];
  };
  // The times of a series name the same machines.
  return (resources) => {
    const ids = resources.map(({ id }) => id);
    const looked = found.get(ids.join()) ?? look(ids);
    found.set(ids.join(), looked);
    return looked;
  };
}

function holdsAsked(change: Change): readonly Hold[] {
  const { operation, before, request, subjectId } = change;
  if (!isOperationName(operation) || !setsExclusionLength(operation)) return [];
  const body = { ...partly(before), curfewParts: undefined, ...partly(request) };
  const { resources, to } = keepsOf(body, body.projectId ?? null, isHolding);
  const from = plannedStart(change.input) ?? instant(partly(before).startDate) ?? change.requestedAt;
  const spans = isTimedSeries(change)
    ? stepsAhead(change).map(({ startsAt, input: { until } }) => ({ from: startsAt, to: Number(until) }))
    : [{ from, to }];
  return resources.flatMap(({ key }) => spans.map((span) => ({ ...span, key, exclusionId: subjectId ?? undefined })));
}

interface Asked {
  readonly command: Pick<ChangeCommand, "series" | "operation" | "makes">;
  readonly occurrence: AnyOccurrence;
  readonly subject: Entity | undefined;
}

/** What an exclusion of some length comes to with its requester's others. The times of a series are looked at one by one. */
export async function heldBeside(
  holds: Holds | undefined,
  { command, occurrence, subject }: Asked,
): Promise<(lengthMs: number | undefined) => readonly HeldTime[]> {
  const holdsNoMore = command.makes !== undefined && command.makes(occurrence) === undefined;
  if (!holds || holdsNoMore || command.series || !setsExclusionLength(command.operation)) return () => [];
  const body = { ...partly(subject?.body), curfewParts: undefined, ...partly(occurrence.request) };
  const { to, resources } = keepsOf(body, subject?.projectId ?? body.projectId ?? null, isHolding);
  const all = await holds(resources);
  const others = new Map<string, Hold[]>(resources.map(({ key }) => [key, []]));
  for (const each of all) if (!subject || each.exclusionId !== subject.id) others.get(each.key)?.push(each);
  return (lengthMs) =>
    lengthMs === undefined
      ? []
      : resources.map(({ key }) => ({
          own: { from: to - lengthMs, to },
          others: others.get(key) ?? [],
        }));
}

/** Why the machines would be held for longer than anybody may. `present`: the end that an exclusion has. */
export function whyHeldTooLong(
  held: readonly HeldTime[],
  { words }: Pick<ChangeCommand, "words">,
  input: Input,
  { settings: { exclusions }, now }: Pick<CommandContext, "settings" | "now">,
  present: number | undefined,
): Problem | undefined {
  const { maxLengthMs } = exclusions;
  if (longestHeld(held) <= maxLengthMs) return undefined;
  const end = latestEndHeld(held, maxLengthMs);
  const begin = Math.max(plannedStart(input) ?? now, now);
  const isLeft = end !== undefined && end - (present ?? begin) >= minuteMs;
  const buttons = isLeft && words === exclusionCreate.words ? [useLongest(input, begin, end - begin)] : [];
  return {
    problem: `A machine may be held for ${formatDuration(maxLengthMs)} at most without a pause of an hour. With what else you keep, this would be ${lengthWords(longestHeld(held))}. Nothing was changed: give an earlier end, or leave an hour between them.`,
    buttons: isLeft && words === exclusionExtend.words ? [extendTo(input, end, now)] : buttons,
  };
}

const minuteMs = 60_000;
