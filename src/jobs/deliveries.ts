import PQueue from "p-queue";
import type { Delivery, DeliveryStore, Pace, PostedCard } from "../changes/ports.ts";
import type { Logger } from "../log.ts";
import { boundedWaitMs } from "../time/retry-after.ts";
import type { Announcer, Failure } from "./announcer.ts";
import { type Brake, createBrake } from "./brake.ts";
import { insteadOf } from "./instead-of.ts";
import { createWaker, type Schedule } from "./waker.ts";

export interface Deliveries {
  /** Delivers what is due, now or as soon as one of those under way is done. */
  kick(): void;
  /** Resolves when nothing is being delivered. What Slack does not take yet may still be in the queue. */
  idle(): Promise<void>;
  /** Takes nothing more and waits for what is being delivered. What is left stays in the queue. */
  stop(): Promise<void>;
}

export interface DeliveryTiming {
  readonly pace?: Pace;
  /** How often to look for what other machines queued, or left behind; they cannot kick this one. */
  readonly pollMs?: number | undefined;
  readonly schedule?: Schedule | undefined;
}

export interface DeliveryOptions extends DeliveryTiming {
  readonly store: DeliveryStore;
  readonly announcer: Announcer;
  readonly now: () => number;
  /** A clock that is never set. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
  /** The Slack user who asked for a change. */
  readonly askerOf: (changeId: string) => Promise<string | undefined>;
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
 * does not take is tried again, later and later; what can never be delivered is told to the asker instead. The database decides
 * who delivers what, so any number of machines may do this at the same time.
 *
 * Slack knows no way to send a message at most once (platform.md §12.2). One that was posted may be posted a second time when this
 * process dies before it has taken note, when Slack's answer is lost, or when a process stands still for longer than its lease.
 */
export function createDeliveries(options: DeliveryOptions): Deliveries {
  const { store, log, now, pace = slackPace, pollMs } = options;
  const queue = new PQueue({ concurrency: mostAtOnce });
  const worker = { ...options, brake: createBrake(), unnoted: new Map<number, Posted>(), underWay: new Set<number>() };
  const waker = createWaker({ now, schedule: options.schedule, wake: () => look() });
  let isStopped = false;

  // One that has yet to begin will find whatever there is by then, so a second one would be of no use.
  const look = () => {
    if (!isStopped && queue.size === 0) void queue.add(deliverNext);
  };
  const deliverNext = async () => {
    if (isStopped) return;
    try {
      const delivery = await store.claim(now(), leaseMs, pace);
      if (!delivery) return await rest();
      look();
      await deliverOnce(worker, delivery);
      look();
    } catch (error) {
      log.error({ err: error }, "the queue of announcements could not be worked");
      waker.wakeAt(now() + afterTroubleMs);
    }
  };
  const rest = async () => {
    const dueAt = await store.nextDueAt(pace.gapMs, now());
    if (dueAt !== undefined) waker.wakeAt(dueAt);
    if (pollMs !== undefined) waker.wakeAt(now() + pollMs);
  };
  return {
    kick: look,
    idle: () => queue.onIdle(),
    stop: async () => {
      isStopped = true;
      waker.stop();
      await queue.onIdle();
    },
  };
}

interface Posted {
  readonly posted: PostedCard | undefined;
  readonly at: number;
}

interface Worker extends DeliveryOptions {
  readonly brake: Brake;
  /** What was posted while the database took no note: when it is claimed anew, that is all that is left to do. */
  readonly unnoted: Map<number, Posted>;
  /** What this process is sending: a clock that is set forward ends a lease too early. */
  readonly underWay: Set<number>;
}

async function deliverOnce(worker: Worker, delivery: Delivery): Promise<void> {
  const { underWay } = worker;
  if (underWay.has(delivery.id)) return;
  underWay.add(delivery.id);
  try {
    await deliverOne(worker, delivery);
  } finally {
    underWay.delete(delivery.id);
  }
}

async function deliverOne(worker: Worker, delivery: Delivery): Promise<void> {
  const { store, announcer, brake, unnoted, now, elapsedMs } = worker;
  const earlier = unnoted.get(delivery.id);
  if (earlier) return note(worker, delivery, earlier);
  const heldMs = brake.heldUntil(delivery) - elapsedMs();
  if (heldMs > 0) return store.postpone(delivery.id, now() + Math.min(heldMs, longestLimitMs), "ratelimited");
  const result = await announcer.deliver(delivery);
  if (result.kind !== "delivered") return putOff(worker, delivery, result);
  brake.passed(delivery);
  return note(worker, delivery, { posted: result.posted, at: now() });
}

async function note({ store, unnoted }: Worker, { id }: Delivery, done: Posted): Promise<void> {
  unnoted.set(id, done);
  await store.delivered(id, done.posted, done.at);
  unnoted.delete(id);
}

async function putOff(worker: Worker, delivery: Delivery, failure: Failure): Promise<void> {
  const { store, log, now, elapsedMs, brake } = worker;
  const { error, cause } = failure;
  const about = { deliveryId: delivery.id, changeId: delivery.changeId, kind: delivery.kind, error, err: cause };
  if (failure.kind === "never") {
    log.error({ ...about, recipient: delivery.to }, "an announcement cannot be delivered");
    return store.abandon(delivery.id, error, await insteadOf(worker, delivery, error), now());
  }
  const ms = pauseMs(delivery, failure);
  const dueAt = now() + Math.min(ms, longestLimitMs);
  if (failure.isLimit) brake.limited(delivery, elapsedMs() + ms);
  log.warn(about, "an announcement must wait");
  return store.postpone(delivery.id, dueAt, error);
}

function pauseMs({ attempts }: Delivery, { afterMs }: Failure): number {
  const ownMs = Math.min(longestPauseMs, 1000 * 2 ** Math.min(attempts, 10));
  return Math.max(1000, afterMs === undefined ? ownMs : boundedWaitMs(afterMs));
}
