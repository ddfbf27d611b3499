import { setTimeout as wait } from "node:timers/promises";
import { isProblem, type Problem } from "../commands/answer.ts";
import { planGone } from "../commands/exclusion/planned/about-plan.ts";
import type { Logger } from "../observability/log.ts";
import { mayCountHours } from "../permissions/budgets.ts";
import { setsExclusionLength } from "../permissions/conditions.ts";
import { notifyRequester } from "./announce.ts";
import { createApprovals } from "./approvals/decide-approval.ts";
import { authorizeNew } from "./authorize/authorize.ts";
import type { Denied, Invalid } from "./authorize/decide-change.ts";
import { askingEffects, newChange } from "./authorize/new-change.ts";
import type { Change, ServiceChange } from "./change.ts";
import { createUnknownOutcomes } from "./outcomes/unknown-outcomes.ts";
import { createLateSettlements, notMade, type Performed, recordOutcome } from "./perform/record-outcome.ts";
import { PlanGoneError, planEffects, replacing, withEffects } from "./planned/replace-plan.ts";
import type { Ask, Asked, ChangePorts, ChangeStore, LockStore, Pipeline, UndoSaid } from "./ports.ts";
import { TakenOverError } from "./receipts.ts";
import { performAny } from "./steps/perform-series.ts";
import { isSeries } from "./steps/series.ts";
import { planUndo } from "./undo.ts";

export type ChangeOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | Invalid
  /** A repeat of a request: `change` is the first one, as it is now. */
  | { readonly kind: "repeated"; readonly change: Change }
  /** Another request for the same undo or approval exists: `change` is that one, as it is now. */
  | { readonly kind: "already-requested"; readonly change: Change }
  /** Recorded and sent to the approvers; nothing is performed yet. */
  | { readonly kind: "asked"; readonly change: Change }
  /** Recorded, to be made later. */
  | { readonly kind: "planned"; readonly change: Change }
  | Performed
  /**
   * The database did not take the record, or Curfew stopped while it waited for another instance's lock. Nothing was
   * performed.
   */
  | { readonly kind: "not-recorded" };

export type RunningChanges = ReturnType<typeof createChanges>;
export type Changes = Pick<RunningChanges, "check" | "actedOn" | "run" | "planUndo">;

/**
 * The pipeline of a change: authorize, record, perform, record the outcome, announce. A change that needs an approval is
 * recorded as waiting and performed after it (decide-approval.ts). Changes of one subject run one after the other, so that each
 * starts from the result of the one before.
 */
export function createChanges(ports: ChangePorts) {
  const { store } = ports;
  const late = createLateSettlements(ports);
  const locks = createLocks(store, ports.log);
  const withLock: Pipeline["withLock"] = (kind, subjectId, work) =>
    subjectId === null ? work() : locks.withLock(`${kind}:${subjectId.toLowerCase()}`, work);
  const withHours: Pipeline["withHours"] = ({ operation, actor }, work) =>
    mayCountHours(ports.settings().policy, operation) ? locks.withLock(`hours:${actor.userId}`, work) : work();
  const withOwnTime: Pipeline["withOwnTime"] = ({ operation, actor }, work) =>
    setsExclusionLength(operation) ? locks.withLock(`held:${actor.userId}`, work) : work();
  const pipeline = { ...ports, late, withLock, withHours, withOwnTime };
  return {
    approvals: createApprovals(pipeline),
    outcomes: createUnknownOutcomes(pipeline),
    /** Ends all waits for locks of other instances. Those requests are answered that nothing was changed. */
    stopWaiting: locks.stopWaiting,
    /** Tries a last time to record the outcomes that are not recorded yet. */
    stop: () => late.stop(),
    /** The command that undoes a change, or the reason why nothing can. */
    planUndo: (changeId: string, requesterId?: string, said?: UndoSaid) =>
      planUndo(store, changeId, ports.now(), { requesterId, said }),
    /** Authorizes a request without making the change. */
    check: (ask: Asked) => authorizeNew(ports, ask),
    /** The change that an earlier delivery with this key made. */
    actedOn: (idempotencyKey: string) => store.actedOn(idempotencyKey),
    run: async (ask: Ask): Promise<ChangeOutcome> => {
      await late.flush();
      const { command, context } = ask;
      const subjectId = command.subjectId(ask.input);
      // A creation takes no lock of an entity; `runChange` looks for a repeat itself.
      // A repeat need not wait for the lock of the first request.
      const first = subjectId === null ? undefined : await store.actedOn(ask.idempotencyKey);
      if (first) return { kind: "repeated", change: first };
      const counted = { operation: command.operation, actor: context.actor };
      const run = () => withHours(counted, () => runChange(pipeline, ask));
      return withLock(command.about, subjectId, run).catch((error: unknown) => {
        if (!(error instanceof LockUnavailableError)) throw error;
        ports.log.warn({ err: error }, "a change was not made, since Curfew stopped before its turn");
        return { kind: "not-recorded" };
      });
    },
  };
}

/** The time for an answer where the requester asked. If Curfew dies before that, the outbox sends them a direct message. */
const answerMs = 30_000;

async function runChange(pipeline: Pipeline, ask: Ask): Promise<ChangeOutcome> {
  const { command, context } = ask;
  // What is recorded is counted by the next: the call needs no turn.
  const asked = { operation: command.operation, actor: context.actor };
  const begun = await pipeline.withOwnTime(asked, () => recordNew(pipeline, ask));
  if (begun.kind !== "begun") return begun;
  const { change } = begun;
  const isAnsweredHere = change.executionId === undefined;
  const notice = { ...notifyRequester(change), afterMs: isAnsweredHere ? answerMs : 0 };
  const outcome = await recordOutcome(pipeline, change, await performAny(pipeline, change), [notice]);
  return withSteps(pipeline.store, outcome);
}

type Begun = { readonly kind: "begun"; readonly change: ServiceChange };

/** Authorizes and records a change. One that waits for nothing is begun. */
async function recordNew(pipeline: Pipeline, ask: Ask): Promise<Begun | ChangeOutcome> {
  const { store, log, late, now } = pipeline;
  // Checked first: after the first request, a repeat might be refused.
  const first = await store.actedOn(ask.idempotencyKey);
  if (first) return { kind: "repeated", change: first };
  const planned = await planAgain(pipeline, ask);
  if (isProblem(planned)) return { kind: "invalid", problem: planned };
  const authorized = await authorizeNew(pipeline, planned);
  if (authorized.kind !== "authorized") return authorized;
  const { newId, settings } = pipeline;
  const id = newId();
  const replaced = await replacing(pipeline, { ...planned, input: authorized.input }, { id });
  if (isProblem(replaced)) return { kind: "invalid", problem: replaced };
  if ("refused" in replaced) return { kind: "refused", decision: replaced.refused };
  const change = newChange(planned, authorized, settings(), {
    ...{ id, idempotencyKey: ask.idempotencyKey, undoes: planned.undoes },
    // A series shows the steps that were recorded.
    effect: authorized.approval && !planned.command.series ? await ask.effect?.() : undefined,
    requestedAt: now(),
  });
  try {
    const ahead = await (change.state === "planned"
      ? planEffects(change, settings(), store)
      : askingEffects(change, store));
    const { receiptId } = ask.context;
    const earlier = await store.begin(change, { ...withEffects(ahead, replaced), receiptId });
    if (earlier === undefined) ask.context.onRecorded?.();
    else return { kind: (await store.actedOn(ask.idempotencyKey)) ? "repeated" : "already-requested", change: earlier };
  } catch (error) {
    if (error instanceof TakenOverError) throw error;
    if (error instanceof PlanGoneError) return { kind: "invalid", problem: planGone(replaced.replaces ?? "") };
    log.error({ err: error, changeId: change.id }, "a change could not be recorded and was not performed");
    // The record may exist anyway: the database's answer was lost.
    late.add(change, notMade(now()), []);
    return { kind: "not-recorded" };
  }
  if (change.approval || change.state === "planned") {
    return { kind: change.approval ? "asked" : "planned", change };
  }
  return { kind: "begun", change };
}

/** A series is shown with the steps that were recorded in the meantime. */
async function withSteps(store: Pick<ChangeStore, "find">, outcome: Performed): Promise<Performed> {
  if (!isSeries(outcome.change)) return outcome;
  const { children } = (await store.find(outcome.change.id)) ?? outcome.change;
  return { ...outcome, change: { ...outcome.change, children } };
}

/** Plans an undo again: while it waited for the lock, the change may have been undone or the entity changed. */
async function planAgain({ store, now }: Pipeline, ask: Ask): Promise<Ask | Problem> {
  if (ask.undoes === undefined) return ask;
  const { said, context } = ask;
  const plan = await planUndo(store, ask.undoes, now(), { requesterId: context.actor.userId, said });
  return isProblem(plan) ? plan : { ...ask, ...plan };
}

/**
 * Runs work with the same key one at a time: in this process in order of arrival, across instances in the order of taking
 * the lock. A key is kept only while it is in use.
 */
function createLocks(store: LockStore, log: Logger) {
  const stopping = new AbortController();
  const last = new Map<string, Promise<unknown>>();
  const withStoreLock = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await acquireLock(store, key, stopping.signal);
    try {
      return await work();
    } finally {
      await store.releaseLock(key).catch((error: unknown) => {
        log.warn({ err: error, lock: key }, "a turn could not be given back, and is given back later");
        releaseLater(key);
      });
    }
  };
  // Other instances wait for the lock while this one is alive. Taking it once more is harmless, and releases it.
  const releaseLater = (key: string) => {
    setTimeout(() => {
      if (!stopping.signal.aborted) withLock(key, async () => undefined).catch(() => releaseLater(key));
    }, releaseRetryMs).unref();
  };
  /** Throws a LockUnavailableError, with nothing done, if it still waits for another instance when `stopWaiting` is called. */
  const withLock = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const next = () => withStoreLock(key, work);
    const lock = (last.get(key) ?? Promise.resolve()).then(next, next);
    last.set(key, lock);
    try {
      return await lock;
    } finally {
      if (last.get(key) === lock) last.delete(key);
    }
  };
  return { withLock, stopWaiting: () => stopping.abort() };
}

const releaseRetryMs = 1000;
const firstPauseMs = 20;
const maxPauseMs = 500;

/** Resolves when this instance holds the lock. The pauses have jitter, so that two waiting instances do not poll in step. */
async function acquireLock(store: LockStore, key: string, signal: AbortSignal): Promise<void> {
  for (let pauseMs = firstPauseMs; !(await store.takeLock(key)); pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    await wait(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch((cause: unknown) => {
      throw new LockUnavailableError(key, cause);
    });
  }
}

/** Curfew stops while another instance still holds the lock. */
class LockUnavailableError extends Error {
  readonly code = "LockUnavailable";
  constructor(key: string, cause: unknown) {
    super(`another instance holds the lock ${key}, and Curfew stops`, { cause });
    this.name = "LockUnavailableError";
  }
}
