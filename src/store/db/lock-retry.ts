import { lockPauseMs, lockWaitMs } from "./lock-wait.ts";
import type { StallMeter } from "./stall-meter.ts";

/** Tries again for as long as another program holds the lock, and counts that as a stall. */
export class LockRetry {
  readonly #stalls: StallMeter;
  #lock: { tries: number; readonly since: number; readonly released: () => void } | undefined;

  constructor(stalls: StallMeter) {
    this.#stalls = stalls;
  }

  later(retry: () => void): void {
    this.#lock ??= { tries: 0, since: performance.now(), released: this.#stalls.wait() };
    setTimeout(retry, lockPauseMs(this.#lock.tries));
    this.#lock.tries += 1;
  }

  get isOverdue(): boolean {
    return this.#lock !== undefined && performance.now() - this.#lock.since > lockWaitMs;
  }

  /** There is no lock in the way, or it is waited for no longer. */
  end(): void {
    this.#lock?.released();
    this.#lock = undefined;
  }
}
