import type { Delivery, PostedCard } from "../changes/ports.ts";

/** The one who tells Slack. */
export interface Announcer {
  /** Never throws: a failure is one of the results. */
  deliver(delivery: Delivery): Promise<DeliveryResult>;
}

export type DeliveryResult =
  | { readonly kind: "delivered"; readonly posted?: PostedCard }
  /** To be tried again, no sooner than `afterMs`. */
  | { readonly kind: "later"; readonly error: string; readonly afterMs?: number }
  /** Trying again cannot help. */
  | { readonly kind: "never"; readonly error: string };
