import type { WebClient } from "@slack/web-api";
import { withoutReasons } from "../../changes/account-owner.ts";
import type { BulletinStore } from "../../changes/bulletin.ts";
import type { Change, NewNotice } from "../../changes/change.ts";
import { isToAddress, type OutboxMessage, type PostedCard } from "../../changes/outbox-message.ts";
import type { ChangeStore, OutboxStore } from "../../changes/ports.ts";
import type { Failure, Sender, SendResult } from "../../outbox/send-result.ts";
import type { Actors } from "../people/actors.ts";
import type { IsClosed } from "../people/channel-members.ts";
import { type EndOfStep, endOfStep, sendEnd } from "../workflows/step-ending.ts";
import type { DrawBulletin } from "./bulletins/draw-bulletin.ts";
import { foundElsewhereMessage } from "./bulletins/found-elsewhere.ts";
import { approvalReminder } from "./cards/approval-blocks.ts";
import { askedThreadMessage } from "./cards/asked-thread.ts";
import { type CardSources, cardContext } from "./cards/card-context.ts";
import type { CardLink } from "./cards/card-link.ts";
import { changeCard, summaryCard, threadLine } from "./cards/change-card.ts";
import type { DrawReminder } from "./cards/exclusion-reminders.ts";
import { type Message, withLines } from "./message.ts";
import { reportMessage } from "./notices.ts";
import { settledMessage } from "./outcome-message.ts";
import { createOwnerMessages, type OwnerMessage } from "./owner-messages.ts";
import { preparationFailure, sendFailure, type Tries } from "./send-failure.ts";

export interface SenderOptions {
  readonly client: WebClient;
  readonly store: Pick<ChangeStore, "find" | "about" | "list"> &
    Pick<BulletinStore, "bulletin"> &
    Pick<OutboxStore, "cardOf" | "cardChannels" | "summaryCard" | "summedUp">;
  readonly cardLink: CardLink;
  /** Draws the reminders of an exclusion's end. */
  readonly drawReminder: DrawReminder;
  readonly withEmail: Actors["withEmail"];
  readonly cardSources: CardSources;
  readonly drawBulletin: DrawBulletin;
  readonly isClosed: IsClosed;
  readonly now: () => number;
}

const quiet = { parse: "none", link_names: false } as const;

/** Posts the messages of the outbox, drawn from the change as it stands now. */
export function createSender(options: SenderOptions): Sender {
  const { client, store, drawReminder, withEmail, cardSources, now } = options;
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
      case "owner-card":
        return postNotice(await owners.first(outboxMessage, change));
      case "report":
        return post(outboxMessage.to, reportMessage(change, outboxMessage.note ?? ""));
      case "thread":
        return underCard(store, outboxMessage, change);
      case "reminder":
        return remind(store, outboxMessage, await drawReminder(outboxMessage, change));
      case "asked-reminder":
      case "asked-over":
      case "asked-approval":
      case "asked-outcome":
        return inAskedThread(store, outboxMessage, change, await drawAsked(outboxMessage, change));
      case "approval-reminder":
        return remind(store, outboxMessage, approvalReminder(change));
      case "update": {
        const card = await store.cardOf(change.id, outboxMessage.to);
        if (isToAddress(outboxMessage))
          return card ? redraw(card, await owners.redrawn(outboxMessage.to, change)) : { kind: "nothing" };
        return card ? redraw(card, await drawCard(change, outboxMessage)) : noCard;
      }
      case "step":
        return endOfStep(outboxMessage, change);
      case "bulletin":
      case "found-elsewhere":
        return postFound(outboxMessage, change, options);
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
  const drawAsked = (outboxMessage: OutboxMessage, change: Change) =>
    outboxMessage.kind === "asked-reminder"
      ? drawReminder(outboxMessage, change)
      : askedThreadMessage(outboxMessage, change, asOf(outboxMessage), options);
  const owners = createOwnerMessages({ store, withEmail });
  return {
    send: async (outboxMessage) => {
      const tries = { attempts: outboxMessage.attempts, ageMs: now() - outboxMessage.queuedAt };
      let sending: Sending;
      try {
        const change = await shownChange(outboxMessage, options);
        sending = change ? await prepare(outboxMessage, change) : await prepareBulletin(outboxMessage, options);
      } catch (error) {
        return preparationFailure(error, tries);
      }
      return sendOrFail(client, sending, tries);
    },
  };
}

/** The change; in a channel that others read too, without why somebody left or lost access. */
async function shownChange({ changeId, to }: OutboxMessage, { store, isClosed }: SenderOptions) {
  const change = await store.find(changeId);
  if (!change || !/^[CG]/.test(to)) return change;
  const whole = change.parentId === undefined ? change : await store.find(change.parentId);
  return whole?.subjectKind !== "user" || (await isClosed(to)) ? change : withoutReasons(change);
}

type Store = SenderOptions["store"];

async function underCard(store: Store, { underChangeId, to }: OutboxMessage, change: Change): Promise<Sending> {
  const card = await store.cardOf(underChangeId ?? change.id, to);
  return card ? post(card.channelId, threadLine(change, card.threadTs !== null), card.threadTs ?? card.ts) : noCard;
}

async function remind(store: Store, { underChangeId, to }: OutboxMessage, reminder: Message | undefined) {
  if (!reminder) return nothing;
  if (underChangeId === null) return post(to, reminder);
  const card = await store.cardOf(underChangeId, to);
  return card ? post(card.channelId, reminder, card.threadTs ?? card.ts) : noCard;
}

/** The line with the link to an approval's card may be sent before that card, which goes to another channel. */
const cardPauseMs = 1000;
const cardTries = 3;

async function mayComeBeforeItsCard(store: Store, { kind, attempts }: OutboxMessage, { id, approval }: Change) {
  if (kind !== "asked-approval" || !approval || attempts >= cardTries) return false;
  return (await store.cardOf(id, approval.channelId)) === undefined;
}

/** In the thread where a change was asked for. */
async function inAskedThread(
  store: Store,
  outboxMessage: OutboxMessage,
  change: Change,
  message?: Message,
): Promise<Sending> {
  if (message && (await mayComeBeforeItsCard(store, outboxMessage, change)))
    return { kind: "later", error: "no_card_yet", afterMs: cardPauseMs };
  const { underChangeId } = outboxMessage;
  const asked = underChangeId === null || underChangeId === change.id ? change : await store.find(underChangeId);
  return message && asked?.askedIn ? post(asked.askedIn.channelId, message, asked.askedIn.ts) : nothing;
}

const postNotice = (first: OwnerMessage | undefined): Sending =>
  first ? { ...post(first.to, first.message), notice: first.notice } : { kind: "nothing" };

/** What a change found that somebody did to its exclusion in the service. */
async function postFound({ to }: OutboxMessage, change: Change, { cardSources, now }: SenderOptions): Promise<Sending> {
  const message = foundElsewhereMessage(change, await cardContext(cardSources, change, [], now()));
  return message ? post(to, message) : { kind: "nothing" };
}

/** A message whose id is no change's. */
async function prepareBulletin(outboxMessage: OutboxMessage, { store, drawBulletin }: SenderOptions): Promise<Sending> {
  const { changeId: id, kind, to } = outboxMessage;
  if (kind === "step") return endOfStep(outboxMessage, undefined);
  const bulletin = await store.bulletin(id);
  if (!bulletin) return { kind: "never", error: "unknown_change" };
  const message = await drawBulletin(bulletin, to);
  if (!message) return { kind: "nothing" };
  if (kind === "bulletin") return post(to, message);
  const card = await store.cardOf(id, to);
  return card && kind === "update" ? redraw(card, message) : { kind: "nothing" };
}

/** The succeeded changes of the same thing since, oldest first. */
async function laterThan(store: Pick<ChangeStore, "about">, change: Change): Promise<readonly Change[]> {
  if (change.subjectId === null) return [];
  const about = await store.about(change.subjectKind, change.subjectId);
  const all = about.filter(({ parentId }) => parentId !== change.id);
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
      /** Whom it notifies of a change of their account. */
      readonly notice?: NewNotice;
    }
  | { readonly kind: "redraw"; readonly card: PostedCard; readonly message: Message }
  | EndOfStep
  /** There is nothing left to say. */
  | { readonly kind: "nothing" }
  | Failure;

const nothing: Sending = { kind: "nothing" };
const noCard: Sending = { kind: "never", error: "no_card" };

function post(channel: string, message: Message, threadTs?: string): Extract<Sending, { readonly kind: "post" }> {
  return { kind: "post", channel, threadTs, message };
}

function redraw(card: PostedCard, message: Message): Sending {
  return { kind: "redraw", card, message };
}

async function sendOrFail(client: WebClient, sending: Sending, tries: Tries): Promise<SendResult> {
  try {
    return await send(client, sending);
  } catch (error) {
    return sendFailure(error, tries);
  }
}

async function send(client: WebClient, sending: Sending): Promise<SendResult> {
  const { chat } = client;
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
    case "step":
      return sendEnd(client, sending);
    case "post": {
      const { channel, threadTs, message, notice } = sending;
      const thread = threadTs ? { thread_ts: threadTs } : {};
      const unfurling = { unfurl_links: false, unfurl_media: false };
      const { channel: channelId, ts } = await chat.postMessage({
        channel,
        ...message,
        ...thread,
        ...quiet,
        ...unfurling,
      });
      const posted = channelId && ts ? { posted: { channelId, ts, threadTs: threadTs ?? null } } : {};
      return { kind: "sent", ...posted, ...(notice ? { notice } : {}) };
    }
  }
}
