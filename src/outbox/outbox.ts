import PQueue from "p-queue";
import type { NewNotice } from "../changes/change.ts";
import { maxTries } from "../changes/job.ts";
import {
  isToAddress,
  isUpdate,
  type NewOutboxMessage,
  type OutboxMessage,
  type Pace,
  type PostedCard,
} from "../changes/outbox-message.ts";
import type { OutboxStore } from "../changes/ports.ts";
import type { Logger } from "../observability/log.ts";
import { boundedWaitMs } from "../time/retry-after.ts";
import { createTimer, type Schedule } from "../time/timer.ts";
import type { Failure, Sender } from "./send-result.ts";

export type Outbox = ReturnType<typeof createOutbox>;

export interface OutboxTiming {
  readonly pace?: Pace;
  /** How often to look for messages that other instances queued or left; they cannot wake this one. */
  readonly pollMs?: number | undefined;
  readonly schedule?: Schedule | undefined;
}

export interface OutboxOptions extends OutboxTiming {
  readonly store: OutboxStore;
  readonly sender: Sender;
  readonly now: () => number;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
  /** The Slack user who asked for a change. */
  readonly requesterOf: (changeId: string) => Promise<string | undefined>;
  /** The link to a card; undefined where Slack gives none. */
  readonly linkTo: (card: PostedCard) => Promise<string | undefined>;
  /** The channel for problems that the admins must fix. */
  readonly adminsChannel: () => string | undefined;
}

/** Slack takes details one message a second and channel (PLATFORM.md §11.3). */
export const slackPace: Pace = { gapMs: 1000, burst: { moreThan: 5, withinMs: 10_000 } };
/** Parallel sends, so that a slow recipient does not block the others. */
const maxConcurrency = 4;
/** One statement claims so many. They wait for a slot in order. */
const maxClaimed = 20;
/** Longer than any Slack call (slack-connection.ts). After it, the claiming instance counts as dead. */
const leaseMs = 60_000;
const maxBackoffMs = 120_000;
/** A longer `Retry-After` is tried earlier: the queue takes a due time further ahead for the mark of a wrong clock. */
const maxHoldMs = 10 * 60_000;
const errorPauseMs = 10_000;

/**
 * Sends the queued messages: in order and at Slack's pace for each recipient, recipients in parallel. Retries what Slack refuses
 * for now, with backoff; what can never be delivered goes to the fallback. The database decides who sends what, so any
 * number of instances can run this.
 *
 * Slack cannot deduplicate messages (PLATFORM.md §12.2). A message may be posted twice when this process dies before it is marked
 * as sent, when Slack's answer is lost, or when a process hangs for longer than its lease.
 */
export function createOutbox(options: OutboxOptions) {
  const { store, log, now, elapsedMs, pace = slackPace, pollMs } = options;
  const queue = new PQueue({ concurrency: maxConcurrency });
  const context = {
    ...options,
    rateLimitHolds: createRateLimitHolds(),
    unmarked: new Map<number, SentMessage>(),
    sending: new Set<number>(),
  };
  const timer = createTimer({ now, schedule: options.schedule, wake: () => sendSoon() });
  let isStopped = false;

  // One claim waits at most: it takes what is there when it begins.
  const claiming = new PQueue({ concurrency: 1 });
  const sendSoon = () => {
    if (!isStopped && claiming.size === 0) void claiming.add(sendNext);
  };
  const sendNext = async () => {
    const room = maxClaimed - queue.size - queue.pending;
    if (isStopped || room <= 0) return;
    try {
      const messages = await store.claim(now(), leaseMs, pace, room);
      if (messages.length === 0) return await scheduleNext();
      const claimedAt = elapsedMs();
      const send = async (message: OutboxMessage) => {
        if (isStopped) await store.postpone(message.id, now(), "Curfew was stopped");
        else await sendExclusively(context, message, claimedAt);
      };
      for (const message of messages) {
        // If it ends the process again, nothing else is lost with it.
        const sending = queue.add(() => send(message).catch(sendFailed).finally(sendSoon));
        if (message.tries > 1) await sending;
      }
      sendSoon();
    } catch (error) {
      claimFailed(error);
    }
  };
  const tryLater = (what: string) => (error: unknown) => {
    log.error({ err: error }, what);
    timer.wakeAt(now() + errorPauseMs);
  };
  const claimFailed = tryLater("could not claim from the outbox; trying again");
  const sendFailed = tryLater("could not record how a message was sent; trying again");
  const scheduleNext = async () => {
    const dueAt = await store.nextDueAt(pace.gapMs, now());
    if (dueAt !== undefined) timer.wakeAt(dueAt);
    if (pollMs !== undefined) timer.wakeAt(now() + pollMs);
  };
  const idle = async () => {
    do {
      await claiming.onIdle();
      await queue.onIdle();
    } while (claiming.size + claiming.pending > 0);
  };
  return {
    /** Sends what is due, now or when a slot is free. */
    wake: sendSoon,
    /** Resolves when nothing is being sent. Messages that Slack refused for now may still be queued. */
    idle,
    /** Sends nothing more and waits for sends under way. What was claimed beside them is released; the rest stays queued. */
    stop: async () => {
      isStopped = true;
      timer.stop();
      await idle();
    },
  };
}

interface SentMessage {
  readonly posted: PostedCard | undefined;
  readonly notice: NewNotice | undefined;
  readonly at: number;
}

interface SendContext extends OutboxOptions {
  readonly rateLimitHolds: ReturnType<typeof createRateLimitHolds>;
  /** Posted, but not marked as sent because the database failed. When claimed again, they are only marked. */
  readonly unmarked: Map<number, SentMessage>;
  /** The messages that this process is sending: a clock set forward ends a lease too early. */
  readonly sending: Set<number>;
}

async function sendExclusively(context: SendContext, message: OutboxMessage, claimedAt: number): Promise<void> {
  const { sending, store, now, elapsedMs } = context;
  // What waited long behind slow calls is claimed again.
  if (sending.has(message.id)) return;
  if (elapsedMs() - claimedAt > leaseMs / 2)
    return store.postpone(message.id, now(), "it waited too long for its turn");
  sending.add(message.id);
  try {
    await sendOne(context, message);
  } finally {
    sending.delete(message.id);
  }
}

async function sendOne(context: SendContext, message: OutboxMessage): Promise<void> {
  const { store, sender, rateLimitHolds, unmarked, now, elapsedMs } = context;
  const sent = unmarked.get(message.id);
  if (sent) return markSent(context, message, sent);
  if (message.tries > maxTries) return handleFailure(context, message, interrupted);
  const holdMs = rateLimitHolds.heldUntil(message) - elapsedMs();
  if (holdMs > 0) return store.postpone(message.id, now() + Math.min(holdMs, maxHoldMs), "ratelimited");
  const result = await sender.send(message);
  if (result.kind !== "sent") return handleFailure(context, message, result);
  rateLimitHolds.passed(message);
  return markSent(context, message, { posted: result.posted, notice: result.notice, at: now() });
}

/** The process ended each time it was sent. */
const interrupted: Failure = { kind: "never", error: "interrupted" };

async function markSent({ store, unmarked }: SendContext, { id }: OutboxMessage, done: SentMessage): Promise<void> {
  unmarked.set(id, done);
  await store.markSent(id, done.posted, done.at, done.notice);
  unmarked.delete(id);
}

async function handleFailure(context: SendContext, message: OutboxMessage, failure: Failure): Promise<void> {
  const { store, log, now, elapsedMs, rateLimitHolds } = context;
  const { error, cause } = failure;
  const details = {
    messageId: message.id,
    changeId: message.changeId,
    kind: message.kind,
    error,
    err: cause,
  };
  if (failure.kind === "never") {
    log.error({ ...details, recipient: message.to }, "an announcement cannot be delivered");
    return store.abandon(message.id, error, await fallbackFor(context, message, error), now());
  }
  const ms = pauseMs(message, failure);
  const dueAt = now() + Math.min(ms, maxHoldMs);
  if (failure.isLimit) rateLimitHolds.limited(message, elapsedMs() + ms);
  log.warn(details, "an announcement must wait");
  return store.postpone(message.id, dueAt, error);
}

function pauseMs({ attempts }: OutboxMessage, { afterMs }: Failure): number {
  const backoffMs = Math.min(maxBackoffMs, 1000 * 2 ** Math.min(attempts, 10));
  return Math.max(1000, afterMs === undefined ? backoffMs : boundedWaitMs(afterMs));
}

/**
 * Slack limits posts per channel, and each method for the whole workspace (PLATFORM.md §11.3); its 429 does not say which. The first
 * refused recipient counts as that channel's limit. A second one, with no success in between, means the method: then
 * nothing is sent that way until Slack's time is over, so that not every recipient costs a refused call. Each instance
 * learns this separately.
 */
function createRateLimitHolds() {
  const limits = new Map<Method, { readonly refused: Set<string>; until: number }>();
  return {
    /** By a monotonic clock; 0 when nothing is held. */
    heldUntil: (message: OutboxMessage) => {
      const limit = limits.get(methodOf(message));
      return limit && limit.refused.size > 1 ? limit.until : 0;
    },
    limited: (message: OutboxMessage, until: number) => {
      const limit = limits.get(methodOf(message)) ?? { refused: new Set(), until };
      limit.refused.add(message.to);
      limit.until = Math.max(limit.until, until);
      limits.set(methodOf(message), limit);
    },
    passed: (message: OutboxMessage) => void limits.delete(methodOf(message)),
  };
}

type Method = "post" | "update" | "step";

const methodOf = (message: OutboxMessage): Method => {
  if (message.kind === "step") return "step";
  return isUpdate(message) ? "update" : "post";
};

/**
 * When a card can no longer be edited, posts it anew. When one cannot be posted, notifies its requester and the admins. What cannot
 * be said in the thread where it was asked for, its requester gets by direct message. When an account owner cannot be notified, reports it to the admins only. Other kinds are dropped.
 */
async function fallbackFor(
  options: OutboxOptions,
  message: OutboxMessage,
  error: string,
): Promise<readonly NewOutboxMessage[]> {
  const { requesterOf, adminsChannel, log } = options;
  const { kind, changeId, to } = message;
  const admins = adminsChannel();
  const report = (note: string): readonly NewOutboxMessage[] =>
    admins && admins !== to ? [{ changeId, kind: "report", to: admins, underChangeId: null, note }] : [];
  if (kind === "step") return changeId === to ? [] : report(`The step of its workflow could not be ended (${error}).`);
  if (kind === "account-owner" || kind === "owner-card")
    return report(`The account owner could not be notified (${error}). Please contact them.`);
  // What somebody deleted from their own messages they have seen.
  if (kind === "update" && isCardGone(error) && !isToAddress(message))
    return [{ changeId, kind: "card", to, underChangeId: null, note: await continues(options, message) }];
  if (kind !== "card" && kind !== "asked-outcome") return [];
  const requester = await requesterOf(changeId).catch((err: unknown) => {
    log.error({ err, changeId }, "could not find the requester of a change");
    return undefined;
  });
  if (kind === "asked-outcome")
    return requester ? [{ changeId, kind: "notify-requester", to: requester, underChangeId: null }] : [];
  const note = `It could not be announced in the channel ${to} (${error}).${remedyFor(error)}`;
  return [
    ...(requester ? [{ changeId, kind: "notify-requester", to: requester, underChangeId: null, note } as const] : []),
    ...report(note),
  ];
}

/** Slack's codes for a message that was deleted, or is too old to edit (PLATFORM.md §12.3). */
const isCardGone = (error: string): boolean => ["message_not_found", "edit_window_closed"].includes(error);

function remedyFor(error: string): string {
  const isOutside = error === "not_in_channel" || error === "channel_not_found";
  return isOutside ? " Curfew must be a member there." : "";
}

/** What a card says that is posted in place of another. */
async function continues({ store, linkTo }: OutboxOptions, { changeId, to }: OutboxMessage): Promise<string> {
  const former = await store.cardOf(changeId, to);
  const link = former && (await linkTo(former));
  return link === undefined
    ? "This continues a card that can no longer be edited."
    : `This continues a card that can no longer be edited: ${link}`;
}
