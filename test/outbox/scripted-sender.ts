import type { OutboxMessage } from "../../src/changes/outbox-message.ts";
import type { Sender, SendResult } from "../../src/outbox.ts";

export interface ScriptedSender extends Sender {
  /** The messages so far, in order, as "kind recipient". */
  readonly sent: readonly string[];
  /** Resolves when this many have been sent. */
  until(count: number): Promise<void>;
}

/** Slack's answer to a post; without a place for a card update. */
export function postedAs({ id, kind, to }: OutboxMessage): SendResult {
  const posted = { channelId: to, ts: `${id}.000001`, threadTs: null };
  return kind === "update" ? { kind: "sent" } : { kind: "sent", posted };
}

/** A sender with scripted answers. */
export function createScriptedSender(
  answer: (message: OutboxMessage, count: number) => SendResult | Promise<SendResult> = postedAs,
): ScriptedSender {
  const sent: string[] = [];
  const waiting = new Set<() => void>();
  return {
    sent,
    send: async (message) => {
      sent.push(`${message.kind} ${message.to}`);
      for (const look of waiting) look();
      return answer(message, sent.length);
    },
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (sent.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
