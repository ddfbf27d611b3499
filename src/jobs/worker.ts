import { type Claimed, type JobKind, jobKinds, jobLeaseMs, maxTries, type TakenJob } from "../changes/job.ts";
import type { CommitStore, JobEffects, JobStore } from "../changes/ports.ts";
import type { Logger } from "../observability/log.ts";
import { createLoop, every, type Schedule } from "../time/loop.ts";

/** A kind of work in a queue. The database decides who does what, so any number of instances can run a worker for it. */
export interface Work<T> {
  readonly name: "messages" | "jobs";
  readonly store: CommitStore;
  /** Claims up to `limit` that are due, but none of those that are `running` here. An item that an instance was lost over is claimed alone. */
  readonly claim: (limit: number, running: readonly number[]) => Promise<Claimed<T>>;
  /** Does it, and records how it ended or when to try again. If this throws, it is claimed again after its lease. */
  readonly run: (item: T) => Promise<void>;
}

export interface WorkerOptions {
  readonly now: () => number;
  readonly log: Logger;
  /** How often to look for work that other instances queued or left; they cannot wake this one. */
  readonly pollMs?: number | undefined;
  readonly schedule?: Schedule | undefined;
}

export type Worker = ReturnType<typeof createWorker>;

/** Work that waits for Slack or the service must not block the rest. */
const maxConcurrency = 4;
/** A clock that was set delays nothing for longer. */
const maxSleepMs = 60_000;
const minSleepMs = 50;
const never = Number.POSITIVE_INFINITY;
const errorPauseMs = 5000;
/** What is queued at about the same time shares one look. */
const gatherMs = 10;

/** Does work when it is due, a few pieces in parallel. If an instance was lost over one, that one runs alone: nothing else is lost with it again. */
export function createWorker<T extends { readonly id: number; readonly tries: number }>(
  { name, store, claim, run }: Work<T>,
  { now, log, pollMs = never, schedule }: WorkerOptions,
) {
  const running = new Map<number, Promise<void>>();
  /** When some is due, by what this instance knows. */
  let dueAt = 0;
  const onError = (error: unknown): void => {
    dueAt = 0;
    log.error({ err: error }, `could not work on the queued ${name}; trying again`);
  };
  const begin = async (item: T): Promise<void> => {
    const ended = run(item)
      .catch(onError)
      .finally(() => {
        running.delete(item.id);
        loop.wake();
      });
    running.set(item.id, ended);
    if (item.tries > 1) await ended;
  };
  const sleepMs = (leastMs: number): number => {
    const ms = Math.min(dueAt - now(), pollMs);
    return ms === never ? never : Math.min(Math.max(ms, leastMs), maxSleepMs);
  };
  const round = async (): Promise<number> => {
    const room = maxConcurrency - running.size;
    // The end of a piece wakes it.
    if (room === 0) return never;
    dueAt = never;
    const { taken, nextAt } = await claim(room, [...running.keys()]);
    dueAt = Math.min(dueAt, nextAt);
    for (const item of taken) await begin(item);
    return sleepMs(minSleepMs);
  };
  const loop = createLoop(round, { onError, retryMs: errorPauseMs, schedule });
  store.onCommitted((what, at) => {
    if (what === name) dueAt = Math.min(dueAt, at);
    loop.wakeIn(sleepMs(gatherMs));
  });
  return {
    /** Does what is due now. */
    wake: () => {
      if (dueAt <= now() || pollMs < never) loop.wake();
    },
    /** Resolves when nothing that is due now is being done. */
    idle: async () => {
      do {
        await loop.idle();
        await Promise.all(running.values());
      } while (running.size > 0 || loop.isRunning());
    },
    /** Claims nothing more, and waits for what is under way. The rest stays queued. */
    stop: async () => {
      await loop.stop();
      await Promise.all(running.values());
    },
  };
}

/** Twice as long after each attempt. */
export const backoffMs = (attempts: number, maxMs: number): number =>
  Math.min(maxMs, 1000 * 2 ** Math.min(attempts, 10));

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
