/**
 * How many ms of the processor something takes in this process, at best. Unlike the time that passes, this hardly depends on what else
 * the machine does; still, compare it with that of another piece of work rather than with a number.
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

/** So many times as much work may take so much longer: what grows with the square of its input takes far more. */
export function growth(smallMs: number, largeMs: number): number {
  return largeMs / Math.max(smallMs, leastMs);
}

/** Less cannot be told from noise. */
export const leastMs = 3;
