import type { CommandContext } from "../../commands/command.ts";
import { cardUpdates } from "../announce.ts";
import { revalidate } from "../approvals/revalidate.ts";
import { type Change, isServiceChange, type ServiceChange } from "../change.ts";
import type { CheckOutcome } from "../outcomes/check-outcome.ts";
import { recordOutcome } from "../perform/record-outcome.ts";
import type { Pipeline } from "../ports.ts";
import { performAny } from "./perform-series.ts";
import { isTimedSeries } from "./series.ts";

/**
 * Runs the steps that are left of a series that is partly done. Only for its requester, within its approval's time, and if they still
 * may do all of it. Safe to call often and concurrently: one caller performs it.
 */
export async function retrySeries(
  pipeline: Pipeline,
  seriesId: string,
  context: CommandContext,
): Promise<CheckOutcome> {
  const found = await pipeline.store.find(seriesId);
  if (!found || !isServiceChange(found)) return noneLeft(seriesId);
  return pipeline.withLock(found.subjectKind, found.subjectId, () => retryNow(pipeline, found, context));
}

async function retryNow(pipeline: Pipeline, found: ServiceChange, context: CommandContext): Promise<CheckOutcome> {
  const { store, now, wake } = pipeline;
  const series = await store.find(found.id);
  if (!series || !isServiceChange(series)) return noneLeft(found.id);
  if (series.state !== "partly" || isTimedSeries(series)) return { kind: "known", change: series, isNew: false };
  const whyNot = await whyNotAgain(pipeline, series, context);
  if (whyNot !== undefined) return askAnew(series, whyNot);
  const outbox = cardUpdates(series, await store.cardChannels(series.id));
  const { receiptId } = context;
  const step = { from: ["partly"], to: "performing", at: now() } as const;
  if (!(await store.move(series.id, step, { outbox, receiptId })))
    return { kind: "known", change: (await store.find(series.id)) ?? series, isNew: false };
  context.onRecorded?.();
  wake();
  const performing: ServiceChange = { ...series, state: "performing", settledAt: null };
  const { change } = await recordOutcome(pipeline, performing, await performAny(pipeline, performing));
  return { kind: "known", change: (await store.find(series.id)) ?? change, isNew: true };
}

async function whyNotAgain(pipeline: Pipeline, series: Change, { actor }: CommandContext): Promise<string | undefined> {
  const { approval } = series;
  if (actor.userId !== series.actor.userId) return `Only ${series.actor.name} can try again what they asked for.`;
  if (approval && pipeline.now() >= approval.expiresAt) return "The time of its approval is over.";
  const last = await pipeline.store.lastAbout(series.subjectKind, series.subjectId ?? "");
  if (last?.undoes === series.id) return `${last.actor.name} has undone it (change ${last.id}).`;
  return (await revalidate(pipeline, series))?.message;
}

function askAnew({ id, words, input }: Change, why: string): CheckOutcome {
  const problem = `${why} Nothing more was changed. “history ${id}” shows what was done.`;
  return { kind: "invalid", problem: { problem, buttons: [{ label: "Ask anew…", words, opens: "form", input }] } };
}

const noneLeft = (id: string): CheckOutcome => ({
  kind: "invalid",
  problem: {
    problem: `There is no change ${id} with steps that are left. Nothing was changed. “history” shows the latest.`,
  },
});
