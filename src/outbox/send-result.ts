import type { NewNotice } from "../changes/change.ts";
import type { OutboxMessage, PostedCard } from "../changes/outbox-message.ts";

/** Sends messages to Slack. */
export interface Sender {
  /** Never throws: a failure is a result. */
  send(message: OutboxMessage): Promise<SendResult>;
}

export type SendResult =
  | { readonly kind: "sent"; readonly posted?: PostedCard; readonly notice?: NewNotice | undefined }
  | Failure;

export interface Failure {
  /** `later`: retry. `never`: a retry cannot help. */
  readonly kind: "later" | "never";
  /** Slack's error code, or ours. */
  readonly error: string;
  /** The earliest retry. */
  readonly afterMs?: number;
  /** Slack's rate limit was met. */
  readonly isLimit?: true;
  /** For the log: our own error. */
  readonly cause?: unknown;
}
