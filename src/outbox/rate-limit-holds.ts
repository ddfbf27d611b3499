import { isUpdate, type OutboxMessage } from "../changes/outbox-message.ts";

/**
 * Slack limits posts per channel, and each method for the whole workspace (PLATFORM.md §11.3); its 429 does not say which. The first
 * refused recipient counts as that channel's limit. A second one, with no success in between, means the method: then
 * nothing is sent that way until Slack's time is over, so that not every recipient costs a refused call. Each instance
 * learns this separately.
 */
export interface RateLimitHolds {
  /** By a monotonic clock; 0 when nothing is held. */
  heldUntil(message: OutboxMessage): number;
  limited(message: OutboxMessage, until: number): void;
  passed(message: OutboxMessage): void;
}

export function createRateLimitHolds(): RateLimitHolds {
  const limits = new Map<Method, { readonly refused: Set<string>; until: number }>();
  return {
    heldUntil: (message) => {
      const limit = limits.get(methodOf(message));
      return limit && limit.refused.size > 1 ? limit.until : 0;
    },
    limited: (message, until) => {
      const limit = limits.get(methodOf(message)) ?? { refused: new Set(), until };
      limit.refused.add(message.to);
      limit.until = Math.max(limit.until, until);
      limits.set(methodOf(message), limit);
    },
    passed: (message) => void limits.delete(methodOf(message)),
  };
}

type Method = "post" | "update" | "step";

const methodOf = (message: OutboxMessage): Method => {
  if (message.kind === "step") return "step";
  return isUpdate(message) ? "update" : "post";
};
