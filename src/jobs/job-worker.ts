import { type JobKind, jobKinds, maxTries, type TakenJob } from "../changes/job.ts";
import type { CommitStore, JobEffects, JobStore } from "../changes/ports.ts";
import { backoffMs, createWorker, type WorkerOptions } from "./worker.ts";

/** Does a job. It may run late and twice, but its effects are stored once. `dueAt` in epoch ms. */
export type JobHandler = (subjectId: string, dueAt: number) => Promise<JobEffects>;
export type JobHandlers = Readonly<Record<JobKind, JobHandler>>;

export interface JobWorkerOptions extends WorkerOptions {
  readonly store: CommitStore & Pick<JobStore, "claimJobs" | "finishJob" | "postponeJob">;
  readonly handlers: JobHandlers;
  /** Ends what a job was for, without doing it: the process ended each time it was tried. */
  readonly giveUp: (kind: string, subjectId: string) => Promise<JobEffects>;
}

const maxBackoffMs = 10 * 60_000;

/** Runs due jobs, earliest first. Retries a failed job with backoff, forever; a dead process's job is taken again once, after its lease. */
export function createJobWorker(options: JobWorkerOptions) {
  const { store, handlers, giveUp, log } = options;
  const run = async (job: TakenJob): Promise<void> => {
    const { kind, subjectId, attempts, tries } = job;
    const details = { kind, subjectId, attempts };
    try {
      const isGivenUp = tries > maxTries;
      if (isGivenUp) log.error(details, "a job was given up, since the process ended each time it was tried");
      const effects = await (isGivenUp ? giveUp(kind, subjectId) : handlerOf(handlers, kind)(subjectId, job.dueAt));
      if (await store.finishJob(job, effects)) log.info({ ...details, outbox: effects.outbox?.length ?? 0 }, "job");
      else log.warn(details, "a job took longer than its lease and was given to another worker");
    } catch (error) {
      log.error({ err: error, ...details }, "a job failed and will be retried");
      await store.postponeJob(job, backoffMs(attempts, maxBackoffMs));
    }
  };
  return createWorker<TakenJob>({ name: "jobs", store, claim: store.claimJobs, run }, options);
}

function handlerOf(handlers: JobHandlers, kind: string): JobHandler {
  const jobKind = jobKinds.find((each) => each === kind);
  if (!jobKind) throw new Error(`this version has no handler for jobs of kind ${kind}`);
  return handlers[jobKind];
}
