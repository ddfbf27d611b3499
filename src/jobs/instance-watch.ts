import type { InstanceStore } from "../changes/ports.ts";
import { type RecoverPorts, recover } from "../changes/recover.ts";

/** Shows others that this instance is alive, and settles what those that are not left under way. */
export interface InstanceWatch {
  /** Shows itself and looks once, before anything new is taken on; then again and again. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface InstanceWatchPorts extends RecoverPorts {
  readonly instances: InstanceStore;
  readonly wake: () => void;
}

/** A third of what makes a instance count as gone. */
const lookEveryMs = 10_000;

export function createInstanceWatch(ports: InstanceWatchPorts, everyMs = lookEveryMs): InstanceWatch {
  const { instances, wake, log } = ports;
  const look = async (): Promise<void> => {
    if ((await recover(ports)).length > 0) wake();
  };
  // Apart, so that a instance that is long at settling what others left does not itself seem to be gone.
  const beats = createRounds(instances.beat, everyMs, (error) =>
    log.warn({ err: error }, "this instance could not show itself"),
  );
  const looks = createRounds(look, everyMs, (error) =>
    log.warn({ err: error }, "this instance could not see to others"),
  );
  const stopRounds = async () => {
    await looks.stop();
    await beats.stop();
  };
  return {
    start: async () => {
      await instances.beat();
      beats.goOn();
      try {
        await look();
      } catch (error) {
        await stopRounds();
        throw error;
      }
      looks.goOn();
    },
    stop: async () => {
      await stopRounds();
      await instances
        .leave()
        .catch((error: unknown) =>
          log.warn({ err: error }, "this instance could not take its leave; others notice soon"),
        );
    },
  };
}

/** Does the work again and again, each time so long after the last was over. */
function createRounds(work: () => Promise<void>, everyMs: number, onTrouble: (error: unknown) => void) {
  let round = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const goOn = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = work().catch(onTrouble).finally(goOn);
    }, everyMs);
    timer.unref();
  };
  return {
    goOn,
    stop: async (): Promise<void> => {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
