import type { WebClient } from "@slack/web-api";
import type { Change } from "../../changes/change.ts";
import { affectedAccountOwner } from "../../changes/change-command.ts";
import type { ChangeStore, OutboxMessage, OutboxStore, PostedCard } from "../../changes/ports.ts";
import type { Failure, Sender, SendResult } from "../../outbox/sender.ts";
import type { Actors } from "../people/actors.ts";
import { accountOwnerMessage } from "./account-owner-message.ts";
import { approvalReminder } from "./approval-blocks.ts";
import { changeCard, threadLine } from "./change-card.ts";
import type { DrawReminder } from "./exclusion-reminders.ts";
import type { Message } from "./message.ts";
import { reportMessage, settledMessage } from "./outcome-message.ts";
import { preparationFailure, sendFailure } from "./send-failure.ts";
import { summaryCard } from "./summary-card.ts";

export interface SenderOptions {
  readonly client: WebClient;
  readonly store: Pick<ChangeStore, "find" | "about"> & Pick<OutboxStore, "cardOf" | "summaryCard" | "summedUp">;
  /** Draws the reminders that come without a text of their own. */
  readonly drawReminder: DrawReminder;
  readonly withEmail: Actors["withEmail"];
  readonly now: () => number;
}

const quiet = { parse: "none", link_names: false } as const;

/** Posts what the queue holds, drawn from the change as it stands now. */
export function createSender({ client, store, drawReminder, withEmail, now }: SenderOptions): Sender {
  // What had come about when it was queued is not taken back when the clock is.
  const asOf = ({ queuedAt }: OutboxMessage) => Math.max(now(), queuedAt);
  const prepare = async (outboxMessage: OutboxMessage, change: Change): Promise<Sending> => {
    switch (outboxMessage.kind) {
      case "card": {
        const summary =
          outboxMessage.summaryId === undefined ? undefined : await store.summaryCard(outboxMessage.summaryId);
        return post(outboxMessage.to, changeCard(change, await laterThan(change), asOf(outboxMessage)), summary?.ts);
      }
      case "notify-requester":
        return post(outboxMessage.to, settledMessage(change, outboxMessage.note));
      case "account-owner":
        return notifyAccountOwner(change);
      case "report":
        return post(outboxMessage.to, reportMessage(change, outboxMessage.note ?? ""));
      case "thread": {
        const card = await store.cardOf(outboxMessage.underChangeId ?? change.id, outboxMessage.to);
        return card ? post(card.channelId, threadLine(change), card.threadTs ?? card.ts) : noCard;
      }
      case "reminder":
        return remind(outboxMessage, await drawReminder(outboxMessage, change));
      case "approval-reminder":
        return remind(outboxMessage, approvalReminder(change));
      case "update": {
        const card = await store.cardOf(change.id, outboxMessage.to);
        return card ? redraw(card, changeCard(change, await laterThan(change), asOf(outboxMessage))) : noCard;
      }
      case "summary": {
        const message = summaryCard(await store.summedUp(outboxMessage.id));
        const card = await store.summaryCard(outboxMessage.id);
        return card ? redraw(card, message) : post(outboxMessage.to, message);
      }
    }
  };
  /** Nobody is told of what they did themselves, and nothing is told outside the organisation. */
  const notifyAccountOwner = async (change: Change): Promise<Sending> => {
    const email = affectedAccountOwner(change);
    const person = email === undefined ? undefined : await withEmail(email);
    const shouldNotify =
      person && person.userId !== change.actor.userId && ["member", "guest"].includes(person.membership);
    return shouldNotify ? post(person.userId, accountOwnerMessage(change, person)) : { kind: "nothing" };
  };
  const remind = async (outboxMessage: OutboxMessage, reminder: Message | undefined): Promise<Sending> => {
    if (!reminder) return { kind: "nothing" };
    if (outboxMessage.underChangeId === null) return post(outboxMessage.to, reminder);
    const card = await store.cardOf(outboxMessage.underChangeId, outboxMessage.to);
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
    send: async (outboxMessage) => {
      const facts = { attempts: outboxMessage.attempts, ageMs: now() - outboxMessage.queuedAt };
      let sending: Sending;
      try {
        const change = await store.find(outboxMessage.changeId);
        sending = change ? await prepare(outboxMessage, change) : { kind: "never", error: "unknown_change" };
      } catch (error) {
        return preparationFailure(error, facts);
      }
      try {
        return await send(client, sending);
      } catch (error) {
        return sendFailure(error, facts);
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

async function send({ chat }: WebClient, sending: Sending): Promise<SendResult> {
  switch (sending.kind) {
    case "later":
    case "never":
      return sending;
    case "nothing":
      return { kind: "sent" };
    case "redraw": {
      const { channelId: channel, ts } = sending.card;
      await chat.update({ channel, ts, ...sending.message, ...quiet });
      return { kind: "sent" };
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
        ? { kind: "sent", posted: { channelId, ts, threadTs: threadTs ?? null } }
        : { kind: "sent" };
    }
  }
}
