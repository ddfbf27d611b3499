import { setTimeout as delay } from "node:timers/promises";

/** Whether the promise settles in that time. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = new AbortController();
  const tooLate = delay(ms, false, { signal: settled.signal }).catch(() => false);
  const isSettled = await Promise.race([promise.then(() => true), tooLate]);
  settled.abort();
  return isSettled;
}
