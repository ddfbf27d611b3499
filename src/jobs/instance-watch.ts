import { type RecoverPorts, recover } from "../changes/perform/record-outcome.ts";
import type { InstanceStore } from "../changes/ports.ts";
import { every, type Repeated } from "../time/loop.ts";

/** Sends this instance's heartbeat, and settles the changes and requests that dead instances left. */

export interface InstanceWatchPorts extends RecoverPorts {
  readonly instances: InstanceStore;
  /** Settles the requests that dead instances had received and not begun. */
  readonly resume: () => Promise<void>;
  /** Takes over what was imported. */
  readonly refresh: () => Promise<void>;
}

/** A third of the time after which an instance counts as gone. */
const intervalMs = 10_000;

export function createInstanceWatch(ports: InstanceWatchPorts, everyMs = intervalMs) {
  const { instances, resume, refresh, log } = ports;
  let isResuming = true;
  const recoverOnce = async (): Promise<void> => {
    await recover(ports);
    // Not awaited: requests of people may take long.
    if (isResuming)
      void resume().catch((error: unknown) => log.warn({ err: error }, "could not resume requests; trying again"));
  };
  const orTryAgain = (what: string) => (error: unknown) => log.warn({ err: error }, `could not ${what}; trying again`);
  const loops: Repeated[] = [];
  const stopLoops = async () => {
    for (const loop of loops.toReversed()) await loop.stop();
  };
  return {
    /** Sends a heartbeat and recovers once before new work is accepted; then repeatedly. */
    start: async () => {
      await instances.beat();
      // A separate loop: a slow recovery must not make this instance look dead.
      loops.push(every(everyMs, instances.beat, orTryAgain("send this instance's heartbeat")));
      try {
        await recoverOnce();
      } catch (error) {
        await stopLoops();
        throw error;
      }
      loops.push(every(everyMs, recoverOnce, orTryAgain("recover changes of other instances")));
      loops.push(every(everyMs, refresh, orTryAgain("read the imported machines")));
    },
    /** From now on no request of another instance is taken. */
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
