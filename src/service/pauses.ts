import type { Deadline } from "./patience.ts";

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits that can all be ended at once when the client closes. */
export interface Backoff {
  /** Whether the whole wait passed. */
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
      const letGo = deadline.until(Number.POSITIVE_INFINITY, () => controller.abort());
      open.add(controller);
      try {
        await sleep(ms, controller.signal);
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      } finally {
        open.delete(controller);
        letGo();
      }
      return !controller.signal.aborted;
    },
    stop: () => {
      isStopped = true;
      for (const controller of open) controller.abort();
    },
  };
}
