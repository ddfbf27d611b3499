import type { Logger } from "../../observability/log.ts";
import { lateOutcome } from "../announce.ts";
import { type Change, isServiceChange, type ServiceChange, type Settlement } from "../change.ts";
import { planTimes } from "../planned/plan-times.ts";
import type { ChangePorts } from "../ports.ts";
import { isSeries, seriesSettlement } from "../steps/series.ts";
import { NotPerformingError, record } from "./record-outcome.ts";

export type RecoverPorts = Pick<ChangePorts, "store" | "settings" | "now" | "log" | "onOutcome">;

/**
 * Settles what dead instances left as `performing`. Nobody knows whether the call went out, so the outcome is `unknown`
 * and the requester gets a message. A series follows from its steps, which are settled first. Several instances may do this at the same time: one settles each change. A change that
 * cannot be settled does not hold up the others, and is retried the next time.
 */
export async function recover(ports: RecoverPorts): Promise<readonly Change[]> {
  const { store, settings, now, log } = ports;
  const abandoned = { ...store, settle: store.settleAbandoned };
  const interruptedChanges = stepsFirst((await store.abandoned()).filter(isServiceChange));
  const settled: Change[] = [];
  for (const { id, subjectId } of await store.unreadableAbandoned()) {
    if (await isSettledHere(log, id, () => store.settleAbandoned(id, interrupted(subjectId, now()))))
      log.error({ changeId: id }, "a change whose record cannot be read was interrupted: its outcome is unknown");
  }
  for (const change of interruptedChanges) {
    const settle = async () => {
      // Read again, since its steps are settled before it.
      const present = isSeries(change) ? await store.find(change.id) : undefined;
      const settlement = present ? await seriesSettlement(store, present, now()) : interrupted(change.subjectId, now());
      // Of the steps of a series, its own notice speaks, unless each is made at its own time.
      const isSpokenFor = change.parentId !== undefined && !planTimes(change);
      const notices = isSpokenFor ? [] : lateOutcome(change);
      settled.push(await record(abandoned, settings(), change, settlement, notices));
      if (!present) ports.onOutcome?.(change.operation, "unknown");
    };
    if (await isSettledHere(log, change.id, settle))
      log.warn(
        { changeId: change.id, operation: change.operation },
        "a change was interrupted: its outcome is unknown",
      );
  }
  return settled;
}

const stepsFirst = (changes: readonly ServiceChange[]): readonly ServiceChange[] => [
  ...changes.filter(({ parentId }) => parentId !== undefined),
  ...changes.filter(({ parentId }) => parentId === undefined),
];

/** Settles a change. False if another instance settled it first, its own instance is back, or settling fails. */
async function isSettledHere(log: Logger, changeId: string, settle: () => Promise<void>): Promise<boolean> {
  try {
    await settle();
    return true;
  } catch (error) {
    if (!(error instanceof NotPerformingError))
      log.error({ err: error, changeId }, "a change that was interrupted could not be settled");
    return false;
  }
}

/** Distinguishes an interrupted change from one whose outcome the service left unknown. */
export const interruptedCode = "Interrupted";

function interrupted(subjectId: string | null, settledAt: number): Settlement {
  const error = { code: interruptedCode, message: "Curfew was stopped while this was under way." };
  return { state: "unknown", answer: null, subjectId, isSubjectGone: false, error, note: null, settledAt };
}
