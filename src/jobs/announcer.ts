import type { Delivery, PostedCard } from "../changes/ports.ts";

/** The one who tells Slack. */
export interface Announcer {
  /** Never throws: a failure is one of the results. */
  deliver(delivery: Delivery): Promise<DeliveryResult>;
}

export type DeliveryResult = { readonly kind: "delivered"; readonly posted?: PostedCard } | Failure;

export interface Failure {
  /** `later`: to be tried again. `never`: trying again cannot help. */
  readonly kind: "later" | "never";
  /** Slack's code, or ours. */
  readonly error: string;
  /** No sooner than then. */
  readonly afterMs?: number;
  /** Slack is told too much at present. */
  readonly isLimit?: true;
  /** For the log: what of ours went wrong. */
  readonly cause?: unknown;
}
