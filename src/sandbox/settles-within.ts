import { setTimeout as delay } from "node:timers/promises";

/** Rejects when the promise rejects in time. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = new AbortController();
  const timeout = delay(ms, false, { signal: settled.signal }).catch(() => false);
  const isSettled = await Promise.race([promise.then(() => true), timeout]);
  settled.abort();
  return isSettled;
}
