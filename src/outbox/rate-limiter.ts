import type { OutboxMessage } from "../changes/ports.ts";

/**
 * Slack limits what is posted in a channel, and also each of its methods for the whole workspace (platform.md §11.3); its answer
 * does not say which limit was met. The first recipient that it refuses is taken to have met its own. A second one, with none
 * served in between, means the method: then nothing is sent that way until the time Slack gave is over, for otherwise every
 * recipient would find out with a call of its own. Each instance finds out by itself.
 */
export interface RateLimiter {
  /** By a clock that is never set; 0 when nothing is held. */
  heldUntil(outboxMessage: OutboxMessage): number;
  limited(outboxMessage: OutboxMessage, until: number): void;
  passed(outboxMessage: OutboxMessage): void;
}

export function createRateLimiter(): RateLimiter {
  const limits = new Map<"post" | "update", { readonly refused: Set<string>; until: number }>();
  return {
    heldUntil: (outboxMessage) => {
      const limit = limits.get(methodOf(outboxMessage));
      return limit && limit.refused.size > 1 ? limit.until : 0;
    },
    limited: (outboxMessage, until) => {
      const limit = limits.get(methodOf(outboxMessage)) ?? { refused: new Set(), until };
      limit.refused.add(outboxMessage.to);
      limit.until = Math.max(limit.until, until);
      limits.set(methodOf(outboxMessage), limit);
    },
    passed: (outboxMessage) => void limits.delete(methodOf(outboxMessage)),
  };
}

function methodOf({ kind }: OutboxMessage): "post" | "update" {
  return kind === "update" ? "update" : "post";
}
