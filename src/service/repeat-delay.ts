import type { Exchange } from "./exchange.ts";

const firstDelayMs = 500;
const longestDelayMs = 8_000;

/** How long to wait before a repeat: doubling, half of it random so that callers do not march in step, never less than `Retry-After`. */
export function repeatDelayMs(repeatsBefore: number, exchange: Exchange, nowMs: number, random: () => number): number {
  const backoffMs = Math.min(firstDelayMs * 2 ** repeatsBefore, longestDelayMs);
  return Math.max(backoffMs * (0.5 + random() / 2), retryAfterMs(exchange, nowMs));
}

/** `Retry-After` is a number of seconds or an HTTP date; anything else counts as not given. */
function retryAfterMs(exchange: Exchange, nowMs: number): number {
  const value = exchange.kind === "answered" ? exchange.headers["retry-after"] : undefined;
  if (value === undefined) return 0;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
