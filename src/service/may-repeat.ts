import { NoSlotError } from "./call-semaphore.ts";
import type { Exchange } from "./exchange.ts";
import type { Effect } from "./operations.ts";

/**
 * Whether a request may be sent once more after this exchange (design.md, "The service client"): a create only when it
 * certainly was not acted on, everything else also where a repeat does no harm and may help.
 */
export function mayRepeat(effect: Effect, exchange: Exchange): boolean {
  switch (exchange.kind) {
    case "not-sent":
      // It has waited in vain once; whoever asked is told rather than kept waiting.
      return !(exchange.cause instanceof NoSlotError);
    case "lost":
      return effect !== "create";
    case "answered":
      if (exchange.status === 429) return true;
      if (exchange.status < 300) return effect === "read" && exchange.body === "cut-off";
      return effect !== "create" && isPassingTrouble(exchange.status);
  }
}

const isPassingTrouble = (status: number): boolean => status === 502 || status === 503 || status === 504;
