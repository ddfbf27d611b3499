import type { Seen } from "../../commands/about-changes/about-changes.ts";
import type { Problem } from "../../commands/answer.ts";
import type { CommandContext } from "../../commands/command.ts";
import { lateOutcome } from "../announce.ts";
import { revalidate } from "../approvals/revalidate.ts";
import {
  type Change,
  isCreation,
  isServiceChange,
  type ServiceChange,
  type Settlement,
  type Verification,
} from "../change.ts";
import { perform, unknownId } from "../perform/perform.ts";
import { NotPerformingError, record } from "../perform/record-outcome.ts";
import type { JobEffects, Pipeline } from "../ports.ts";
import { TakenOverError } from "../receipts.ts";
import { retrySeries } from "../steps/retry-series.ts";
import { isSeries } from "../steps/series.ts";
import { settleUnknownSeries } from "../steps/settle-series.ts";
import type { CheckOutcome } from "./check-outcome.ts";
import { nextCheckAt } from "./next-check.ts";
import { readBack } from "./read-back.ts";
import { wayToCheck } from "./way-to-check.ts";
import { whyNotSettle } from "./who-may-settle.ts";

/** Finds out the outcome of changes where it is unknown, and settles them. */
export interface UnknownOutcomes {
  /** Reads the result, or sends the same request again. */
  check(changeId: string, context: CommandContext): Promise<CheckOutcome>;
  /** Takes the word of somebody who looked in the service. */
  report(changeId: string, seen: Seen, context: CommandContext): Promise<CheckOutcome>;
  /** Runs what is left of a series that its requester asked for. */
  retry(changeId: string, context: CommandContext): Promise<CheckOutcome>;
  /** Reads the result where that is possible; later again while it does not show. */
  onJob(changeId: string, dueAt: number): Promise<JobEffects>;
}

export function createUnknownOutcomes(pipeline: Pipeline): UnknownOutcomes {
  const { store } = pipeline;
  const asked = async (
    changeId: string,
    context: CommandContext,
    find: (change: ServiceChange) => Promise<Found>,
  ): Promise<CheckOutcome> => {
    const change = await store.find(changeId);
    if (!change || !isServiceChange(change)) return { kind: "invalid", problem: noSuchChange(changeId) };
    const decision = await whyNotSettle(pipeline, change, context);
    if (decision) return { kind: "refused", decision };
    return isSeries(change)
      ? settleSteps(pipeline, change, (id) => settleWith(pipeline, id, find, context), context)
      : settleWith(pipeline, changeId, find, context);
  };
  return {
    check: (changeId, context) => asked(changeId, context, (change) => findOut(pipeline, change)),
    report: (changeId, seen, context) => asked(changeId, context, async (change) => said(change, seen, pipeline.now())),
    retry: async (changeId, context) => {
      const change = await store.find(changeId);
      const decision = change && isServiceChange(change) ? await whyNotSettle(pipeline, change, context) : undefined;
      return decision ? { kind: "refused", decision } : retrySeries(pipeline, changeId, context);
    },
    onJob: async (changeId, dueAt) => {
      const outcome = await settleWith(pipeline, changeId, (change) => lookUp(pipeline, change));
      const next = outcome.kind === "still-unknown" ? nextCheckAt(outcome.change, dueAt) : undefined;
      return next === undefined ? {} : { jobs: [{ kind: "outcome-check", subjectId: changeId, dueAt: next }] };
    },
  };
}

/** What was found, and how; or why it still is not known. */
type Found = { readonly settlement: Settlement; readonly how: Verification["how"] } | { readonly why: string };

/** Settles the change with what `find` finds, unless it is known already. One at a time with the other changes of its subject. */
async function settleWith(
  pipeline: Pipeline,
  changeId: string,
  find: (change: ServiceChange) => Promise<Found>,
  by?: CommandContext,
): Promise<CheckOutcome> {
  const { store, withLock } = pipeline;
  const unknown = await store.find(changeId);
  if (!unknown) return { kind: "invalid", problem: noSuchChange(changeId) };
  return withLock(unknown.subjectKind, unknown.subjectId, async () => {
    const change = (await store.find(changeId)) ?? unknown;
    if (change.state !== "unknown" || !isServiceChange(change)) return { kind: "known", change, isNew: false };
    // Another instance may have taken this one for gone, and answered the press.
    const receiptId = by?.receiptId;
    if (receiptId !== undefined && !(await store.ownsReceipt(receiptId))) throw new TakenOverError();
    const found = await find(change);
    if ("why" in found) return { kind: "still-unknown", change, why: found.why };
    const { settlement, how } = found;
    if (settlement.state === "unknown")
      return { kind: "still-unknown", change, why: settlement.error?.message ?? "It got no clear answer." };
    return settle(pipeline, change, { ...settlement, verified: { how, by: personIn(by) } }, by);
  });
}

/** A series is known when its steps are: those whose outcome is unknown are settled one by one. */
async function settleSteps(
  pipeline: Pipeline,
  series: Change,
  settleStep: (stepId: string) => Promise<CheckOutcome>,
  { actor }: CommandContext,
): Promise<CheckOutcome> {
  if (series.state !== "unknown") return { kind: "known", change: series, isNew: false };
  for (const { id, state } of series.children ?? []) {
    const outcome = state === "unknown" ? await settleStep(id) : undefined;
    if (outcome?.kind === "still-unknown") return { ...outcome, change: series };
  }
  const change = (await settleUnknownSeries(pipeline, series.id, { readerId: actor.userId })) ?? series;
  return change.state === "unknown"
    ? { kind: "still-unknown", change, why: "A step is still unknown." }
    : { kind: "known", change, isNew: true };
}

/** Shows the whole series, if it is known by now. */
async function seriesOfStep(
  pipeline: Pipeline,
  step: Change,
  seriesId: string,
  by: CommandContext | undefined,
): Promise<CheckOutcome> {
  const { verified } = step;
  const series = await settleUnknownSeries(pipeline, seriesId, {
    verified: verified ?? undefined,
    readerId: by?.actor.userId,
  });
  if (series?.state !== "unknown") return { kind: "known", change: series ?? step, isNew: true };
  return { kind: "still-unknown", change: series, why: "This step is known now, and another one is not." };
}

const personIn = (by: CommandContext | undefined): Verification["by"] =>
  by ? { userId: by.actor.userId, name: by.actor.name } : null;

async function settle(
  pipeline: Pipeline,
  change: ServiceChange,
  settlement: Settlement,
  by: CommandContext | undefined,
): Promise<CheckOutcome> {
  const { store, settings, wake, onOutcome, log } = pipeline;
  const asUnknown: typeof store = { ...store, settle: store.settleUnknown };
  const isForRequester = by?.actor.userId !== change.actor.userId && change.parentId === undefined;
  try {
    const settled = await record(asUnknown, settings(), change, settlement, isForRequester ? lateOutcome(change) : []);
    onOutcome?.(change.operation, settlement.state);
    wake();
    if (change.parentId !== undefined) return seriesOfStep(pipeline, settled, change.parentId, by);
    return { kind: "known", change: settled, isNew: true };
  } catch (error) {
    if (error instanceof NotPerformingError)
      return { kind: "known", change: (await store.find(change.id)) ?? change, isNew: false };
    log.error({ err: error, changeId: change.id, state: settlement.state }, "a found outcome could not be recorded");
    return { kind: "still-unknown", change, why: "Curfew found out, but couldn't save it. Check again in a moment." };
  }
}

async function findOut(pipeline: Pipeline, change: ServiceChange): Promise<Found> {
  switch (wayToCheck(change)) {
    case "read":
      return lookUp(pipeline, change);
    case "repeat": {
      const whyNot = (await laterChange(pipeline, change)) ?? (await revalidate(pipeline, change))?.message;
      if (whyNot !== undefined) return { why: `Curfew can't send it again to find out. ${whyNot}` };
      return { settlement: await perform(pipeline, change), how: "repeated" };
    }
    case undefined:
      return { why: "Curfew can't find out by itself. Look in the service." };
  }
}

/** A later change of the same thing decides: sending this one again could take that back. */
async function laterChange({ store }: Pipeline, change: ServiceChange): Promise<string | undefined> {
  const { id, subjectKind: kind, subjectId, requestedAt } = change;
  if (subjectId === null) return undefined;
  const about = { subjects: [{ kind, id: subjectId }], resourceIds: [] };
  const since = await store.list({
    about,
    since: requestedAt,
    states: ["succeeded", "unknown", "performing"],
    limit: 10,
  });
  const later = since.find((other) => other.id !== id && other.requestedAt >= requestedAt);
  return later && `${later.actor.name} changed the same thing since (change ${later.id}). Look in the service.`;
}

async function lookUp(pipeline: Pipeline, change: ServiceChange): Promise<Found> {
  const found = await readBack(pipeline, change);
  if (found === undefined) return { why: "What the service has now does not show it. Look in the service." };
  return found instanceof Error ? { why: found.message } : { settlement: found, how: "read" };
}

/** What an answer of the service would have shown is only known in part. */
function said(change: ServiceChange, seen: Seen, settledAt: number): Found {
  const common = { subjectId: change.subjectId, isSubjectGone: false, settledAt };
  if (seen === "not-done") return { settlement: { ...common, ...notDone, answer: null, note: null }, how: "seen" };
  const note = isCreation(change) ? unknownId(change) : null;
  return { settlement: { ...common, state: "succeeded", answer: afterwards(change), error: null, note }, how: "seen" };
}

const notDone = {
  state: "failed",
  error: {
    code: "NotDone",
    message: "Somebody looked, and it was not done. Ask again if it is still needed.",
  },
} as const;

/** What was modified, with the values that were asked for. */
function afterwards({ before, request }: ServiceChange): object | null {
  if (before === null) return null;
  const asked = Object.entries(request).filter(([field]) => field in before);
  return { ...before, ...Object.fromEntries(asked) };
}

function noSuchChange(id: string): Problem {
  return { problem: `There is no change ${id} whose outcome could be checked. Nothing was changed.` };
}
