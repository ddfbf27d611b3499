import type { ApprovalJobKind, Approvals } from "../changes/approvals/decide-approval.ts";
import type { BulletinStore } from "../changes/bulletin.ts";
import type { CallerRequestStore } from "../changes/caller-requests.ts";
import { nextDigests } from "../changes/digest/digest-times.ts";
import type { UnknownOutcomes } from "../changes/outcomes/unknown-outcomes.ts";
import type { OutboxStore } from "../changes/ports.ts";
import type { HeardStore } from "../changes/receipts.ts";
import { createCleaning, nextCleaning } from "./cleaning.ts";
import { createDigestJob, type DigestJobOptions } from "./digest-job.ts";
import { createExclusionJobs, type ExclusionJobOptions } from "./exclusion-jobs.ts";
import type { JobHandler, JobHandlers, JobWorkerOptions } from "./job-worker.ts";

export interface JobHandlerOptions extends ExclusionJobOptions {
  readonly store: ExclusionJobOptions["store"] &
    Pick<OutboxStore, "cleanOutbox"> &
    Pick<BulletinStore, "cleanBulletins"> &
    Pick<CallerRequestStore, "cleanCallerRequests"> &
    Pick<HeardStore, "cleanMessages"> & { readonly pruneHistory: (before: number) => Promise<void> };
  readonly approvals: Pick<Approvals, "onJob" | "giveUp">;
  readonly outcomes: Pick<UnknownOutcomes, "onJob" | "onLeftParts">;
  readonly now: () => number;
  readonly digest: Omit<DigestJobOptions, "now">;
  readonly retention: Parameters<typeof createCleaning>[2];
}

/** One handler per kind of job. */
export function createJobHandlers({
  store,
  approvals,
  outcomes,
  refreshHomes,
  now,
  digest,
  retention,
}: JobHandlerOptions): JobHandlers {
  const approvalJob =
    (kind: ApprovalJobKind): JobHandler =>
    async (changeId, dueAt) => {
      await approvals.onJob(kind, changeId, dueAt);
      return {};
    };
  return {
    ...createExclusionJobs({ store, refreshHomes }),
    "approval-reminder": approvalJob("approval-reminder"),
    "approval-expiry": approvalJob("approval-expiry"),
    "planned-change": approvalJob("planned-change"),
    "approved-change": approvalJob("approved-change"),
    "outcome-check": outcomes.onJob,
    "left-parts": outcomes.onLeftParts,
    digest: createDigestJob({ ...digest, now }),
    cleaning: createCleaning(
      [store.cleanOutbox, store.cleanBulletins, store.cleanCallerRequests, store.cleanMessages],
      store.pruneHistory,
      retention,
      now,
    ),
  };
}

/** Ends the change that a job was to perform; where the job only looks after something, that goes on with the next job. */
export function createGiveUp({
  approvals,
  now,
  digest,
}: Pick<JobHandlerOptions, "approvals" | "now" | "digest">): JobWorkerOptions["giveUp"] {
  return async (kind, subjectId) => {
    if (kind === "planned-change" || kind === "approved-change") await approvals.giveUp(subjectId);
    if (kind === "cleaning") return { jobs: [nextCleaning(now())] };
    return kind === "digest" ? { jobs: nextDigests(digest.settings(), now()) } : {};
  };
}
