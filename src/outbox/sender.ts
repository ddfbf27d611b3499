import type { OutboxMessage, PostedCard } from "../changes/ports.ts";

/** The one who tells Slack. */
export interface Sender {
  /** Never throws: a failure is one of the results. */
  send(outboxMessage: OutboxMessage): Promise<SendResult>;
}

export type SendResult = { readonly kind: "sent"; readonly posted?: PostedCard } | Failure;

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
