import type { JobHandler, JobHandlers } from "../../src/jobs/job-worker.ts";

const notify: JobHandler = async (to) => ({
  outbox: [{ changeId: "chg-1", kind: "notify-requester", to, underChangeId: null }],
});

/** Handlers that notify the person named by the job's subject. */
export const notifySubject: { readonly handlers: JobHandlers } = {
  handlers: {
    "exclusion-warning": notify,
    "exclusion-end": notify,
    "approval-reminder": notify,
    "approval-expiry": notify,
    "planned-change": notify,
    "approved-change": notify,
    "outcome-check": notify,
    cleaning: notify,
    digest: notify,
  },
};
