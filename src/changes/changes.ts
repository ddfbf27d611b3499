import { isProblem, type Problem } from "../commands/answer.ts";
import { reasonOf } from "../commands/command.ts";
import { notifyRequester } from "./announce.ts";
import { approvalFrom, askingEffects } from "./approvals/ask-approval.ts";
import { type Approvals, createApprovals } from "./approvals/decide-approval.ts";
import { authorizeNew } from "./authorize/authorize.ts";
import type { Authorization, Authorized, Denied, Invalid } from "./authorize/decide-change.ts";
import type { Change, ServiceChange } from "./change.ts";
import { createUnknownOutcomes, type UnknownOutcomes } from "./outcomes/unknown-outcomes.ts";
import { createLocks, LockUnavailableError } from "./perform/locks.ts";
import { perform } from "./perform/perform.ts";
import { createLateSettlements, notMade, type Performed, recordOutcome } from "./perform/record-outcome.ts";
import type { Ask, Asked, ChangePorts, Pipeline } from "./ports.ts";
import { TakenOverError } from "./receipts.ts";
import { planUndo, type UndoPlan } from "./undo.ts";

export type ChangeOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | Invalid
  /** A repeat of a request: `change` is the first one, as it is now. */
  | { readonly kind: "repeated"; readonly change: Change }
  /** Another request for the same undo or approval exists: `change` is that one, as it is now. */
  | { readonly kind: "already-requested"; readonly change: Change }
  /** Recorded and sent to the approvers; nothing is performed yet. */
  | { readonly kind: "asked"; readonly change: Change }
  | Performed
  /**
   * The database did not take the record, or Curfew stopped while it waited for another instance's lock. Nothing was
   * performed.
   */
  | { readonly kind: "not-recorded" };

export interface Changes {
  /** Authorizes a request without making the change. */
  check(ask: Asked): Promise<Authorization>;
  /** The change that an earlier delivery with this key made. */
  actedOn(idempotencyKey: string): Promise<Change | undefined>;
  run(ask: Ask): Promise<ChangeOutcome>;
  /** The command that undoes a change, or the reason why nothing can. */
  planUndo(changeId: string, requesterId?: string): Promise<UndoPlan | Problem>;
}

export interface RunningChanges extends Changes {
  readonly approvals: Approvals;
  readonly outcomes: UnknownOutcomes;
  /** Ends all waits for locks of other instances. Those requests are answered that nothing was changed. */
  stopWaiting(): void;
  /** Tries a last time to record the outcomes that are not recorded yet. */
  stop(): Promise<void>;
}

/**
 * The pipeline of a change: authorize, record, perform, record the outcome, announce. A change that needs an approval is
 * recorded as waiting and performed after it (decide-approval.ts). Changes of one subject run one after the other, so that each
 * starts from the result of the one before.
 */
export function createChanges(ports: ChangePorts): RunningChanges {
  const { store } = ports;
  const late = createLateSettlements(ports);
  const locks = createLocks(store, ports.log);
  const withLock: Pipeline["withLock"] = (kind, subjectId, work) =>
    subjectId === null ? work() : locks.withLock(`${kind}:${subjectId}`, work);
  const pipeline = { ...ports, late, withLock };
  return {
    approvals: createApprovals(pipeline),
    outcomes: createUnknownOutcomes(pipeline),
    stopWaiting: locks.stopWaiting,
    stop: () => late.stop(),
    planUndo: (changeId, requesterId) => planUndo(store, changeId, ports.now(), requesterId),
    check: (ask) => authorizeNew(ports, ask),
    actedOn: (idempotencyKey) => store.actedOn(idempotencyKey),
    run: async (ask) => {
      await late.flush();
      const subjectId = ask.command.subjectId(ask.input);
      // A creation takes no lock; `runChange` looks for a repeat itself.
      if (subjectId === null) return runChange(pipeline, ask);
      // A repeat need not wait for the lock of the first request.
      const first = await store.actedOn(ask.idempotencyKey);
      if (first) return { kind: "repeated", change: first };
      return withLock(ask.command.about, subjectId, () => runChange(pipeline, ask)).catch((error: unknown) => {
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
  const { store, log, late, now } = pipeline;
  // Checked first: after the first request, a repeat might be refused.
  const first = await store.actedOn(ask.idempotencyKey);
  if (first) return { kind: "repeated", change: first };
  const planned = await planAgain(pipeline, ask);
  if (isProblem(planned)) return { kind: "invalid", problem: planned };
  const authorized = await authorizeNew(pipeline, planned);
  if (authorized.kind !== "authorized") return authorized;
  const change = await newChange(pipeline, planned, authorized);
  try {
    const earlier = await store.begin(change, { ...askingEffects(change), receiptId: ask.context.receiptId });
    if (earlier === undefined) ask.context.onRecorded?.();
    else return { kind: (await store.actedOn(ask.idempotencyKey)) ? "repeated" : "already-requested", change: earlier };
  } catch (error) {
    if (error instanceof TakenOverError) throw error;
    log.error({ err: error, changeId: change.id }, "a change could not be recorded and was not performed");
    // The record may exist anyway: the database's answer was lost.
    late.add(change, notMade(now()), []);
    return { kind: "not-recorded" };
  }
  if (change.approval) {
    pipeline.wake();
    return { kind: "asked", change };
  }
  const notice = { ...notifyRequester(change), afterMs: answerMs };
  return recordOutcome(pipeline, change, await perform(pipeline, change), [notice]);
}

/** Plans an undo again: while it waited for the lock, the change may have been undone or the entity changed. */
async function planAgain({ store, now }: Pipeline, ask: Ask): Promise<Ask | Problem> {
  if (ask.undoes === undefined) return ask;
  const plan = await planUndo(store, ask.undoes, now(), ask.context.actor.userId);
  return isProblem(plan) ? plan : { ...ask, ...plan };
}

async function newChange(
  { newId, now, settings }: ChangePorts,
  ask: Ask,
  authorized: Authorized,
): Promise<ServiceChange> {
  const { command, context, idempotencyKey } = ask;
  const { input, approval: rule, beyond } = authorized;
  const { teamId, userId, name, timeZone } = context.actor;
  const effect = rule ? await ask.effect?.() : undefined;
  const requestedAt = now();
  return {
    id: newId(),
    idempotencyKey,
    words: command.words,
    operation: command.operation,
    state: rule ? "awaiting-approval" : "performing",
    input,
    request: authorized.request,
    before: authorized.before ?? null,
    answer: null,
    subjectKind: command.about,
    subjectId: authorized.subjectId,
    actor: { teamId, userId, name, timeZone },
    channelId: context.channelId,
    reason: reasonOf(input),
    undoes: ask.undoes ?? null,
    role: authorized.decision.role,
    rule: authorized.decision.rule,
    approval: rule ? approvalFrom(rule, command.operation, settings(), { requestedAt, effect, beyond }) : null,
    decisions: [],
    error: null,
    note: null,
    verified: null,
    requestedAt,
    settledAt: null,
  };
}
