import type { Claimed } from "../changes/job.ts";
import type { CommitStore } from "../changes/ports.ts";
import type { Logger } from "../observability/log.ts";
import { createLoop, type Schedule } from "../time/loop.ts";

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
