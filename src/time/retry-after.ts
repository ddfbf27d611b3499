/** The longest wait that Curfew takes from somebody else. Whatever was named, after this it tries again. */
export const longestNamedWaitMs = 15 * 60_000;

/** A wait that somebody else named, from 0 to the longest taken. What is not a number is no wait. */
export function boundedWaitMs(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), longestNamedWaitMs);
}

/** The wait that a `Retry-After` header names, in seconds or as an HTTP date (RFC 9110 §10.2.3); undefined for anything else. */
export function readRetryAfter(value: unknown, nowMs: number): number | undefined {
  const text = String([value].flat()[0] ?? "").trim();
  if (/^\d+(\.\d+)?$/.test(text)) return boundedWaitMs(Number(text) * 1000);
  // `Date.parse` also makes a date of "-5" and of "soon, 3".
  const atMs = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : boundedWaitMs(atMs - nowMs);
}

/** The form in use and the two obsolete ones that a recipient must still take. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;
