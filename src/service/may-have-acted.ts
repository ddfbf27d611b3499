import type { Exchange } from "./exchange.ts";

/** Whether the service may have acted on a request that did not succeed. */
export function mayHaveActed(exchange: Exchange): boolean {
  switch (exchange.kind) {
    case "not-sent":
      return false;
    case "lost":
      return true;
    case "answered":
      return !isRefusal(exchange) && exchange.status !== 429 && !sentElsewhere.includes(exchange.status);
  }
}

/** A 4xx says no before acting; but 408 comes from time-outs along the way, and 429 says only "not now". */
export const isRefusal = (exchange: Exchange): boolean =>
  exchange.kind === "answered" &&
  exchange.status >= 400 &&
  exchange.status < 500 &&
  exchange.status !== 408 &&
  exchange.status !== 429;

/** These redirects ask for the same request at another address; 302 and 303 are also used after acting. */
const sentElsewhere: readonly number[] = [301, 307, 308];
