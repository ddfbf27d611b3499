import type { WebClient } from "@slack/web-api";
import type { Change } from "../changes/change.ts";
import type { ChangeStore, Delivery, DeliveryStore, PostedCard } from "../changes/ports.ts";
import type { Announcer, DeliveryResult } from "../jobs/announcer.ts";
import { changeCard, threadLine } from "./blocks/change-card.ts";
import type { Message } from "./blocks/message.ts";
import { noticeMessage, reportMessage, settledMessage } from "./blocks/outcome-message.ts";
import { deliveryFailure } from "./delivery-failure.ts";
import type { DrawReminder } from "./exclusion-reminders.ts";

export interface AnnouncerOptions {
  readonly client: WebClient;
  readonly store: Pick<ChangeStore, "find" | "about"> & Pick<DeliveryStore, "cardOf">;
  /** Draws the reminders that come without a text of their own. */
  readonly drawReminder: DrawReminder;
  readonly now: () => number;
}

const quiet = { parse: "none", link_names: false, unfurl_links: false, unfurl_media: false } as const;

/** Posts what the queue holds, drawn from the change as it stands now. */
export function createAnnouncer({ client, store, drawReminder, now }: AnnouncerOptions): Announcer {
  const post = async (channel: string, message: Message, threadTs?: string): Promise<DeliveryResult> => {
    const thread = threadTs ? { thread_ts: threadTs } : {};
    const posted = await client.chat.postMessage({ channel, ...message, ...thread, ...quiet });
    return {
      kind: "delivered",
      ...(posted.channel && posted.ts
        ? { posted: { channelId: posted.channel, ts: posted.ts, threadTs: threadTs ?? null } }
        : {}),
    };
  };
  const deliver = async (delivery: Delivery, change: Change): Promise<DeliveryResult> => {
    switch (delivery.kind) {
      case "card":
        return post(delivery.to, changeCard(change, await laterThan(change), now()));
      case "tell":
        return post(delivery.to, settledMessage(change, delivery.note));
      case "report":
        return post(delivery.to, reportMessage(change, delivery.note ?? ""));
      case "thread": {
        const card = await store.cardOf(delivery.underChangeId ?? change.id, delivery.to);
        return card ? post(card.channelId, threadLine(change), card.threadTs ?? card.ts) : noCard;
      }
      case "reminder": {
        const { note } = delivery;
        const notice = note ? noticeMessage(":alarm_clock:", note) : await drawReminder(delivery, change);
        if (!notice) return { kind: "delivered" };
        if (delivery.underChangeId === null) return post(delivery.to, notice);
        const card = await store.cardOf(delivery.underChangeId, delivery.to);
        return card ? post(card.channelId, notice, card.threadTs ?? card.ts) : noCard;
      }
      case "update": {
        const card = await store.cardOf(change.id, delivery.to);
        return card ? redraw(card, change) : noCard;
      }
    }
  };
  const redraw = async ({ channelId, ts }: PostedCard, change: Change): Promise<DeliveryResult> => {
    await client.chat.update({
      channel: channelId,
      ts,
      ...changeCard(change, await laterThan(change), now()),
      parse: "none",
      link_names: false,
    });
    return { kind: "delivered" };
  };
  const laterThan = async (change: Change): Promise<readonly Change[]> => {
    if (change.subjectId === null) return [];
    const all = await store.about(change.subjectKind, change.subjectId);
    return all.filter((other) => other.id !== change.id && other.askedAt >= change.askedAt);
  };
  return {
    deliver: async (delivery) => {
      let since = now();
      try {
        const change = await store.find(delivery.changeId);
        since = change?.settledAt ?? since;
        return change ? await deliver(delivery, change) : { kind: "never", error: "unknown_change" };
      } catch (error) {
        return deliveryFailure(error, delivery.attempts, now() - since);
      }
    },
  };
}

const noCard: DeliveryResult = { kind: "never", error: "no_card" };
