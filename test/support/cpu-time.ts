/**
 * The least CPU time in ms that something takes in this process. It hardly depends on other work on the machine, unlike elapsed time. Still,
 * compare it with another measurement, not with a number.
 */
export async function cpuMsOf(work: () => unknown, tries = 3): Promise<number> {
  const taken: number[] = [];
  for (let count = 0; count < tries; count++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    taken.push((user + system) / 1000);
  }
  return Math.min(...taken);
}

/** How many times longer the larger work takes. Quadratic growth far exceeds the ratio of the work. */
export function growth(smallMs: number, largeMs: number): number {
  return largeMs / Math.max(smallMs, leastMs);
}

/** Shorter times are noise. */
export const leastMs = 3;
