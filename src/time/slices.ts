/** Long work that stops at each `yield`, where other work may run. */
export type Sliced<T> = Generator<undefined, T>;

const sliceMs = 4;

// The process has one event loop, so it has one of these, by the real clock.
let turnBeganAt: number | undefined;
const waiting: (() => void)[] = [];

/**
 * Undefined, or a promise to wait for where this turn of the event loop has already taken long: other work runs first. In each turn one of
 * those that wait goes on.
 */
export function giveWay(): Promise<void> | undefined {
  turnBeganAt ??= beginTurn();
  return performance.now() - turnBeganAt < sliceMs ? undefined : new Promise((resolve) => waiting.push(resolve));
}

function beginTurn(): number {
  setImmediate(() => {
    const next = waiting.shift();
    turnBeganAt = next && beginTurn();
    next?.();
  });
  return performance.now();
}

/** Lets the event loop run every few milliseconds. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    await giveWay();
  }
}
