import { type RecoverPorts, recover } from "../changes/perform/record-outcome.ts";
import type { InstanceStore } from "../changes/ports.ts";

/** Sends this instance's heartbeat, and settles the changes and requests that dead instances left. */
export interface InstanceWatch {
  /** Sends a heartbeat and recovers once before new work is accepted; then repeatedly. */
  start(): Promise<void>;
  /** From now on no request of another instance is taken. */
  stopResuming(): void;
  stop(): Promise<void>;
}

export interface InstanceWatchPorts extends RecoverPorts {
  readonly instances: InstanceStore;
  /** Settles the requests that dead instances had received and not begun. */
  readonly resume: () => Promise<void>;
  readonly wake: () => void;
}

/** A third of the time after which an instance counts as gone. */
const intervalMs = 10_000;

export function createInstanceWatch(ports: InstanceWatchPorts, everyMs = intervalMs): InstanceWatch {
  const { instances, resume, wake, log } = ports;
  let isResuming = true;
  const recoverOnce = async (): Promise<void> => {
    if ((await recover(ports)).length > 0) wake();
    // Not awaited: requests of people may take long.
    if (isResuming)
      void resume().catch((error: unknown) => log.warn({ err: error }, "could not resume requests; trying again"));
  };
  // A separate loop: a slow recovery must not make this instance look dead.
  const heartbeats = createLoop(instances.beat, everyMs, (error) =>
    log.warn({ err: error }, "could not send this instance's heartbeat; trying again"),
  );
  const recoveries = createLoop(recoverOnce, everyMs, (error) =>
    log.warn({ err: error }, "could not recover changes of other instances; trying again"),
  );
  const stopLoops = async () => {
    await recoveries.stop();
    await heartbeats.stop();
  };
  return {
    start: async () => {
      await instances.beat();
      heartbeats.next();
      try {
        await recoverOnce();
      } catch (error) {
        await stopLoops();
        throw error;
      }
      recoveries.next();
    },
    stopResuming: () => {
      isResuming = false;
    },
    stop: async () => {
      await stopLoops();
      await instances
        .leave()
        .catch((error: unknown) =>
          log.warn({ err: error }, "could not deregister this instance; others notice within 30 s"),
        );
    },
  };
}

/** Repeats the work, `everyMs` after the last run has ended. */
function createLoop(work: () => Promise<void>, everyMs: number, onError: (error: unknown) => void) {
  let round = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const next = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = work().catch(onError).finally(next);
    }, everyMs);
    timer.unref();
  };
  return {
    next,
    stop: async (): Promise<void> => {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
