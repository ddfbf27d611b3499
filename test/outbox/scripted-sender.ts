import type { OutboxMessage } from "../../src/changes/ports.ts";
import type { Sender, SendResult } from "../../src/outbox/sender.ts";

export interface ScriptedAnnouncer extends Sender {
  /** What was to be told, in order, as "kind recipient". */
  readonly told: readonly string[];
  /** Resolves when this many have been told. */
  until(count: number): Promise<void>;
}

/** As Slack says where a delivery was posted; nothing for a card that is only drawn again. */
export function postedAs({ id, kind, to }: OutboxMessage): SendResult {
  const posted = { channelId: to, ts: `${id}.000001`, threadTs: null };
  return kind === "update" ? { kind: "sent" } : { kind: "sent", posted };
}

/** An announcer whose answers a test writes. */
export function createScriptedAnnouncer(
  answer: (outboxMessage: OutboxMessage, count: number) => SendResult | Promise<SendResult> = postedAs,
): ScriptedAnnouncer {
  const told: string[] = [];
  const waiting = new Set<() => void>();
  return {
    told,
    send: async (outboxMessage) => {
      told.push(`${outboxMessage.kind} ${outboxMessage.to}`);
      for (const look of waiting) look();
      return answer(outboxMessage, told.length);
    },
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (told.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
