import type { Logger } from "../observability/log.ts";
import { createLoop } from "../time/loop.ts";

const firstPauseMs = 250;
const maxPauseMs = 60_000;

/** Writes that the database did not take. Each is tried again until it does, or Curfew stops. */
export function createLateWrites(log: Logger) {
  const waiting = new Map<string, () => Promise<void>>();
  let pauseMs = firstPauseMs;
  const onError = (error: unknown) =>
    log.warn({ err: error }, "the database still does not take what is to be recorded");
  const writeAll = async (): Promise<number> => {
    for (const [key, write] of waiting) {
      try {
        await write();
        if (waiting.get(key) === write) waiting.delete(key);
      } catch (error) {
        onError(error);
      }
    }
    pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    return waiting.size > 0 ? pauseMs : Number.POSITIVE_INFINITY;
  };
  const loop = createLoop(writeAll, { onError, retryMs: maxPauseMs });
  return {
    /** A later write with the same key takes the place of an earlier one. */
    add: (key: string, write: () => Promise<void>): void => {
      if (waiting.size === 0) pauseMs = firstPauseMs;
      waiting.set(key, write);
      loop.wakeIn(pauseMs);
    },
    /** Tries all once, now. Never throws. */
    flush: async (): Promise<void> => {
      if (waiting.size > 0 && !loop.isRunning()) loop.wake();
      await loop.idle();
    },
    /** Tries all a last time. */
    stop: async (): Promise<void> => {
      await loop.stop();
      await writeAll();
    },
  };
}
