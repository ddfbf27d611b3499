import type { NewNotice } from "./changes/change.ts";
import { maxTries } from "./changes/job.ts";
import {
  isToAddress,
  isUpdate,
  type NewOutboxMessage,
  type OutboxMessage,
  type Pace,
  type PostedCard,
} from "./changes/outbox-message.ts";
import type { CommitStore, OutboxStore } from "./changes/ports.ts";
import { backoffMs, createWorker, type WorkerOptions } from "./jobs/worker.ts";
import { boundedWaitMs } from "./time/retry-after.ts";

export interface OutboxOptions extends WorkerOptions {
  readonly pace?: Pace | undefined;
  readonly store: OutboxStore & CommitStore;
  readonly sender: Sender;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  /** The Slack user who asked for a change. */
  readonly requesterOf: (changeId: string) => Promise<string | undefined>;
  /** The link to a card; undefined where Slack gives none. */
  readonly linkTo: (card: PostedCard) => Promise<string | undefined>;
  /** The channel for problems that the admins must fix. */
  readonly adminsChannel: () => string | undefined;
}

/** Slack takes details one message a second and channel (PLATFORM.md §11.3). */
export const slackPace: Pace = { gapMs: 1000, burst: { moreThan: 5, withinMs: 10_000 } };
/** Longer than any Slack call (slack-connection.ts). After it, the claiming instance counts as dead. */
const leaseMs = 60_000;
const maxBackoffMs = 2 * 60_000;
/** A longer `Retry-After` is tried earlier: the queue takes a due time further ahead for the mark of a wrong clock. */
const maxHoldMs = 10 * 60_000;

/**
 * Sends the queued messages: in order and at Slack's pace for each recipient, recipients in parallel. Retries what Slack refuses
 * for now, with backoff; what can never be delivered goes to the fallback. The database decides who sends what, so any
 * number of instances can run this.
 *
 * Slack cannot deduplicate messages (PLATFORM.md §12.2). A message may be posted twice when this process dies before it is marked
 * as sent, when Slack's answer is lost, or when a process hangs for longer than its lease.
 */
export function createOutbox(options: OutboxOptions) {
  const { store, now, pace = slackPace } = options;
  const context = { ...options, rateLimitHolds: createRateLimitHolds(), unmarked: new Map<number, SentMessage>() };
  return createWorker<OutboxMessage>(
    {
      name: "messages",
      store,
      claim: (limit, running) => store.claim(now(), leaseMs, pace, limit, running),
      run: (message) => sendOne(context, message),
    },
    options,
  );
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
  return Math.max(1000, afterMs === undefined ? backoffMs(attempts, maxBackoffMs) : boundedWaitMs(afterMs));
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
