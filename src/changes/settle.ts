import type { ChangeOperation } from "../commands/command.ts";
import { entitiesIn } from "../directory/entities-in-answer.ts";
import { operations } from "../service/operations.ts";
import { announcements, cardUpdates, jobsAfter } from "./announce.ts";
import type { Change, ServiceChange, SettledState, Settlement } from "./change.ts";
import type { ChangePorts } from "./changes.ts";
import type { ChangeSettings, ChangeStore, NewOutboxMessage, OutboxStore } from "./ports.ts";

/** How a change ends that was not made for want of its record, or of an approval's. */
export function notMade(settledAt: number): Settlement {
  const error = { code: "NotRecorded", message: "Curfew could not write this down in time, so it did not make it." };
  return { state: "failed", answer: null, subjectId: null, isSubjectGone: false, error, note: null, settledAt };
}

export type Performed =
  | { readonly kind: "settled"; readonly change: Change }
  /** Performed, but the database did not take the outcome; it is tried again until it does, or Curfew stops. */
  | { readonly kind: "outcome-not-recorded"; readonly change: Change };

/** Told of how a change ended, as soon as that is known; also that nobody can know it. */
export type OnOutcome = (operation: ChangeOperation, state: SettledState) => void;

/** Records how a performed change ended, now or as soon as it can be recorded. Never throws. */
export async function recordOutcome(
  { store, settings, log, wake, late, onOutcome }: ChangePorts & { readonly late: LateSettlements },
  change: ServiceChange,
  settlement: Settlement,
  alsoSend: readonly NewOutboxMessage[] = [],
): Promise<Performed> {
  onOutcome?.(change.operation, settlement.state);
  try {
    const settled = await record(store, settings(), change, settlement, alsoSend);
    wake();
    return { kind: "settled", change: settled };
  } catch (error) {
    log.error(
      { err: error, changeId: change.id, state: settlement.state },
      "the outcome of a change could not be recorded",
    );
    late.add(change, settlement, alsoSend);
    return { kind: "outcome-not-recorded", change: { ...change, ...settlement } };
  }
}

/** Settles a performed change: outcome, history, what was learnt, what must be announced and what is to be done later, all in one transaction. */
export async function record(
  store: ChangeStore & Pick<OutboxStore, "cardChannels">,
  settings: Pick<ChangeSettings, "announce" | "exclusions">,
  change: ServiceChange,
  settlement: Settlement,
  alsoSend: readonly NewOutboxMessage[] = [],
): Promise<Change> {
  const { operation, subjectId, subjectKind, actor } = change;
  const succeeded = settlement.state === "succeeded";
  const learnt = succeeded
    ? entitiesIn(operation, settlement.answer, isCreation(change) ? actor.userId : undefined)
    : [];
  const isGone = settlement.isSubjectGone || (succeeded && removesSubject(operation));
  const forgotten =
    isGone && subjectId !== null ? [{ kind: subjectKind, id: subjectId, at: settlement.settledAt }] : [];
  const outbox = [...(await announcements(change, settlement, settings, store)), ...alsoSend];
  const jobs = jobsAfter(change, settlement, settings);
  await store.settle(change.id, settlement, { entities: [...learnt, ...forgotten], outbox, jobs });
  return { ...change, ...settlement };
}

const removesSubject = (operation: ChangeOperation): boolean => operations[operation].effect === "delete";
const isCreation = ({ before, subjectId }: Change): boolean => before === null && subjectId === null;

/** A change that is not being performed cannot be settled: it is settled already, or was never recorded. */
export class NotPerformingError extends Error {
  readonly code = "NotPerforming";
  constructor(changeId: string) {
    super(`change ${changeId} is not being performed, so it cannot be settled`);
    this.name = "NotPerformingError";
  }
}

/** The outcomes that the database did not take. */
export interface LateSettlements {
  /** Keeps an outcome and tries to record it again, later and later. */
  add(change: ServiceChange, settlement: Settlement, alsoSend?: readonly NewOutboxMessage[]): void;
  /** Tries all of them now, oldest first. */
  flush(): Promise<void>;
  /** Tries them a last time, and no more. */
  stop(): Promise<void>;
}

const firstPauseMs = 250;
const longestPauseMs = 60_000;

/** Ends one that waits for approvals, or was approved, before it is performed. */
async function giveUp(
  store: ChangePorts["store"],
  change: ServiceChange,
  { settledAt: at, error }: Settlement,
  alsoSend: readonly NewOutboxMessage[] = [],
): Promise<void> {
  const outbox = [...cardUpdates(change, await store.cardChannels(change.id)), ...alsoSend];
  await store.move(change.id, { from: ["awaiting-approval", "approved"], to: "failed", at, error }, { outbox });
}

/** Keeps in memory what could not be recorded, so that the record comes to say what the requester was told already. */
export function createLateSettlements(
  ports: Pick<ChangePorts, "store" | "settings" | "log" | "wake">,
): LateSettlements {
  const { store, settings, log, wake } = ports;
  const waiting = new Map<string, Parameters<LateSettlements["add"]>>();
  let round: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const settleAll = async () => {
    for (const [changeId, [change, settlement, alsoSend]] of waiting) {
      try {
        if (change.state === "performing") await record(store, settings(), change, settlement, alsoSend);
        else await giveUp(store, change, settlement, alsoSend);
        waiting.delete(changeId);
        log.info({ changeId, state: settlement.state }, "the outcome of a change has been recorded late");
        wake();
      } catch (error) {
        // There is nothing to settle (any more): an earlier try went through although it seemed to fail, or it never was recorded.
        if (error instanceof NotPerformingError) waiting.delete(changeId);
        else log.warn({ err: error, changeId }, "the outcome of a change still could not be recorded");
      }
    }
  };
  const flush = (): Promise<void> => {
    round ??= settleAll().finally(() => {
      round = undefined;
    });
    return round;
  };
  const wakeAfter = (pauseMs: number) => {
    timer = setTimeout(async () => {
      await flush();
      timer = undefined;
      if (waiting.size > 0 && !isStopped) wakeAfter(Math.min(2 * pauseMs, longestPauseMs));
    }, pauseMs);
    timer.unref();
  };
  return {
    add: (change, settlement, alsoSend) => {
      waiting.set(change.id, [change, settlement, alsoSend]);
      if (timer === undefined && !isStopped) wakeAfter(firstPauseMs);
    },
    flush,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await flush();
    },
  };
}
