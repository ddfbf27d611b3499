import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import { withoutReasons } from "../../changes/account-owner.ts";
import type { BulletinStore } from "../../changes/bulletin.ts";
import type { Change, NewNotice } from "../../changes/change.ts";
import { isToAddress, type OutboxMessage, type PostedCard } from "../../changes/outbox-message.ts";
import { interruptedCode } from "../../changes/perform/record-outcome.ts";
import { planTimes } from "../../changes/planned/plan-times.ts";
import type { ChangeStore, OutboxStore } from "../../changes/ports.ts";
import type { Failure, Sender, SendResult } from "../../outbox.ts";
import { boundedWaitMs } from "../../time/retry-after.ts";
import type { Actors } from "../people/actors.ts";
import type { IsClosed } from "../people/channel-members.ts";
import { SlackSilentError } from "../people/look-up.ts";
import { type EndOfStep, endOfStep, sendEnd } from "../workflows/step-ending.ts";
import { type DrawBulletin, foundElsewhereMessage } from "./bulletins.ts";
import { type CardLink, type CardSources, cardContext } from "./cards/card-context.ts";
import { changeCard, summaryCard, threadLine } from "./cards/change-card.ts";
import { approvalReminder } from "./cards/change-state.ts";
import { askedThreadMessage, type DrawReminder, overtakenReminder } from "./cards/exclusion-reminders.ts";
import { type Message, withLines } from "./message.ts";
import { reportMessage } from "./notices.ts";
import { interruptedMessage, overtakenOutcome, settledMessage } from "./outcome-message.ts";
import { type OwnerMessage, ownerMessage, redrawnOwnerCard } from "./owner-messages.ts";
import { clip } from "./text.ts";

interface SenderOptions {
  readonly client: WebClient;
  readonly store: Pick<ChangeStore, "find" | "about" | "list"> &
    Pick<BulletinStore, "bulletin"> &
    Pick<OutboxStore, "cardOf" | "cardChannels" | "postedAt" | "summaryCard" | "summedUp">;
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
const unfurlsNothing = { unfurl_links: false, unfurl_media: false } as const;

/** Posts the messages of the outbox, drawn from the change as it stands now. */
export function createSender(options: SenderOptions): Sender {
  const { client, store, drawReminder, cardSources, now } = options;
  const said: Said = new Set();
  // If the clock was set back, a message still shows what was true when it was queued.
  const asOf = ({ queuedAt }: OutboxMessage) => Math.max(now(), queuedAt);
  const prepare = async (outboxMessage: OutboxMessage, change: Change): Promise<Sending> => {
    switch (outboxMessage.kind) {
      case "card":
        return post(outboxMessage.to, await drawCard(change, outboxMessage), await summaryOf(store, outboxMessage));
      case "notify-requester":
        return notifyRequester(outboxMessage, change, store, said);
      case "account-owner":
      case "owner-card":
        return postNotice(store, outboxMessage, await ownerMessage(outboxMessage, change, options));
      case "report":
        return post(outboxMessage.to, reportMessage(change, outboxMessage.note ?? ""));
      case "thread":
        return underCard(store, outboxMessage, change);
      case "reminder":
        return remind(store, outboxMessage, await drawReminder(outboxMessage, change));
      case "reminder-update":
      case "asked-reminder-update":
      case "notify-requester-update":
        return redrawMessage(outboxMessage, change, asOf(outboxMessage), options);
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
          return card ? redraw(card, await redrawnOwnerCard(outboxMessage.to, change, options)) : nothing;
        return card ? redraw(card, await drawCard(change, outboxMessage)) : noCard;
      }
      case "step":
        return endOfStep(outboxMessage, change);
      case "bulletin":
      case "found-elsewhere":
        return postFound(outboxMessage, change, options);
      case "summary":
        return postSummary(outboxMessage, store);
    }
  };
  const drawCard = async (change: Change, sent: OutboxMessage): Promise<Message> => {
    const later = await laterThan(store, change);
    const card = changeCard(change, await cardContext(cardSources, change, later, asOf(sent)));
    return sent.note === undefined ? card : withLines(card, [sent.note]);
  };
  const drawAsked = (asked: OutboxMessage, change: Change) =>
    asked.kind === "asked-reminder"
      ? drawReminder(asked, change)
      : askedThreadMessage(asked, change, asOf(asked), options);
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
      return send(client, sending, said).catch((error: unknown) => sendFailure(error, tries));
    },
  };
}

/** The interrupted changes of which their requesters have read while this instance runs. */
type Said = Set<string>;

/** One message about all changes of a person that a crash interrupted; nothing about those that an earlier one was about. */
async function notifyRequester(
  { to, note }: OutboxMessage,
  change: Change,
  store: Store,
  said: Said,
): Promise<Sending> {
  if (note !== undefined || !isInterrupted(change)) return post(to, settledMessage(change, note));
  if (said.has(change.id)) return nothing;
  const [since, states] = [change.requestedAt - interruptedWithinMs, ["unknown"] as const];
  const found = await store.list({ actorId: change.actor.userId, states, since, limit: shownInterrupted });
  const others = found.filter((other) => other.id !== change.id && isInterrupted(other) && !said.has(other.id));
  const all = [change, ...others];
  return { ...post(to, interruptedMessage(all)), says: all.map(({ id }) => id) };
}

const interruptedWithinMs = 3_600_000;
const shownInterrupted = 20;

/** Of a step, its series or its workflow speaks. */
const isInterrupted = ({ state, error, parentId, executionId }: Change): boolean =>
  state === "unknown" && error?.code === interruptedCode && parentId === undefined && executionId === undefined;

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

async function summaryOf(store: Store, { summaryId }: OutboxMessage): Promise<string | undefined> {
  return summaryId === undefined ? undefined : (await store.summaryCard(summaryId))?.ts;
}

async function postSummary({ id, to }: OutboxMessage, store: Store): Promise<Sending> {
  const message = summaryCard(await store.summedUp(id));
  const card = await store.summaryCard(id);
  return card ? redraw(card, message) : post(to, message);
}

async function redrawMessage(
  outboxMessage: OutboxMessage,
  change: Change,
  now: number,
  options: SenderOptions,
): Promise<Sending> {
  if (outboxMessage.kind === "notify-requester-update") return redrawOutcome(options.store, outboxMessage, change);
  const kind = outboxMessage.kind === "reminder-update" ? "reminder" : "asked-reminder";
  const reminder = { ...outboxMessage, kind } as const;
  const posted = await options.store.postedAt(reminder);
  if (!posted) return nothing;
  const message = await options.drawReminder(reminder, change);
  return redraw(posted, message ?? (await overtakenReminder(reminder, change, now, options)));
}

/** The requester's message about a change after which its subject was changed again, or its exclusion ended. */
async function redrawOutcome(store: Store, outboxMessage: OutboxMessage, change: Change): Promise<Sending> {
  const posted = await store.postedAt({ ...outboxMessage, kind: "notify-requester" });
  if (!posted) return nothing;
  const undone = (await laterThan(store, change)).find(({ undoes }) => undoes === change.id);
  return redraw(posted, overtakenOutcome(change, undone));
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
  const { underChangeId, kind } = outboxMessage;
  const isOutcome = kind === "asked-outcome";
  const asked = underChangeId === null || underChangeId === change.id ? change : await store.find(underChangeId);
  if (message && asked?.askedIn && !(isOutcome && change.state === "unknown"))
    return post(asked.askedIn.channelId, message, asked.askedIn.ts);
  // Where the thread may not hear of it, and what only its requester can settle, goes to them. Of what was planned the card says it.
  const isOnCard = change.state === "succeeded" && planTimes(change) !== undefined;
  return isOutcome && !isOnCard ? post(change.actor.userId, settledMessage(change)) : nothing;
}

/** Who read of the request reads under it what came of it. */
async function postNotice(store: Store, { changeId, to, kind }: OutboxMessage, owner?: OwnerMessage): Promise<Sending> {
  if (!owner) return nothing;
  const asked = kind === "account-owner" ? await store.cardOf(changeId, to) : undefined;
  return { ...post(asked?.channelId ?? owner.to, owner.message, asked?.ts), notice: owner.notice };
}

/** What a change found that somebody did to its exclusion in the service. */
async function postFound({ to }: OutboxMessage, change: Change, { cardSources, now }: SenderOptions): Promise<Sending> {
  const message = foundElsewhereMessage(change, await cardContext(cardSources, change, [], now()));
  return message ? post(to, message) : nothing;
}

/** A message whose id is no change's. */
async function prepareBulletin(outboxMessage: OutboxMessage, { store, drawBulletin }: SenderOptions): Promise<Sending> {
  const { changeId: id, kind, to } = outboxMessage;
  if (kind === "step") return endOfStep(outboxMessage, undefined);
  const bulletin = await store.bulletin(id);
  if (!bulletin) return { kind: "never", error: "unknown_change" };
  const message = await drawBulletin(bulletin, to);
  if (!message) return nothing;
  if (kind === "bulletin") return post(to, message);
  const card = await store.cardOf(id, to);
  return card && kind === "update" ? redraw(card, message) : nothing;
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
      /** The changes that it is about, where those are several. */
      readonly says?: readonly string[];
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

async function send(client: WebClient, sending: Sending, said: Said): Promise<SendResult> {
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
      const { channel, threadTs, message, notice, says = [] } = sending;
      const where = { channel, ...(threadTs ? { thread_ts: threadTs } : {}) };
      const { channel: channelId, ts } = await chat.postMessage({ ...where, ...message, ...quiet, ...unfurlsNothing });
      for (const id of says) said.add(id);
      const posted = channelId && ts ? { posted: { channelId, ts, threadTs: threadTs ?? null } } : {};
      return { kind: "sent", ...posted, ...(notice ? { notice } : {}) };
    }
  }
}

/**
 * Web API errors that a retry cannot fix (PLATFORM.md §11.2, §12.2, §12.3): of the destination, the content, the call, and the message
 * to update. Errors about the app itself, such as `account_inactive` and `missing_scope`, are not listed: the operator can fix those,
 * and then the message goes out.
 */
const final: ReadonlySet<string> = new Set(
  `channel_not_found not_in_channel is_archived is_inactive restricted_action restricted_action_read_only_channel
  restricted_action_thread_only_channel restricted_action_thread_locked restricted_action_non_threadable_channel
  cannot_reply_to_message channel_is_limited_access messages_tab_disabled user_not_found user_not_visible user_disabled
  invalid_blocks invalid_blocks_format invalid_attachments msg_too_long msg_blocks_too_long no_text too_many_attachments
  attachment_payload_limit_exceeded too_many_contact_cards missing_file_data markdown_text_conflict invalid_metadata_format
  invalid_metadata_schema metadata_too_large metadata_must_be_sent_from_app
  invalid_arguments missing_argument invalid_arg_name invalid_array_arg as_user_not_supported send_on_behalf_not_allowed
  message_not_found cant_update_message edit_window_closed block_mismatch no_dual_broadcast_content_update`.split(
    /\s+/,
  ),
);

/** Error families that PLATFORM.md §12.2 names by prefix or suffix only. */
const finalFamily = /^(?:slack_connect_\w+_sharing_blocked|draft_\w+|duplicate_\w+_not_found)$/;

/** `rate_limited` comes without a 429 and without a time (PLATFORM.md §11.3). */
const rateLimitCodes = /^(?:ratelimited|rate_limited|message_limit_exceeded)$/;

/** What Slack's client throws: its own code, Slack's for a refused call, and the time of a rate limit. */
const slackError = z.looseObject({
  code: z.string(),
  data: z.looseObject({ error: z.string().optional() }).optional().catch(undefined),
  retryAfter: z.number().optional().catch(undefined),
});

interface Tries {
  /** Earlier failures. */
  readonly attempts: number;
  /** Time since it was queued. */
  readonly ageMs: number;
}

/** After this time a message is given up: it must not hold up the later ones forever. */
const giveUpAfterMs = 7 * 24 * 3_600_000;
/** Instead of a code, the answer may hold the page of a proxy. */
const maxCodeLength = 200;

/** Whether to retry a message that Slack did not take, and when. */
export function sendFailure(error: unknown, { ageMs }: Tries): Failure {
  const { code = "unknown", data, retryAfter } = slackError.safeParse(error).data ?? {};
  const isLimited = code === "slack_webapi_rate_limited_error" && retryAfter !== undefined;
  const refusal = code === "slack_webapi_platform_error" ? data?.error : undefined;
  const said = clip(isLimited ? "ratelimited" : (refusal ?? code), maxCodeLength);
  if (final.has(said) || finalFamily.test(said) || ageMs >= giveUpAfterMs) return { kind: "never", error: said };
  if (isLimited) return { kind: "later", error: said, afterMs: boundedWaitMs(retryAfter * 1000), isLimit: true };
  const cause = refusal === undefined ? { cause: error } : {};
  return { kind: "later", error: said, ...cause, ...(rateLimitCodes.test(said) ? { isLimit: true } : {}) };
}

/** Waiting does not fix a record that cannot be read or drawn, but another instance with a newer Curfew may draw it. */
const maxDrawAttempts = 5;

/** The same for a failure before anything was sent. Trouble of the database, and silence of Slack, is retried. */
export function preparationFailure(cause: unknown, tries: Tries): Failure {
  if (slackError.safeParse(cause).data?.code.startsWith("slack_webapi_")) {
    // A rate limit on user look-ups does not limit posting, so nothing else has to wait.
    const { isLimit, ...failure } = sendFailure(cause, tries);
    return failure;
  }
  const { attempts, ageMs } = tries;
  const isUndrawable = [z.ZodError, TypeError, RangeError, SyntaxError].some((kind) => cause instanceof kind);
  const isHopeless = (isUndrawable && attempts + 1 >= maxDrawAttempts) || ageMs >= giveUpAfterMs;
  const trouble = cause instanceof SlackSilentError ? "slack_silent" : "database_trouble";
  return { kind: isHopeless ? "never" : "later", error: isUndrawable ? "cannot_be_drawn" : trouble, cause };
}
