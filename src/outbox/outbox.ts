import PQueue from "p-queue";
import type { OutboxMessage, OutboxStore, Pace, PostedCard } from "../changes/ports.ts";
import type { Logger } from "../observability/log.ts";
import { boundedWaitMs } from "../time/retry-after.ts";
import { createTimer, type Schedule } from "../time/timer.ts";
import { insteadOf } from "./fallback.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { Failure, Sender } from "./sender.ts";

export interface Outbox {
  /** Delivers what is due, now or as soon as one of those under way is done. */
  wake(): void;
  /** Resolves when nothing is being delivered. What Slack does not take yet may still be in the queue. */
  idle(): Promise<void>;
  /** Takes nothing more and waits for what is being delivered. What is left stays in the queue. */
  stop(): Promise<void>;
}

export interface OutboxTiming {
  readonly pace?: Pace;
  /** How often to look for what other instances queued, or left behind; they cannot kick this one. */
  readonly pollMs?: number | undefined;
  readonly schedule?: Schedule | undefined;
}

export interface OutboxOptions extends OutboxTiming {
  readonly store: OutboxStore;
  readonly sender: Sender;
  readonly now: () => number;
  /** A clock that is never set. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
  /** The Slack user who asked for a change. */
  readonly requesterOf: (changeId: string) => Promise<string | undefined>;
  /** Where those who run Curfew are told what they must mend. */
  readonly adminsChannel: () => string | undefined;
}

/** Slack takes about one message a second and channel (platform.md §11.3). */
export const slackPace: Pace = { gapMs: 1000, burst: { moreThan: 5, withinMs: 10_000 } };
/** How many recipients are told something at the same time, so that a slow one holds up no other. */
const mostAtOnce = 4;
/** Longer than any call to Slack takes (slack-connection.ts). When it is over, whoever claimed is taken to be dead. */
const leaseMs = 60_000;
const longestPauseMs = 120_000;
/** Where Slack asks for more, it is asked again in between; the queue takes no longer pause for one of a right clock. */
const longestLimitMs = 10 * 60_000;
const afterTroubleMs = 10_000;

/**
 * Empties the queue of announcements: each recipient's in its order and at Slack's pace, different ones side by side. What Slack
 * does not take is tried again, later and later; what can never be delivered is told to the requester instead. The database decides
 * who delivers what, so any number of instances may do this at the same time.
 *
 * Slack knows no way to send a message at most once (platform.md §12.2). One that was posted may be posted a second time when this
 * process dies before it has taken note, when Slack's answer is lost, or when a process stands still for longer than its lease.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { store, log, now, pace = slackPace, pollMs } = options;
  const queue = new PQueue({ concurrency: mostAtOnce });
  const worker = {
    ...options,
    rateLimiter: createRateLimiter(),
    unnoted: new Map<number, Posted>(),
    underWay: new Set<number>(),
  };
  const timer = createTimer({ now, schedule: options.schedule, wake: () => look() });
  let isStopped = false;

  // One that has yet to begin will find whatever there is by then, so a second one would be of no use.
  const look = () => {
    if (!isStopped && queue.size === 0) void queue.add(sendNext);
  };
  const sendNext = async () => {
    if (isStopped) return;
    try {
      const outboxMessage = await store.claim(now(), leaseMs, pace);
      if (!outboxMessage) return await rest();
      look();
      await deliverOnce(worker, outboxMessage);
      look();
    } catch (error) {
      log.error({ err: error }, "the queue of announcements could not be worked");
      timer.wakeAt(now() + afterTroubleMs);
    }
  };
  const rest = async () => {
    const dueAt = await store.nextDueAt(pace.gapMs, now());
    if (dueAt !== undefined) timer.wakeAt(dueAt);
    if (pollMs !== undefined) timer.wakeAt(now() + pollMs);
  };
  return {
    wake: look,
    idle: () => queue.onIdle(),
    stop: async () => {
      isStopped = true;
      timer.stop();
      await queue.onIdle();
    },
  };
}

interface Posted {
  readonly posted: PostedCard | undefined;
  readonly at: number;
}

interface Worker extends OutboxOptions {
  readonly rateLimiter: RateLimiter;
  /** What was posted while the database took no note: when it is claimed anew, that is all that is left to do. */
  readonly unnoted: Map<number, Posted>;
  /** What this process is sending: a clock that is set forward ends a lease too early. */
  readonly underWay: Set<number>;
}

async function deliverOnce(worker: Worker, outboxMessage: OutboxMessage): Promise<void> {
  const { underWay } = worker;
  if (underWay.has(outboxMessage.id)) return;
  underWay.add(outboxMessage.id);
  try {
    await sendOne(worker, outboxMessage);
  } finally {
    underWay.delete(outboxMessage.id);
  }
}

async function sendOne(worker: Worker, outboxMessage: OutboxMessage): Promise<void> {
  const { store, sender, rateLimiter, unnoted, now, elapsedMs } = worker;
  const earlier = unnoted.get(outboxMessage.id);
  if (earlier) return note(worker, outboxMessage, earlier);
  const heldMs = rateLimiter.heldUntil(outboxMessage) - elapsedMs();
  if (heldMs > 0) return store.postpone(outboxMessage.id, now() + Math.min(heldMs, longestLimitMs), "ratelimited");
  const result = await sender.send(outboxMessage);
  if (result.kind !== "sent") return putOff(worker, outboxMessage, result);
  rateLimiter.passed(outboxMessage);
  return note(worker, outboxMessage, { posted: result.posted, at: now() });
}

async function note({ store, unnoted }: Worker, { id }: OutboxMessage, done: Posted): Promise<void> {
  unnoted.set(id, done);
  await store.markSent(id, done.posted, done.at);
  unnoted.delete(id);
}

async function putOff(worker: Worker, outboxMessage: OutboxMessage, failure: Failure): Promise<void> {
  const { store, log, now, elapsedMs, rateLimiter } = worker;
  const { error, cause } = failure;
  const about = {
    messageId: outboxMessage.id,
    changeId: outboxMessage.changeId,
    kind: outboxMessage.kind,
    error,
    err: cause,
  };
  if (failure.kind === "never") {
    log.error({ ...about, recipient: outboxMessage.to }, "an announcement cannot be delivered");
    return store.abandon(outboxMessage.id, error, await insteadOf(worker, outboxMessage, error), now());
  }
  const ms = pauseMs(outboxMessage, failure);
  const dueAt = now() + Math.min(ms, longestLimitMs);
  if (failure.isLimit) rateLimiter.limited(outboxMessage, elapsedMs() + ms);
  log.warn(about, "an announcement must wait");
  return store.postpone(outboxMessage.id, dueAt, error);
}

function pauseMs({ attempts }: OutboxMessage, { afterMs }: Failure): number {
  const ownMs = Math.min(longestPauseMs, 1000 * 2 ** Math.min(attempts, 10));
  return Math.max(1000, afterMs === undefined ? ownMs : boundedWaitMs(afterMs));
}
