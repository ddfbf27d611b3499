import type { JobHandler, JobHandlers } from "../../src/jobs/worker.ts";

/** The same for jobs of every kind. */
export const handleEach = (handle: JobHandler): JobHandlers => ({
  "exclusion-warning": handle,
  "exclusion-end": handle,
  "approval-reminder": handle,
  "approval-expiry": handle,
  "planned-change": handle,
  "approved-change": handle,
  "outcome-check": handle,
  "left-parts": handle,
  cleaning: handle,
  digest: handle,
});

/** Handlers that notify the person named by the job's subject. */
export const notifySubject = {
  handlers: handleEach(async (to) => ({
    outbox: [{ changeId: "chg-1", kind: "notify-requester", to, underChangeId: null }],
  })),
};
