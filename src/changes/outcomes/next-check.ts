import type { Change } from "../change.ts";

const firstCheckMs = 60_000;
const lastCheckMs = 24 * 60 * 60_000;

/** When Curfew first looks for the outcome of a change. */
export const firstCheckAt = (settledAt: number): number => settledAt + firstCheckMs;

/** When it looks again, four times as late each time; undefined after a day. */
export function nextCheckAt({ settledAt, requestedAt }: Change, checkedAt: number): number | undefined {
  const since = settledAt ?? requestedAt;
  const next = since + 4 * Math.max(firstCheckMs, checkedAt - since);
  return next - since > lastCheckMs ? undefined : next;
}
