import type { ApprovalJobKind, Approvals } from "../changes/approvals/decide-approval.ts";
import type { OutboxStore } from "../changes/ports.ts";
import { createCleaning } from "./cleaning.ts";
import { createExclusionJobs, type ExclusionJobOptions } from "./exclusion-jobs.ts";
import type { JobHandler, JobHandlers } from "./job-worker.ts";

export interface JobHandlerOptions extends ExclusionJobOptions {
  readonly store: ExclusionJobOptions["store"] & Pick<OutboxStore, "cleanOutbox">;
  readonly approvals: Pick<Approvals, "onJob">;
  readonly now: () => number;
}

/** One handler per kind of job. */
export function createJobHandlers({ store, approvals, refreshHomes, now }: JobHandlerOptions): JobHandlers {
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
    cleaning: createCleaning(store.cleanOutbox, now),
  };
}
