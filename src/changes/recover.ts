import type { Change, Settlement } from "./change.ts";
import type { ChangePorts } from "./changes.ts";
import { record, tellAsker } from "./record.ts";

/**
 * Settles what an earlier run left under way: whether the call went out is not known, so the outcome is `unknown`, and the asker
 * is told. To be called before anything new is taken on.
 */
export async function recover({
  store,
  settings,
  now,
  log,
}: Omit<ChangePorts, "service" | "read" | "secretFiles">): Promise<readonly Change[]> {
  const left = await store.performing();
  const settled: Change[] = [];
  for (const { id, subjectId } of await store.unreadablePerforming()) {
    await store.settle(id, interrupted(subjectId, now()));
    log.error({ changeId: id }, "a change whose record cannot be read was interrupted: its outcome is unknown");
  }
  for (const change of left) {
    settled.push(await record(store, settings(), change, interrupted(change.subjectId, now()), [tellAsker(change)]));
    log.warn({ changeId: change.id, operation: change.operation }, "a change was interrupted: its outcome is unknown");
  }
  return settled;
}

function interrupted(subjectId: string | null, settledAt: number): Settlement {
  const error = { code: "Interrupted", message: "Curfew was stopped while this was under way." };
  return { state: "unknown", answer: null, subjectId, isSubjectGone: false, error, note: null, settledAt };
}
