import type { Patience } from "./patience.ts";

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits that can all be ended at once when the client closes. */
export interface Pauses {
  /** Whether the whole wait passed. */
  pause(ms: number, patience: Patience): Promise<boolean>;
  stop(): void;
}

export function createPauses(sleep: Sleep): Pauses {
  const open = new Set<AbortController>();
  let isStopped = false;
  return {
    pause: async (ms, patience) => {
      if (isStopped || patience.isCancelled) return false;
      const controller = new AbortController();
      const letGo = patience.until(Number.POSITIVE_INFINITY, () => controller.abort());
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
