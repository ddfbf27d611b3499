import type { Patience } from "./patience.ts";

/** Lets at most so many do something at once; the others wait for their turn in the order they came. */
export class Turnstile {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves when it is this one's turn, and is nothing at all when it is at once; `leave` ends it. Throws the reason when the patience ends before. */
  enter(patience: Patience): Promise<void> | undefined {
    patience.throwIfCancelled();
    if (this.#free === 0) return this.#turn(patience);
    this.#free -= 1;
    return undefined;
  }

  /** Whoever waits longest takes the place; nobody who comes meanwhile gets in between. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }

  #turn(patience: Patience): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        stop();
        resolve();
      };
      const stop = patience.until(Number.POSITIVE_INFINITY, (reason) => {
        this.#waiting.delete(go);
        stop();
        reject(reason);
      });
      this.#waiting.add(go);
    });
  }
}
