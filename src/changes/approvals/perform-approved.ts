import { cardUpdates, inAskedThread, lateOutcome, onSeriesCard, threadLines } from "../announce.ts";
import { type Change, type ChangeState, isServiceChange, type ServiceChange, type Settlement } from "../change.ts";
import type { NewOutboxMessage } from "../outbox-message.ts";
import { recordOutcome } from "../perform/record-outcome.ts";
import { planTimes, triedUntil } from "../planned/plan-times.ts";
import type { Pipeline } from "../ports.ts";
import { performAny } from "../steps/perform-series.ts";
import { isTimedSeries } from "../steps/series.ts";
import { revalidate } from "./revalidate.ts";

/** Whose request or job approved a change performs it. If that has not happened after this time, a job does. */
export const performingMs = 30_000;

/**
 * Performs an approved change, unless it is too late or the request is no longer the approved one. Gives the change as it
 * is then. Safe to call often and concurrently: one caller performs it. Throws if Slack or the database cannot be asked;
 * then nothing was sent.
 */
export async function performApproved(pipeline: Pipeline, changeId: string): Promise<Change | undefined> {
  const change = await pipeline.store.find(changeId);
  if (change?.state !== "approved") return change;
  const perform = () => pipeline.withHours(change, () => performNow(pipeline, changeId));
  return pipeline.withLock(change.subjectKind, change.subjectId, perform);
}

async function performNow(pipeline: Pipeline, changeId: string): Promise<Change | undefined> {
  const { store, now } = pipeline;
  await pipeline.late.flush();
  const change = await store.find(changeId);
  if (change?.state !== "approved" || !isServiceChange(change)) return change;
  if (now() >= (triedUntil(change) ?? 0)) return giveUp(pipeline, change, "expired", expiredError(change));
  if (now() < nextTryAt(await store.transitions(changeId))) return change;
  const whyNot = await revalidate(pipeline, change);
  if (whyNot) return giveUp(pipeline, change, "failed", whyNot);
  const isTaken = await store.move(changeId, { from: ["approved"], to: "performing", at: now() });
  if (!isTaken) return store.find(changeId);
  const performing: ServiceChange = { ...change, state: "performing" };
  const settlement = await performAny(pipeline, performing);
  return settlement.isUnreached
    ? tryLater(pipeline, performing, settlement)
    : (await recordOutcome(pipeline, performing, settlement, noticesOf(change, settlement))).change;
}

/** Of what was planned its card says that it has begun: its requester hears only of trouble. A step waits for its end. */
function noticesOf(change: Change, { state }: Settlement): readonly NewOutboxMessage[] {
  if (!planTimes(change) || state !== "succeeded" || change.executionId !== undefined) return lateOutcome(change);
  return change.parentId === undefined ? inAskedThread(change, "asked-outcome", change) : [];
}

/** Ends it without a call. */
async function giveUp(
  { store, now }: Pipeline,
  change: Change,
  state: "expired" | "failed" | "partly",
  error: NonNullable<Change["error"]>,
): Promise<Change | undefined> {
  const channels = await store.cardChannels(change.id);
  // The requester gets a message anyway; those who approved it read this only here.
  const lines = change.decisions.length > 0 ? threadLines(change, channels) : [];
  const onCards = [...cardUpdates(change, channels), ...lines];
  const outbox = [...onCards, ...(await onSeriesCard(change, store)), ...lateOutcome(change)];
  await store.move(change.id, { from: [change.state], to: state, at: now(), error }, { outbox });
  return store.find(change.id);
}

/** Ends a change that is not begun, since the process ended each time it was to begin. Runs nothing that may have been the cause. */
export async function giveUpInterrupted(pipeline: Pipeline, changeId: string): Promise<void> {
  const change = await pipeline.store.find(changeId);
  if (change?.state !== "approved" && change?.state !== "planned") return;
  const isPartlyDone = change.children?.some(({ state }) => state === "succeeded" || state === "unknown") ?? false;
  await giveUp(pipeline, change, isPartlyDone ? "partly" : "failed", {
    code: "GivenUp",
    message: isTimedSeries(change)
      ? "Curfew was interrupted each time it began the next of its times. Nothing was done for that time, and no other follows: plan it again."
      : "Curfew was interrupted each time it began this. Nothing was done: ask again.",
  });
}

function expiredError(change: Change): NonNullable<Change["error"]> {
  const { error } = change;
  const why = error ? `the service could not be reached. ${error.message}` : "Curfew could not perform it.";
  const was = planTimes(change) ? "planned, and until its end" : "approved, and until its time was over";
  return { code: "Lapsed", message: `It was ${was} ${why}` };
}

const firstPauseMs = 30_000;
const maxPauseMs = 600_000;

/**
 * When the next try is due, in epoch ms. The pause grows with each try that did not reach the service, and counts from its
 * end.
 */
function nextTryAt(transitions: readonly { readonly state: ChangeState; readonly at: number }[]): number {
  const tries = transitions.filter(({ state }) => state === "performing").length;
  if (tries === 0) return 0;
  const approvedAt = transitions.findLast(({ state }) => state === "approved")?.at ?? 0;
  return approvedAt + Math.min(firstPauseMs * 2 ** (tries - 1), maxPauseMs);
}

/** The service is down and certainly did nothing: the change is `approved` again and gets a job to retry it. */
async function tryLater(pipeline: Pipeline, change: ServiceChange, settlement: Settlement): Promise<Change> {
  const { store, now, log } = pipeline;
  const { id } = change;
  const at = now();
  const withThisTry = [...(await store.transitions(id)), { state: "approved", at } as const];
  const dueAt = Math.min(nextTryAt(withThisTry), triedUntil(change) ?? at);
  const effects = {
    outbox: cardUpdates(change, await store.cardChannels(id)),
    jobs: [{ kind: "approved-change", subjectId: id, dueAt } as const],
  };
  const { error } = settlement;
  const isStored = await store
    .move(id, { from: ["performing"], to: "approved", at, error }, effects)
    .catch((err: unknown) => isStoredAnyway(pipeline, change, settlement, err));
  if (!isStored) return (await recordOutcome(pipeline, change, settlement, lateOutcome(change))).change;
  log.warn(
    { changeId: id, code: error?.code, dueAt },
    "an approved change did not reach the service and is tried again",
  );
  return { ...change, state: "approved", error };
}

/**
 * Whether the change was stored as `approved` and only the database's answer was lost. Throws if the database cannot be
 * asked; then the job finds out.
 */
async function isStoredAnyway(
  { store, log, late }: Pipeline,
  change: ServiceChange,
  settlement: Settlement,
  error: unknown,
): Promise<boolean> {
  log.error(
    { err: error, changeId: change.id },
    "an approved change could not be kept for later, or the database did not confirm it",
  );
  try {
    return (await store.find(change.id))?.state === "approved";
  } catch (cause) {
    late.add(change, settlement, lateOutcome(change));
    throw cause;
  }
}
