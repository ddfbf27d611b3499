import type { Logger } from "../observability/log.ts";
import { notifyRequester } from "./announce.ts";
import { type Change, isServiceChange, type Settlement } from "./change.ts";
import type { ChangePorts } from "./changes.ts";
import { NotPerformingError, record } from "./settle.ts";

export type RecoverPorts = Pick<ChangePorts, "store" | "settings" | "now" | "log" | "onOutcome">;

/**
 * Settles what instances that are gone left under way: whether the call went out is not known, so the outcome is `unknown`, and the
 * requester is told. Several instances may do this at once: each change is settled by one. One that cannot be settled holds up none of the
 * others, and is left to the next time.
 */
export async function recover(ports: RecoverPorts): Promise<readonly Change[]> {
  const { store, settings, now, log } = ports;
  const abandoned = { ...store, settle: store.settleAbandoned };
  const left = (await store.abandoned()).filter(isServiceChange);
  const settled: Change[] = [];
  for (const { id, subjectId } of await store.unreadableAbandoned()) {
    if (await isFirst(log, id, () => store.settleAbandoned(id, interrupted(subjectId, now()))))
      log.error({ changeId: id }, "a change whose record cannot be read was interrupted: its outcome is unknown");
  }
  for (const change of left) {
    const settle = async () => {
      settled.push(
        await record(abandoned, settings(), change, interrupted(change.subjectId, now()), [notifyRequester(change)]),
      );
      ports.onOutcome?.(change.operation, "unknown");
    };
    if (await isFirst(log, change.id, settle))
      log.warn(
        { changeId: change.id, operation: change.operation },
        "a change was interrupted: its outcome is unknown",
      );
  }
  return settled;
}

/** Whether it was settled now, and neither by another instance just before nor left to one that is there again. */
async function isFirst(log: Logger, changeId: string, settle: () => Promise<void>): Promise<boolean> {
  try {
    await settle();
    return true;
  } catch (error) {
    if (!(error instanceof NotPerformingError))
      log.error({ err: error, changeId }, "a change that was interrupted could not be settled");
    return false;
  }
}

/** What tells such an outcome from those that the service left unknown. */
export const interruptedCode = "Interrupted";

function interrupted(subjectId: string | null, settledAt: number): Settlement {
  const error = { code: interruptedCode, message: "Curfew was stopped while this was under way." };
  return { state: "unknown", answer: null, subjectId, isSubjectGone: false, error, note: null, settledAt };
}
