import type { ApprovalJobKind, Approvals } from "../changes/approvals/decide-approval.ts";
import { nextDigests } from "../changes/digest/digest-times.ts";
import type { UnknownOutcomes } from "../changes/outcomes/unknown-outcomes.ts";
import { type CleaningOptions, createCleaning, nextCleaning } from "./cleaning.ts";
import { createDigestJob, type DigestJobOptions } from "./digest-job.ts";
import { createExclusionJobs, type ExclusionJobOptions } from "./exclusion-jobs.ts";
import type { JobHandler, JobHandlers, JobWorkerOptions } from "./job-worker.ts";

export interface JobHandlerOptions extends ExclusionJobOptions, CleaningOptions {
  readonly store: ExclusionJobOptions["store"] & CleaningOptions["store"];
  readonly approvals: Pick<Approvals, "onJob" | "giveUp">;
  readonly outcomes: Pick<UnknownOutcomes, "onJob" | "onLeftParts">;
  readonly digest: Omit<DigestJobOptions, "now">;
}

/** One handler per kind of job. */
export function createJobHandlers(options: JobHandlerOptions): JobHandlers {
  const { approvals, outcomes, now, digest } = options;
  const approvalJob =
    (kind: ApprovalJobKind): JobHandler =>
    async (changeId, dueAt) => {
      await approvals.onJob(kind, changeId, dueAt);
      return {};
    };
  return {
    ...createExclusionJobs(options),
    "approval-reminder": approvalJob("approval-reminder"),
    "approval-expiry": approvalJob("approval-expiry"),
    "planned-change": approvalJob("planned-change"),
    "approved-change": approvalJob("approved-change"),
    "outcome-check": outcomes.onJob,
    "left-parts": outcomes.onLeftParts,
    digest: createDigestJob({ ...digest, now }),
    cleaning: createCleaning(options),
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
