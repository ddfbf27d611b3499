import type { CommandButton } from "../../commands/answer.ts";
import { type Inverse, plannedStart } from "../../commands/command.ts";
import { readRecurrenceValue } from "../../commands/exclusion/planned/recurrence-words.ts";
import type { Input } from "../../commands/field.ts";
import { isoDay } from "../../time/recurrence.ts";
import { wallClockAt } from "../../time/wall-clock.ts";
import type { Change } from "../change.ts";
import type { ChangeStore } from "../ports.ts";
import { isTimedSeries, stepsOf } from "../steps/series.ts";
import { planTimes } from "./plan-times.ts";

/** What takes a withdrawal back: a time goes back into its series, or the whole is asked for like a new one. */
export type Again =
  | { readonly kind: "time"; readonly seriesId: string; readonly startsAt: number }
  | ({ readonly kind: "whole" } & Inverse);

/** How a change that was withdrawn is planned again; undefined where it is not withdrawn, or was no plan. */
export async function planAgain({ find }: Pick<ChangeStore, "find">, changeId: string): Promise<Again | undefined> {
  const change = await find(changeId);
  if (change?.state !== "withdrawn") return undefined;
  const startsAt = plannedStart(change.input);
  const series = change.parentId === undefined ? undefined : await find(change.parentId);
  if (!series || startsAt === undefined) return wasPlan(change) ? whole(change) : undefined;
  if (series.state === "planned") return { kind: "time", seriesId: series.id, startsAt };
  return series.state === "withdrawn" ? whole(series, startsAt) : undefined;
}

const whole = (change: Change, except?: number): Again => ({
  kind: "whole",
  words: change.words,
  input: inputAgain(change, except),
});

const wasPlan = (change: Change): boolean =>
  change.parentId === undefined && (isTimedSeries(change) || planTimes(change) !== undefined);

/** For a plan that was withdrawn and is not over, unless another one took its place. */
export function planAgainButtons(change: Change, now = change.settledAt ?? 0): readonly CommandButton[] {
  const isReplaced = change.note?.startsWith(replacedBy("")) ?? false;
  if (change.state !== "withdrawn" || isReplaced || !wasPlan(change) || endOf(change) <= now) return [];
  return [{ label: "Plan it again", words: change.words, opens: "result", input: inputAgain(change) }];
}

const endOf = (change: Change): number =>
  planTimes(change)?.endsAt ?? Math.max(0, ...stepsOf(change).map(({ input: { until } }) => Number(until)));

/** The note of a plan whose place another one took. */
export const replacedBy = (changeId: string): string => `Replaced by change ${changeId}`;

/** What plans a change again as it is: also without the times of a series that were left out of it. `except`: in epoch ms, but not this one. */
export function inputAgain({ input, actor, children = [] }: Change, except?: number): Input {
  const { replaces: _replaces, leftOut, ...rest } = input;
  const zone = readRecurrenceValue(input.every)?.zone ?? actor.timeZone;
  const dayOf = (at: number) => isoDay(wallClockAt(at, zone));
  const left = children
    .filter(({ state }) => state === "withdrawn")
    .flatMap((child) => plannedStart(child.input) ?? []);
  const before = typeof leftOut === "string" ? leftOut.split(" ") : [];
  const days = new Set([...before, ...left.map(dayOf)]);
  if (except !== undefined) days.delete(dayOf(except));
  return days.size === 0 ? rest : { ...rest, leftOut: [...days].sort().join(" ") };
}
