import { type JobKind, jobKinds, maxTries, type TakenJob } from "../changes/job.ts";
import type { JobEffects, JobStore } from "../changes/ports.ts";
import type { Logger } from "../observability/log.ts";
import { createTimer } from "../time/timer.ts";

/** Does a job. It may run late and twice, but its effects are stored once. `dueAt` in epoch ms. */
export type JobHandler = (subjectId: string, dueAt: number) => Promise<JobEffects>;
export type JobHandlers = Readonly<Record<JobKind, JobHandler>>;

export interface JobWorkerOptions {
  readonly store: Pick<JobStore, "takeJob" | "finishJob" | "postponeJob" | "nextJobAt">;
  readonly handlers: JobHandlers;
  /** Ends what a job was for, without doing it: the process ended each time it was tried. */
  readonly giveUp: (kind: string, subjectId: string) => Promise<JobEffects>;
  readonly now: () => number;
  readonly log: Logger;
  /** Called when a job has queued messages. */
  readonly wakeOutbox: () => void;
}

/** A job that waits for the service must not block the others. */
const maxConcurrency = 4;
const maxBackoffMs = 10 * 60_000;
const errorPauseMs = 5000;

/** Runs due jobs, earliest first, a few in parallel. Retries a failed job with backoff, forever; a dead process's job is taken again once, after its lease. */
export function createJobWorker(options: JobWorkerOptions) {
  const { store, now, log } = options;
  const running = new Set<Promise<void>>();
  let round: Promise<void> | undefined;
  let isRequested = false;
  let isStopped = false;
  const timer = createTimer({ now, wake: () => wake() });

  const takeDue = async () => {
    while (!isStopped) {
      if (running.size >= maxConcurrency) {
        await Promise.race(running);
        continue;
      }
      const job = await store.takeJob();
      if (!job) return;
      // If it ends the process again, nothing else is lost with it.
      const isAlone = job.tries > 1;
      if (isAlone) await Promise.all(running);
      const run = perform(options, job).finally(() => {
        running.delete(run);
        wake();
      });
      running.add(run);
      if (isAlone) await run;
    }
  };
  const rounds = async () => {
    while (isRequested && !isStopped) {
      isRequested = false;
      await takeDue();
    }
    const at = isStopped ? undefined : await store.nextJobAt();
    if (at !== undefined) timer.wakeAt(at);
  };
  const wake = () => {
    isRequested = true;
    if (isStopped || round !== undefined) return;
    round = rounds()
      .catch((error: unknown) => {
        log.error({ err: error }, "could not take due jobs; trying again");
        isRequested = false;
        timer.wakeAt(now() + errorPauseMs);
      })
      .finally(() => {
        round = undefined;
        if (isRequested) wake();
      });
  };
  return {
    /** Takes due jobs, now or after the present round. */
    wake,
    /** Resolves when no job is running. */
    idle: async () => {
      while (round !== undefined || running.size > 0) await Promise.all([round, ...running]);
    },
    /** Takes no more jobs and waits for running ones. */
    stop: async () => {
      isStopped = true;
      timer.stop();
      await round;
      await Promise.all(running);
    },
  };
}

/** Never throws. */
async function perform({ store, handlers, giveUp, log, wakeOutbox }: JobWorkerOptions, job: TakenJob): Promise<void> {
  const { kind, subjectId, attempts, tries } = job;
  const details = { kind, subjectId, attempts };
  try {
    const isGivenUp = tries > maxTries;
    if (isGivenUp) log.error(details, "a job was given up, since the process ended each time it was tried");
    const effects = await (isGivenUp ? giveUp(kind, subjectId) : handlerOf(handlers, kind)(subjectId, job.dueAt));
    if (!(await store.finishJob(job, effects))) {
      log.warn(details, "a job took longer than its lease and was given to another worker");
      return;
    }
    log.info({ ...details, outbox: effects.outbox?.length ?? 0 }, "job");
    if (effects.outbox?.length) wakeOutbox();
  } catch (error) {
    log.error({ err: error, ...details }, "a job failed and will be retried");
    await store.postponeJob(job, Math.min(maxBackoffMs, 1000 * 2 ** Math.min(attempts, 10))).catch((err: unknown) => {
      log.error({ err, ...details }, "could not postpone a failed job; it is retried after its lease");
    });
  }
}

function handlerOf(handlers: JobHandlers, kind: string): JobHandler {
  const jobKind = jobKinds.find((each) => each === kind);
  if (!jobKind) throw new Error(`this version has no handler for jobs of kind ${kind}`);
  return handlers[jobKind];
}
