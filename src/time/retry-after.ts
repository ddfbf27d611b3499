/** The longest wait that Curfew accepts from another server. After this it retries, even if a longer wait was requested. */
export const maxRetryAfterMs = 15 * 60_000;

/** Limits a requested wait to between 0 and the longest accepted. NaN means no wait. */
export function boundedWaitMs(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), maxRetryAfterMs);
}

/** Reads a `Retry-After` header, in seconds or as an HTTP date (RFC 9110 §10.2.3). Returns undefined for anything else. */
export function readRetryAfter(value: unknown, nowMs: number): number | undefined {
  const text = String([value].flat()[0] ?? "").trim();
  if (/^\d+(\.\d+)?$/.test(text)) return boundedWaitMs(Number(text) * 1000);
  // `Date.parse` also reads "-5" and "soon, 3" as dates.
  const atMs = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : boundedWaitMs(atMs - nowMs);
}

/** The current form and the two obsolete ones that a recipient must still accept. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;
