import type { ServiceChange, Settlement } from "./change.ts";
import type { ChangePorts } from "./changes.ts";
import { cardUpdates } from "./new-deliveries.ts";
import { NotPerformingError } from "./not-performing-error.ts";
import type { NewOutboxMessage } from "./ports.ts";
import { record } from "./record.ts";

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
