import { z } from "zod";
import type { Seen } from "../../commands/about-changes/about-changes.ts";
import { formButton, isProblem, type Problem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { CommandContext } from "../../commands/command.ts";
import type { ReadService } from "../../directory/read-service.ts";
import { decide } from "../../permissions/decide.ts";
import { type Operation, operations } from "../../service/operations.ts";
import { cardUpdates, lateOutcome } from "../announce.ts";
import { revalidate } from "../approvals/revalidate.ts";
import { notAMember } from "../approvals/who-may-approve.ts";
import { type Denied, type Invalid, judge, targetsOf } from "../authorize/decide-change.ts";
import {
  type Change,
  isCreation,
  isServiceChange,
  type ServiceChange,
  type Settlement,
  type Verification,
} from "../change.ts";
import { perform, unknownId } from "../perform/perform.ts";
import { NotPerformingError, record, recordOutcome } from "../perform/record-outcome.ts";
import type { ChangePorts, JobEffects, Pipeline } from "../ports.ts";
import { TakenOverError } from "../receipts.ts";
import { isInParts, isPart } from "../steps/parts.ts";
import { contextOf, performAny } from "../steps/perform-series.ts";
import { isSeries, isTimedSeries, seriesSettlement } from "../steps/series.ts";
import { nextCheckAt, wayToCheck } from "./follow-up.ts";

export type UnknownOutcomes = ReturnType<typeof createUnknownOutcomes>;

/** Finds out the outcome of changes where it is unknown, and settles them. */
export function createUnknownOutcomes(pipeline: Pipeline) {
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
    /** Reads the result, or sends the same request again. */
    check: (changeId: string, context: CommandContext) =>
      asked(changeId, context, (change) => findOut(pipeline, change)),
    /** Takes the word of somebody who looked in the service. */
    report: (changeId: string, seen: Seen, context: CommandContext) =>
      asked(changeId, context, async (change) => said(change, seen, pipeline.now())),
    /** Runs what is left of a series that its requester asked for. */
    retry: async (changeId: string, context: CommandContext): Promise<CheckOutcome> => {
      const change = await store.find(changeId);
      const decision = change && isServiceChange(change) ? await whyNotSettle(pipeline, change, context) : undefined;
      return decision ? { kind: "refused", decision } : retrySeries(pipeline, changeId, context);
    },
    /** Makes the parts that an instance left when it was lost. */
    onLeftParts: async (changeId: string): Promise<JobEffects> => {
      const series = await store.find(changeId);
      if (series?.state === "partly") await retrySeries(pipeline, changeId, await contextOf(pipeline, series));
      return {};
    },
    /** Reads the result where that is possible; later again while it does not show. */
    onJob: async (changeId: string, dueAt: number): Promise<JobEffects> => {
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
  const { store, settings, onOutcome, log } = pipeline;
  const asUnknown: typeof store = { ...store, settle: store.settleUnknown };
  const isForRequester = by?.actor.userId !== change.actor.userId && change.parentId === undefined;
  try {
    const settled = await record(asUnknown, settings(), change, settlement, isForRequester ? lateOutcome(change) : []);
    onOutcome?.(change.operation, settlement.state);
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
      const judged = await judgedFor(pipeline, change);
      const later = await laterChange(pipeline.store, judged);
      const whyNot = later ? changedSince(later) : (await revalidate(pipeline, judged))?.message;
      if (whyNot !== undefined) return { why: `Curfew can't send it again to find out. ${whyNot}` };
      return { settlement: await perform(pipeline, change), how: "repeated" };
    }
    case undefined:
      return { why: "Curfew can't find out by itself. Look in the service." };
  }
}

/** A part is judged as its whole. */
async function judgedFor({ store }: Pick<ChangePorts, "store">, change: ServiceChange): Promise<ServiceChange> {
  const whole = isPart(change) ? await store.find(change.parentId ?? "") : undefined;
  return whole && isServiceChange(whole) ? whole : change;
}

/** A later change of the same thing, which decides: sending this one again could take that back. It may be unknown. */
async function laterChange({ list }: Pipeline["store"], change: Change): Promise<Change | undefined> {
  const { id, subjectKind: kind, subjectId, requestedAt } = change;
  if (subjectId === null) return undefined;
  const about = { subjects: [{ kind, id: subjectId }], resourceIds: [] };
  const since = await list({
    about,
    since: requestedAt,
    states: ["succeeded", "partly", "unknown", "performing"],
    limit: 10,
  });
  return since.find((other) => other.id !== id && other.requestedAt >= requestedAt);
}

const changedSince = ({ id, actor }: Change): string =>
  `${actor.name} changed the same thing since (change ${id}). Look in the service.`;

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

export type CheckOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | Invalid
  /** It is known now. `isNew`: since this request. */
  | { readonly kind: "known"; readonly change: Change; readonly isNew: boolean }
  | { readonly kind: "still-unknown"; readonly change: Change; readonly why: string };

const place = z.object({ planId: z.string(), selectorId: z.string() });

/**
 * Reads what a change was about. Undefined while that does not show whether it was done: it may
 * still be done, or something else changed it since.
 */
async function readBack(
  { read, now }: { readonly read: ReadService; readonly now: () => number },
  change: ServiceChange,
): Promise<Settlement | Error | undefined> {
  const { readBack: operation, body }: Operation = operations[change.operation];
  const input = place.safeParse(change.request);
  if (!operation || !body || !input.success) return undefined;
  const result = await read(operation, input.data, change.actor.userId);
  if (result.kind !== "succeeded") return result.error;
  const fields = Object.keys(body.shape);
  const found = { answer: result.answer ?? null, subjectId: change.subjectId, isSubjectGone: false, note: null };
  const settled = { ...found, settledAt: now() };
  const asked = fields.filter((field) => field in change.request);
  if (isSame(change.request, result.answer, asked)) return { ...settled, state: "succeeded", error: null };
  const mayStillBeDone = settled.settledAt - (change.settledAt ?? change.requestedAt) < lateMs;
  if (mayStillBeDone || !isSame(change.before, result.answer, fields)) return undefined;
  return { ...settled, state: "failed", answer: null, error: stillAsBefore };
}

/** The service may still do what it took so long to answer. */
const lateMs = 10 * 60_000;

const stillAsBefore = { code: "NotDone", message: "Curfew looked, and the service still has what it had before." };

/** Whether both have the same values in these fields. The order of lists makes no difference, and what is empty is as good as missing. */
function isSame(one: unknown, other: unknown, fields: readonly string[]): boolean {
  const [values, others] = [one, other].map((body) => new Map<string, unknown>(Object.entries(body ?? {})));
  return fields.every((field) => normal(values?.get(field)) === normal(others?.get(field)));
}

function normal(value: unknown): string {
  if (Array.isArray(value)) return value.map(normal).sort().join("\n");
  if (typeof value !== "object" || value === null) return String(value ?? "");
  const entries = Object.entries(value).map(([name, each]) => `${name}=${normal(each)}`);
  return entries.sort().join("\t");
}

/** Why this person may not find out or report the outcome of a change: it takes the right to make it. Its requester has it where they asked. */
async function whyNotSettle(
  ports: Pick<ChangePorts, "settings" | "directory" | "store">,
  asked: ServiceChange,
  { actor, channelId }: Pick<CommandContext, "actor" | "channelId">,
): Promise<Denied | undefined> {
  const { settings, directory } = ports;
  const { policy } = settings();
  const change = await judgedFor(ports, asked);
  if (actor.membership !== "member") return notAMember(policy, actor);
  const { operation, subjectId, subjectKind } = change;
  const isRequester = change.actor.userId === actor.userId;
  const ask = { actor, operation, channelId: isRequester ? change.channelId : channelId };
  const command = commandOf(change.words);
  if (command?.kind !== "change") return denied(decide(policy, ask));
  const subject = subjectId === null ? undefined : await directory.get(subjectKind, subjectId);
  const isOwn = subject?.ownerId === actor.userId;
  const targets = await targetsOf(command, change, directory);
  const decision = judge(policy, { ...targets, contradiction: undefined }, { ...ask, isOwn, hours: [] });
  return isProblem(decision) ? undefined : denied(decision);
}

const denied = (decision: ReturnType<typeof decide>): Denied | undefined =>
  decision.kind === "denied" ? decision : undefined;

/**
 * Runs the steps that are left of a series that is partly done. Only for its requester, within its approval's time, and if they still
 * may do all of it. Safe to call often and concurrently: one caller performs it.
 */
async function retrySeries(pipeline: Pipeline, seriesId: string, context: CommandContext): Promise<CheckOutcome> {
  const found = await pipeline.store.find(seriesId);
  if (!found || !isServiceChange(found)) return noneLeft(seriesId);
  return pipeline.withLock(found.subjectKind, found.subjectId, () => retryNow(pipeline, found, context));
}

async function retryNow(pipeline: Pipeline, found: ServiceChange, context: CommandContext): Promise<CheckOutcome> {
  const { store, now } = pipeline;
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
  if (isInParts(series)) {
    const later = last && last.id !== series.id ? last : await laterChange(pipeline.store, series);
    if (later) return `${later.actor.name} has changed it since (change ${later.id}).`;
  }
  return (await revalidate(pipeline, series))?.message;
}

function askAnew({ id, words, input }: Change, why: string): CheckOutcome {
  const problem = `${why} Nothing more was changed. “history ${id}” shows what was done.`;
  return { kind: "invalid", problem: { problem, buttons: [formButton("Ask anew…", words, input)] } };
}

const noneLeft = (id: string): CheckOutcome => ({
  kind: "invalid",
  problem: {
    problem: `There is no change ${id} with steps that are left. Nothing was changed. “history” shows the latest.`,
  },
});

/** Settles a series whose outcome was unknown, when that of its steps is known. Gives it as it is then. */
async function settleUnknownSeries(
  { store, settings, directory, now }: Pick<Pipeline, "store" | "settings" | "directory" | "now">,
  seriesId: string,
  { verified, readerId }: { readonly verified?: Verification | undefined; readonly readerId?: string | undefined },
): Promise<Change | undefined> {
  const series = await store.find(seriesId);
  if (series?.state !== "unknown" || !isServiceChange(series) || !isSeries(series)) return series;
  const settlement = await seriesSettlement(directory, series, now());
  if (settlement.state === "unknown") return series;
  const asUnknown: typeof store = { ...store, settle: store.settleUnknown };
  const notices = readerId === series.actor.userId ? [] : lateOutcome(series);
  try {
    await record(asUnknown, settings(), series, { ...settlement, ...(verified ? { verified } : {}) }, notices);
  } catch (error) {
    // Somebody else has settled it.
    if (!(error instanceof NotPerformingError)) throw error;
  }
  return store.find(seriesId);
}
