import { readRetryAfter } from "../time/retry-after.ts";
import type { Exchange } from "./exchange.ts";

const firstDelayMs = 500;
const longestDelayMs = 8_000;

/** How long to wait before a repeat: doubling, half of it random so that callers do not march in step, never less than `Retry-After`. */
export function repeatDelayMs(repeatsBefore: number, exchange: Exchange, nowMs: number, random: () => number): number {
  const backoffMs = Math.min(firstDelayMs * 2 ** repeatsBefore, longestDelayMs);
  const named = exchange.kind === "answered" ? readRetryAfter(exchange.headers["retry-after"], nowMs) : undefined;
  return Math.max(backoffMs * (0.5 + random() / 2), named ?? 0);
}
