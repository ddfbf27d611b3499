import type { Delivery } from "../changes/ports.ts";

/**
 * Slack limits what is posted in a channel, and also each of its methods for the whole workspace (platform.md §11.3); its answer
 * does not say which limit was met. The first recipient that it refuses is taken to have met its own. A second one, with none
 * served in between, means the method: then nothing is sent that way until the time Slack gave is over, for otherwise every
 * recipient would find out with a call of its own. Each machine finds out by itself.
 */
export interface Brake {
  /** By a clock that is never set; 0 when nothing is held. */
  heldUntil(delivery: Delivery): number;
  limited(delivery: Delivery, until: number): void;
  passed(delivery: Delivery): void;
}

export function createBrake(): Brake {
  const limits = new Map<"post" | "update", { readonly refused: Set<string>; until: number }>();
  return {
    heldUntil: (delivery) => {
      const limit = limits.get(methodOf(delivery));
      return limit && limit.refused.size > 1 ? limit.until : 0;
    },
    limited: (delivery, until) => {
      const limit = limits.get(methodOf(delivery)) ?? { refused: new Set(), until };
      limit.refused.add(delivery.to);
      limit.until = Math.max(limit.until, until);
      limits.set(methodOf(delivery), limit);
    },
    passed: (delivery) => void limits.delete(methodOf(delivery)),
  };
}

function methodOf({ kind }: Delivery): "post" | "update" {
  return kind === "update" ? "update" : "post";
}
