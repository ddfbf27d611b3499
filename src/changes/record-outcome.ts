import type { ChangeOperation } from "../commands/command.ts";
import type { Change, ServiceChange, SettledState, Settlement } from "./change.ts";
import type { ChangePorts } from "./changes.ts";
import type { LateSettlements } from "./late-settlements.ts";
import type { NewOutboxMessage } from "./ports.ts";
import { record } from "./record.ts";

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
