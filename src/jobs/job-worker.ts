import { type JobEffects, type JobKind, type JobStore, jobKinds, type TakenJob } from "../changes/ports.ts";
import type { Logger } from "../observability/log.ts";

/** Does a job; what it gives comes of it once. It may be called twice for one job, and late. `dueAt` in epoch ms. */
export type JobHandler = (subjectId: string, dueAt: number) => Promise<JobEffects>;
export type JobHandlers = Readonly<Record<JobKind, JobHandler>>;

export interface JobWorker {
  /** Does what is due, now or as soon as the present round is over. */
  wake(): void;
  /** Resolves when nothing is being done. */
  idle(): Promise<void>;
  /** Takes no further job and waits for those being done. */
  stop(): Promise<void>;
}

export interface JobWorkerOptions {
  readonly store: Pick<JobStore, "takeJob" | "finishJob" | "postponeJob" | "nextJobAt">;
  readonly handlers: JobHandlers;
  readonly now: () => number;
  readonly log: Logger;
  /** Called when there is something to deliver. */
  readonly wakeOutbox: () => void;
}

/** A job that waits for the service must not hold up the others. */
const mostAtOnce = 4;
const longestSleepMs = 60_000;
const longestPauseMs = 10 * 60_000;
const pauseAfterTroubleMs = 5000;

/**
 * Does jobs when they are due, those due first before others, a few at a time. One that fails is tried again after growing pauses,
 * for as long as it takes; one whose process died is taken again when its time is over.
 */
export function createJobWorker(options: JobWorkerOptions): JobWorker {
  const { store, now, log } = options;
  const running = new Set<Promise<void>>();
  let round: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const takeDue = async () => {
    while (!isStopped) {
      if (running.size >= mostAtOnce) {
        await Promise.race(running);
        continue;
      }
      const job = await store.takeJob();
      if (!job) return;
      const run = perform(options, job).finally(() => {
        running.delete(run);
        wake();
      });
      running.add(run);
    }
  };
  const rounds = async () => {
    while (isWanted && !isStopped) {
      isWanted = false;
      await takeDue();
    }
    const at = isStopped ? undefined : await store.nextJobAt();
    if (at !== undefined) wakeAfter(at - now());
  };
  const wakeAfter = (ms: number) => {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(wake, Math.min(Math.max(ms, 50), longestSleepMs));
    timer.unref();
  };
  const wake = () => {
    isWanted = true;
    if (isStopped || round !== undefined) return;
    round = rounds()
      .catch((error: unknown) => {
        log.error({ err: error }, "what is to be done later could not be looked at");
        isWanted = false;
        wakeAfter(pauseAfterTroubleMs);
      })
      .finally(() => {
        round = undefined;
        if (isWanted) wake();
      });
  };
  return {
    wake,
    idle: async () => {
      while (round !== undefined || running.size > 0) await Promise.all([round, ...running]);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await round;
      await Promise.all(running);
    },
  };
}

/** Never throws. */
async function perform({ store, handlers, log, wakeOutbox }: JobWorkerOptions, job: TakenJob): Promise<void> {
  const { kind, subjectId, attempts } = job;
  const about = { kind, subjectId, attempts };
  try {
    const effects = await handlerOf(handlers, kind)(subjectId, job.dueAt);
    if (!(await store.finishJob(job, effects))) {
      log.warn(about, "a job took so long that it was given to another");
      return;
    }
    log.info({ ...about, outbox: effects.outbox?.length ?? 0 }, "job");
    if (effects.outbox?.length) wakeOutbox();
  } catch (error) {
    log.error({ err: error, ...about }, "a job failed and will be tried again");
    await store.postponeJob(job, Math.min(longestPauseMs, 1000 * 2 ** Math.min(attempts, 10))).catch((err: unknown) => {
      log.error(
        { err, ...about },
        "a job that failed could not be put off, so it is tried again when its time is over",
      );
    });
  }
}

function handlerOf(handlers: JobHandlers, kind: string): JobHandler {
  const known = jobKinds.find((each) => each === kind);
  if (!known) throw new Error(`this version knows no job of the kind ${kind}`);
  return handlers[known];
}
