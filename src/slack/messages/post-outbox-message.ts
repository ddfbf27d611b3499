import type { WebClient } from "@slack/web-api";
import type { Change } from "../../changes/change.ts";
import { affectedAccountOwner, describeChange } from "../../changes/change-command.ts";
import type { OutboxMessage, PostedCard } from "../../changes/outbox-message.ts";
import type { ChangeStore, OutboxStore } from "../../changes/ports.ts";
import type { Failure, Sender, SendResult } from "../../outbox/send-result.ts";
import type { Actor } from "../../permissions/actor.ts";
import type { Actors } from "../people/actors.ts";
import { approvalReminder } from "./cards/approval-blocks.ts";
import { type CardSources, cardContext } from "./cards/card-context.ts";
import { changeCard, summaryCard, threadLine } from "./cards/change-card.ts";
import type { DrawReminder } from "./cards/exclusion-reminders.ts";
import { factFields } from "./facts.ts";
import {
  clip,
  contextBlock,
  escapeMrkdwn,
  escapeWithin,
  limits,
  type Message,
  mention,
  mrkdwn,
  withLines,
} from "./message.ts";
import { reportMessage, settledMessage } from "./outcome-message.ts";
import { preparationFailure, sendFailure } from "./send-failure.ts";

export interface SenderOptions {
  readonly client: WebClient;
  readonly store: Pick<ChangeStore, "find" | "about"> & Pick<OutboxStore, "cardOf" | "summaryCard" | "summedUp">;
  /** Draws the reminders of an exclusion's end. */
  readonly drawReminder: DrawReminder;
  readonly withEmail: Actors["withEmail"];
  readonly cardSources: CardSources;
  readonly now: () => number;
}

const quiet = { parse: "none", link_names: false } as const;

/** Posts the messages of the outbox, drawn from the change as it stands now. */
export function createSender({ client, store, drawReminder, withEmail, cardSources, now }: SenderOptions): Sender {
  // If the clock was set back, a message still shows what was true when it was queued.
  const asOf = ({ queuedAt }: OutboxMessage) => Math.max(now(), queuedAt);
  const prepare = async (outboxMessage: OutboxMessage, change: Change): Promise<Sending> => {
    switch (outboxMessage.kind) {
      case "card": {
        const summary =
          outboxMessage.summaryId === undefined ? undefined : await store.summaryCard(outboxMessage.summaryId);
        return post(outboxMessage.to, await drawCard(change, outboxMessage), summary?.ts);
      }
      case "notify-requester":
        return post(outboxMessage.to, settledMessage(change, outboxMessage.note));
      case "account-owner":
        return notifyAccountOwner(change);
      case "report":
        return post(outboxMessage.to, reportMessage(change, outboxMessage.note ?? ""));
      case "thread": {
        const card = await store.cardOf(outboxMessage.underChangeId ?? change.id, outboxMessage.to);
        return card
          ? post(card.channelId, threadLine(change, card.threadTs !== null), card.threadTs ?? card.ts)
          : noCard;
      }
      case "reminder":
        return remind(outboxMessage, await drawReminder(outboxMessage, change));
      case "approval-reminder":
        return remind(outboxMessage, approvalReminder(change));
      case "update": {
        const card = await store.cardOf(change.id, outboxMessage.to);
        return card ? redraw(card, await drawCard(change, outboxMessage)) : noCard;
      }
      case "summary": {
        const message = summaryCard(await store.summedUp(outboxMessage.id));
        const card = await store.summaryCard(outboxMessage.id);
        return card ? redraw(card, message) : post(outboxMessage.to, message);
      }
    }
  };
  const drawCard = async (change: Change, outboxMessage: OutboxMessage): Promise<Message> => {
    const context = await cardContext(cardSources, change, await laterThan(store, change), asOf(outboxMessage));
    const card = changeCard(change, context);
    return outboxMessage.note === undefined ? card : withLines(card, [outboxMessage.note]);
  };
  /** Not for one's own change, and not for people outside the organization. */
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
  return {
    send: async (outboxMessage) => {
      const tries = { attempts: outboxMessage.attempts, ageMs: now() - outboxMessage.queuedAt };
      let sending: Sending;
      try {
        const change = await store.find(outboxMessage.changeId);
        sending = change ? await prepare(outboxMessage, change) : { kind: "never", error: "unknown_change" };
      } catch (error) {
        return preparationFailure(error, tries);
      }
      try {
        return await send(client, sending);
      } catch (error) {
        return sendFailure(error, tries);
      }
    },
  };
}

/** The succeeded changes of the same thing since, oldest first. */
async function laterThan(store: Pick<ChangeStore, "about">, change: Change): Promise<readonly Change[]> {
  if (change.subjectId === null) return [];
  const all = await store.about(change.subjectKind, change.subjectId);
  const place = all.findIndex(({ id }) => id === change.id);
  if (place >= 0) return all.slice(place + 1);
  return all.filter((other) => other.id !== change.id && (other.settledAt ?? 0) >= (change.settledAt ?? 0));
}

/** A new message, an updated one, or none. */
type Sending =
  | {
      readonly kind: "post";
      readonly channel: string;
      readonly threadTs: string | undefined;
      readonly message: Message;
    }
  | { readonly kind: "redraw"; readonly card: PostedCard; readonly message: Message }
  /** There is nothing left to say. */
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
      const unfurling = { unfurl_links: false, unfurl_media: false };
      const { channel: channelId, ts } = await chat.postMessage({
        channel,
        ...message,
        ...thread,
        ...quiet,
        ...unfurling,
      });
      return channelId && ts
        ? { kind: "sent", posted: { channelId, ts, threadTs: threadTs ?? null } }
        : { kind: "sent" };
    }
  }
}

/** For the person whose account was changed: the change, who made it, and what to do if they did not expect it. */
export function accountOwnerMessage(change: Change, { timeZone }: Pick<Actor, "timeZone">): Message {
  const { actor, id } = change;
  const { done, facts } = describeChange(change);
  const altered = facts.filter(({ before }) => before !== undefined).slice(0, limits.fieldsInSection);
  const notice = `:bell: ${mention(actor.userId)} ${escapeWithin(done, 700)}. That is your account in the scheduling service.`;
  const unexpected = `If you did not expect this, ask ${mention(actor.userId)} now. If that does not explain it, contact your security team or the people who run Curfew, and give the change id. Somebody may be attacking your account.`;
  return {
    text: escapeMrkdwn(clip(`Your account in the scheduling service: ${actor.name} ${done} (change ${id})`, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(notice) },
      ...(altered.length ? [{ type: "section", fields: factFields(altered, timeZone) } as const] : []),
      { type: "section", text: mrkdwn(unexpected) },
      contextBlock(`Change \`${id}\``),
    ],
  };
}
