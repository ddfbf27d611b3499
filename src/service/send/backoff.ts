import type { Deadline } from "./deadline.ts";

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Pauses before retries. Closing the client ends all of them. */
export interface Backoff {
  /** True if the whole pause passed. */
  pause(ms: number, deadline: Deadline): Promise<boolean>;
  stop(): void;
}

export function createBackoff(sleep: Sleep): Backoff {
  const open = new Set<AbortController>();
  let isStopped = false;
  return {
    pause: async (ms, deadline) => {
      if (isStopped || deadline.isCancelled) return false;
      const controller = new AbortController();
      const stopWaiting = deadline.until(Number.POSITIVE_INFINITY, () => controller.abort());
      open.add(controller);
      try {
        await sleep(ms, controller.signal);
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      } finally {
        open.delete(controller);
        stopWaiting();
      }
      return !controller.signal.aborted;
    },
    stop: () => {
      isStopped = true;
      for (const controller of open) controller.abort();
    },
  };
}
