import type { Patience } from "./patience.ts";

/** Lets at most so many do something at once; the others wait for their turn in the order they came. */
export class Turnstile {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Throws the reason when the patience ends before it is this one's turn; then the work is not begun. */
  async pass<T>(patience: Patience, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(patience);
    try {
      return await work();
    } finally {
      this.#leave();
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

  /** Whoever waits longest takes the place; nobody who comes meanwhile gets in between. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
