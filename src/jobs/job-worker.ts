import { type JobKind, jobKinds, jobLeaseMs, maxTries, type TakenJob } from "../changes/job.ts";
import type { CommitStore, JobEffects, JobStore } from "../changes/ports.ts";
import { every } from "../time/loop.ts";
import { backoffMs, createWorker, type WorkerOptions } from "./worker.ts";

/** Does a job. It may run late and twice, but its effects are stored once. `dueAt` in epoch ms. */
export type JobHandler = (subjectId: string, dueAt: number) => Promise<JobEffects>;
export type JobHandlers = Readonly<Record<JobKind, JobHandler>>;

export interface JobWorkerOptions extends WorkerOptions {
  readonly store: CommitStore & Pick<JobStore, "claimJobs" | "renewJob" | "finishJob" | "postponeJob">;
  readonly handlers: JobHandlers;
  /** Ends what a job was for, without doing it: no instance that tried it has finished it. */
  readonly giveUp: (kind: string, subjectId: string) => Promise<JobEffects>;
}

const maxBackoffMs = 10 * 60_000;
/** Renewals may fail for a while. */
const renewEveryMs = jobLeaseMs / 4;

/** Runs due jobs, earliest first. Retries a failed job with backoff, forever; a dead process's job is taken again once, after its lease. A job may take any time. */
export function createJobWorker(options: JobWorkerOptions) {
  const { store, handlers, giveUp, log, schedule } = options;
  /** Nobody else is given the job while this runs. */
  const renewing = async <T>(job: TakenJob, work: () => Promise<T>): Promise<T> => {
    const onError = (error: unknown) => log.warn({ err: error, jobId: job.id }, "the lease of a job was not renewed");
    const renewal = every(renewEveryMs, () => store.renewJob(job), onError, schedule);
    try {
      return await work();
    } finally {
      await renewal.stop();
    }
  };
  const run = async (job: TakenJob): Promise<void> => {
    const { kind, subjectId, attempts, tries } = job;
    const details = { kind, subjectId, attempts };
    try {
      const isGivenUp = tries > maxTries;
      if (isGivenUp) log.error(details, "a job was given up, since no instance that tried it finished it");
      const effects = await renewing(job, () =>
        isGivenUp ? giveUp(kind, subjectId) : handlerOf(handlers, kind)(subjectId, job.dueAt),
      );
      if (await store.finishJob(job, effects)) log.info({ ...details, outbox: effects.outbox?.length ?? 0 }, "job");
      else log.warn(details, "the lease of a job ended while it ran, and it was given to another worker");
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
