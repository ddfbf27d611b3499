import type { MachineStore } from "./ports.ts";
import { type RecoverPorts, recover } from "./recover.ts";

/** Shows others that this machine is alive, and settles what those that are not left under way. */
export interface Watch {
  /** Shows itself and looks once, before anything new is taken on; then again and again. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface WatchPorts extends RecoverPorts {
  readonly machines: MachineStore;
  readonly kick: () => void;
}

/** A third of what makes a machine count as gone. */
const lookEveryMs = 10_000;

export function createWatch(ports: WatchPorts, everyMs = lookEveryMs): Watch {
  const { machines, kick, log } = ports;
  let round = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const look = async (): Promise<void> => {
    await machines.beat();
    if ((await recover(ports)).length > 0) kick();
  };
  const lookLater = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = look()
        .catch((error: unknown) => log.warn({ err: error }, "this machine could not show itself, or see to others"))
        .finally(lookLater);
    }, everyMs);
    timer.unref();
  };
  return {
    start: async () => {
      await look();
      lookLater();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await round;
      await machines
        .leave()
        .catch((error: unknown) =>
          log.warn({ err: error }, "this machine could not take its leave; others notice soon"),
        );
    },
  };
}
