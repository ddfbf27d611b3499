import type { Logger } from "../observability/log.ts";

const firstPauseMs = 250;
const maxPauseMs = 60_000;

/** Writes that the database did not take. Each is tried again until it does, or Curfew stops. */
export function createLateWrites(log: Logger) {
  const waiting = new Map<string, () => Promise<void>>();
  let round: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const writeAll = async () => {
    for (const [key, write] of waiting) {
      try {
        await write();
        if (waiting.get(key) === write) waiting.delete(key);
      } catch (error) {
        log.warn({ err: error }, "the database still does not take what is to be recorded");
      }
    }
  };
  const flush = (): Promise<void> => {
    round ??= writeAll().finally(() => {
      round = undefined;
    });
    return round;
  };
  const tryAfter = (pauseMs: number) => {
    timer = setTimeout(async () => {
      await flush();
      timer = undefined;
      if (waiting.size > 0 && !isStopped) tryAfter(Math.min(2 * pauseMs, maxPauseMs));
    }, pauseMs);
    timer.unref();
  };
  return {
    /** A later write with the same key takes the place of an earlier one. */
    add: (key: string, write: () => Promise<void>): void => {
      waiting.set(key, write);
      if (timer === undefined && !isStopped) tryAfter(firstPauseMs);
    },
    /** Tries all once, now. Never throws. */
    flush,
    /** Tries all a last time. */
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await flush();
    },
  };
}
