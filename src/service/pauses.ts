export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits that can all be ended at once when the client closes. */
export interface Pauses {
  /** Whether the whole wait passed. */
  pause(ms: number, signal: AbortSignal): Promise<boolean>;
  stop(): void;
}

export function createPauses(sleep: Sleep): Pauses {
  const open = new Set<AbortController>();
  let isStopped = false;
  return {
    pause: async (ms, signal) => {
      if (isStopped || signal.aborted) return false;
      const controller = new AbortController();
      const abort = () => controller.abort();
      open.add(controller);
      signal.addEventListener("abort", abort, { once: true });
      try {
        await sleep(ms, controller.signal);
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      } finally {
        open.delete(controller);
        signal.removeEventListener("abort", abort);
      }
      return !controller.signal.aborted;
    },
    stop: () => {
      isStopped = true;
      for (const controller of open) controller.abort();
    },
  };
}
