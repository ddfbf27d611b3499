import { performApproved, performingMs } from "../approvals/perform-approved.ts";
import type { Pipeline } from "../ports.ts";
import { isTimedSeries } from "../steps/series.ts";
import { beginOccurrences } from "./begin-occurrences.ts";
import { planTimes } from "./plan-times.ts";

/**
 * Begins a planned change when it is due: it becomes `approved`, and is performed like every approved change, after its requester's
 * rights were checked again. Safe to call often and concurrently: one caller begins it.
 */
export async function performPlanned(pipeline: Pipeline, changeId: string): Promise<void> {
  const { store, now, wake } = pipeline;
  const change = await store.find(changeId);
  if (change?.state !== "planned") return;
  if (isTimedSeries(change)) return beginOccurrences(pipeline, changeId);
  const at = now();
  if (at < (planTimes(change)?.startsAt ?? at)) return;
  const jobs = [{ kind: "approved-change", subjectId: changeId, dueAt: at + performingMs } as const];
  if (!(await store.move(changeId, { from: ["planned"], to: "approved", at }, { jobs }))) return;
  wake();
  await performApproved(pipeline, changeId);
}
