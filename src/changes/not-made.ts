import type { Settlement } from "./change.ts";

/** How a change ends that was not made for want of its record, or of an approval's. */
export function notMade(settledAt: number): Settlement {
  const error = { code: "NotRecorded", message: "Curfew could not write this down in time, so it did not make it." };
  return { state: "failed", answer: null, subjectId: null, isSubjectGone: false, error, note: null, settledAt };
}
