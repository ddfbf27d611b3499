import type { WebClient } from "@slack/web-api";
import type { Change } from "../changes/change.ts";
import { concernedBy } from "../changes/concerned-by.ts";
import type { ChangeStore, Delivery, DeliveryStore, PostedCard } from "../changes/ports.ts";
import type { Announcer, DeliveryResult, Failure } from "../jobs/announcer.ts";
import type { Actors } from "./actors.ts";
import { approvalReminder } from "./blocks/approval-reminder.ts";
import { changeCard, threadLine } from "./blocks/change-card.ts";
import { concernedMessage } from "./blocks/concerned-message.ts";
import type { Message } from "./blocks/message.ts";
import { reportMessage, settledMessage } from "./blocks/outcome-message.ts";
import { summaryCard } from "./blocks/summary-card.ts";
import { deliveryFailure, preparationFailure } from "./delivery-failure.ts";
import type { DrawReminder } from "./exclusion-reminders.ts";

export interface AnnouncerOptions {
  readonly client: WebClient;
  readonly store: Pick<ChangeStore, "find" | "about"> & Pick<DeliveryStore, "cardOf" | "summaryCard" | "summedUp">;
  /** Draws the reminders that come without a text of their own. */
  readonly drawReminder: DrawReminder;
  readonly withEmail: Actors["withEmail"];
  readonly now: () => number;
}

const quiet = { parse: "none", link_names: false } as const;

/** Posts what the queue holds, drawn from the change as it stands now. */
export function createAnnouncer({ client, store, drawReminder, withEmail, now }: AnnouncerOptions): Announcer {
  // What had come about when it was queued is not taken back when the clock is.
  const asOf = ({ queuedAt }: Delivery) => Math.max(now(), queuedAt);
  const prepare = async (delivery: Delivery, change: Change): Promise<Sending> => {
    switch (delivery.kind) {
      case "card": {
        const summary = delivery.summaryId === undefined ? undefined : await store.summaryCard(delivery.summaryId);
        return post(delivery.to, changeCard(change, await laterThan(change), asOf(delivery)), summary?.ts);
      }
      case "tell":
        return post(delivery.to, settledMessage(change, delivery.note));
      case "concerned":
        return tellConcerned(change);
      case "report":
        return post(delivery.to, reportMessage(change, delivery.note ?? ""));
      case "thread": {
        const card = await store.cardOf(delivery.underChangeId ?? change.id, delivery.to);
        return card ? post(card.channelId, threadLine(change), card.threadTs ?? card.ts) : noCard;
      }
      case "reminder":
        return remind(delivery, await drawReminder(delivery, change));
      case "approval-reminder":
        return remind(delivery, approvalReminder(change));
      case "update": {
        const card = await store.cardOf(change.id, delivery.to);
        return card ? redraw(card, changeCard(change, await laterThan(change), asOf(delivery))) : noCard;
      }
      case "summary": {
        const message = summaryCard(await store.summedUp(delivery.id));
        const card = await store.summaryCard(delivery.id);
        return card ? redraw(card, message) : post(delivery.to, message);
      }
    }
  };
  /** Nobody is told of what they did themselves, and nothing is told outside the organisation. */
  const tellConcerned = async (change: Change): Promise<Sending> => {
    const email = concernedBy(change);
    const person = email === undefined ? undefined : await withEmail(email);
    const isToTell = person && person.userId !== change.actor.userId && ["member", "guest"].includes(person.standing);
    return isToTell ? post(person.userId, concernedMessage(change, person)) : { kind: "nothing" };
  };
  const remind = async (delivery: Delivery, reminder: Message | undefined): Promise<Sending> => {
    if (!reminder) return { kind: "nothing" };
    if (delivery.underChangeId === null) return post(delivery.to, reminder);
    const card = await store.cardOf(delivery.underChangeId, delivery.to);
    return card ? post(card.channelId, reminder, card.threadTs ?? card.ts) : noCard;
  };
  const laterThan = async (change: Change): Promise<readonly Change[]> => {
    if (change.subjectId === null) return [];
    const all = await store.about(change.subjectKind, change.subjectId);
    const place = all.findIndex(({ id }) => id === change.id);
    if (place >= 0) return all.slice(place + 1);
    return all.filter((other) => other.id !== change.id && (other.settledAt ?? 0) >= (change.settledAt ?? 0));
  };
  return {
    deliver: async (delivery) => {
      const facts = { attempts: delivery.attempts, ageMs: now() - delivery.queuedAt };
      let sending: Sending;
      try {
        const change = await store.find(delivery.changeId);
        sending = change ? await prepare(delivery, change) : { kind: "never", error: "unknown_change" };
      } catch (error) {
        return preparationFailure(error, facts);
      }
      try {
        return await send(client, sending);
      } catch (error) {
        return deliveryFailure(error, facts);
      }
    },
  };
}

/** A new message, one drawn again, or nothing that could be sent. */
type Sending =
  | {
      readonly kind: "post";
      readonly channel: string;
      readonly threadTs: string | undefined;
      readonly message: Message;
    }
  | { readonly kind: "redraw"; readonly card: PostedCard; readonly message: Message }
  /** What was to be told is overtaken. */
  | { readonly kind: "nothing" }
  | Failure;

const noCard: Sending = { kind: "never", error: "no_card" };

function post(channel: string, message: Message, threadTs?: string): Sending {
  return { kind: "post", channel, threadTs, message };
}

function redraw(card: PostedCard, message: Message): Sending {
  return { kind: "redraw", card, message };
}

async function send({ chat }: WebClient, sending: Sending): Promise<DeliveryResult> {
  switch (sending.kind) {
    case "later":
    case "never":
      return sending;
    case "nothing":
      return { kind: "delivered" };
    case "redraw": {
      const { channelId: channel, ts } = sending.card;
      await chat.update({ channel, ts, ...sending.message, ...quiet });
      return { kind: "delivered" };
    }
    case "post": {
      const { channel, threadTs, message } = sending;
      const thread = threadTs ? { thread_ts: threadTs } : {};
      const unfolding = { unfurl_links: false, unfurl_media: false };
      const { channel: channelId, ts } = await chat.postMessage({
        channel,
        ...message,
        ...thread,
        ...quiet,
        ...unfolding,
      });
      return channelId && ts
        ? { kind: "delivered", posted: { channelId, ts, threadTs: threadTs ?? null } }
        : { kind: "delivered" };
    }
  }
}
