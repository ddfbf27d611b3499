import type { ApprovalJobKind, Approvals } from "../changes/approvals/decide-approval.ts";
import type { UnknownOutcomes } from "../changes/outcomes/unknown-outcomes.ts";
import type { OutboxStore } from "../changes/ports.ts";
import { createCleaning } from "./cleaning.ts";
import { createExclusionJobs, type ExclusionJobOptions } from "./exclusion-jobs.ts";
import type { JobHandler, JobHandlers } from "./job-worker.ts";

export interface JobHandlerOptions extends ExclusionJobOptions {
  readonly store: ExclusionJobOptions["store"] & Pick<OutboxStore, "cleanOutbox">;
  readonly approvals: Pick<Approvals, "onJob">;
  readonly outcomes: Pick<UnknownOutcomes, "onJob">;
  readonly now: () => number;
}

/** One handler per kind of job. */
export function createJobHandlers({ store, approvals, outcomes, refreshHomes, now }: JobHandlerOptions): JobHandlers {
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
    "approved-change": approvalJob("approved-change"),
    "outcome-check": outcomes.onJob,
    cleaning: createCleaning(store.cleanOutbox, now),
  };
}
