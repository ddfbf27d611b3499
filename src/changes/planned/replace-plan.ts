import { isDeepStrictEqual } from "node:util";
import type { CommandButton, Problem } from "../../commands/answer.ts";
import { type Inverse, plannedStart } from "../../commands/command.ts";
import { planGone } from "../../commands/exclusion/planned/about-plan.ts";
import { editPlan } from "../../commands/exclusion/planned/plans.ts";
import { readRecurrenceValue } from "../../commands/exclusion/planned/recurrence-words.ts";
import type { Input } from "../../commands/field.ts";
import type { Directory } from "../../directory/directory.ts";
import { isoDay } from "../../time/recurrence.ts";
import { wallClockAt } from "../../time/wall-clock.ts";
import { announcementChannels, cardUpdates, lateOutcome, newCards } from "../announce.ts";
import { whyNotWithdraw } from "../approvals/withdraw.ts";
import type { Denied } from "../authorize/decide-change.ts";
import type { Change, ServiceChange } from "../change.ts";
import type { Ask, ChangeSettings, ChangeStore, Effects, Pipeline } from "../ports.ts";
import { isTimedSeries, stepsOf } from "../steps/series.ts";
import { planJobs, planTimes } from "./plan-times.ts";

/** A plan that was to be replaced has begun, or was withdrawn. */
export class PlanGoneError extends Error {
  readonly code = "PlanGone";
  constructor(changeId: string) {
    super(`change ${changeId} is not planned any more, so it cannot be replaced`);
    this.name = "PlanGoneError";
  }
}

/** How a new change withdraws the planned one in whose place it comes; or why its requester may not. */
export async function replacing(
  pipeline: Pipeline,
  { command, input, context }: Pick<Ask, "command" | "input" | "context">,
  change: Pick<ServiceChange, "id">,
): Promise<Pick<Effects, "replaces" | "outbox"> | Problem | { readonly refused: Denied }> {
  const id = command.replaces?.(input);
  if (id === undefined || id === change.id) return {};
  const { store } = pipeline;
  const former = await store.find(id);
  if (former?.state !== "planned" && former?.state !== "awaiting-approval") return planGone(id);
  const { words } = former;
  const before = inputAgain(former);
  if (words === command.words && isDeepStrictEqual(compared(input), compared(before)))
    return {
      problem: `It is planned like this already (change ${id}). Nothing was changed: give another value.`,
      buttons: [editPlan({ id, words, input: before })],
    };
  const refused = await whyNotWithdraw(pipeline, former, context.actor, context.channelId);
  if (refused) return { refused };
  const updates = cardUpdates(former, await store.cardChannels(id));
  const isOwn = former.actor.userId === context.actor.userId && former.executionId === undefined;
  return { replaces: id, outbox: isOwn ? updates : [...updates, ...lateOutcome(former)] };
}

const minuteMs = 60_000;

/** What a person chose. A form shows a time in whole minutes, rounded up. */
function compared({ replaces, another, projectFrom, ...input }: Input): Input {
  const shown = Object.entries(input).filter(([, value]) => value !== undefined && value !== "");
  const times = ["from", "until"];
  return Object.fromEntries(
    shown.map(([name, value]) => [name, times.includes(name) ? Math.ceil(Number(value) / minuteMs) : value]),
  );
}

/** The cards of a new plan that needs no approval, and the job that begins it. */
export const planEffects = async (
  change: ServiceChange,
  settings: Pick<ChangeSettings, "announce">,
  directory: Pick<Directory, "get">,
): Promise<Effects> => ({
  outbox: newCards(change, await announcementChannels(change, settings, directory), []),
  jobs: planJobs(change, change.requestedAt),
});

/** Both, as one. */
export const withEffects = (one: Effects, other: Effects): Effects => ({
  ...one,
  ...other,
  outbox: [...(one.outbox ?? []), ...(other.outbox ?? [])],
});

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
