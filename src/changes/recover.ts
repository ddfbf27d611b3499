import type { Change, Settlement } from "./change.ts";
import type { ChangePorts } from "./changes.ts";
import { NotPerformingError } from "./not-performing-error.ts";
import { record } from "./record.ts";

export type RecoverPorts = Pick<ChangePorts, "store" | "settings" | "now" | "log">;

/**
 * Settles what machines that are gone left under way: whether the call went out is not known, so the outcome is `unknown`, and the
 * asker is told. Several machines may do this at once: each change is settled by one.
 */
export async function recover({ store, settings, now, log }: RecoverPorts): Promise<readonly Change[]> {
  const left = await store.abandoned();
  const settled: Change[] = [];
  for (const { id, subjectId } of await store.unreadableAbandoned()) {
    if (await isFirst(() => store.settle(id, interrupted(subjectId, now()))))
      log.error({ changeId: id }, "a change whose record cannot be read was interrupted: its outcome is unknown");
  }
  for (const change of left) {
    const tell = { changeId: change.id, kind: "tell", to: change.actor.userId, underChangeId: null } as const;
    const settle = async () => {
      settled.push(await record(store, settings(), change, interrupted(change.subjectId, now()), [tell]));
    };
    if (await isFirst(settle))
      log.warn(
        { changeId: change.id, operation: change.operation },
        "a change was interrupted: its outcome is unknown",
      );
  }
  return settled;
}

/** Whether it was settled now, and not by another machine just before. */
async function isFirst(settle: () => Promise<void>): Promise<boolean> {
  try {
    await settle();
    return true;
  } catch (error) {
    if (error instanceof NotPerformingError) return false;
    throw error;
  }
}

/** What tells such an outcome from those that the service left unknown. */
export const interruptedCode = "Interrupted";

function interrupted(subjectId: string | null, settledAt: number): Settlement {
  const error = { code: interruptedCode, message: "Curfew was stopped while this was under way." };
  return { state: "unknown", answer: null, subjectId, isSubjectGone: false, error, note: null, settledAt };
}
