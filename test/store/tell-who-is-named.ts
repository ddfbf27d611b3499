import type { JobHandler, JobHandlers } from "../../src/jobs/job-worker.ts";

const tell: JobHandler = async (to) => ({
  outbox: [{ changeId: "chg-1", kind: "notify-requester", to, underChangeId: null }],
});

/** Jobs of which each tells the one whose name it bears. */
export const tellWhoIsNamed: { readonly handlers: JobHandlers } = {
  handlers: {
    "exclusion-warning": tell,
    "exclusion-end": tell,
    "approval-reminder": tell,
    "approval-expiry": tell,
    "approved-change": tell,
    cleaning: tell,
  },
};
