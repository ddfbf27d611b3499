import { setImmediate } from "node:timers/promises";

/** Long work that stops at each `yield`, where other work may run. */
export type Sliced<T> = Generator<undefined, T>;

const sliceMs = 8;

/** Lets the event loop run this many times, so that pieces of work that could begin together do so one after the other. */
export async function afterTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}

/** Lets the event loop run every few milliseconds. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const until = performance.now() + sliceMs;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await setImmediate();
  }
}
