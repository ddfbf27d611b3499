import type { Delivery, DeliveryStore, NewDelivery } from "../changes/ports.ts";
import type { Logger } from "../log.ts";
import type { Announcer, DeliveryResult } from "./announcer.ts";

export interface Deliveries {
  /** Delivers what is due, now or as soon as the present round is over. */
  kick(): void;
  /** Resolves when no round is under way. What Slack does not take yet may still be in the queue. */
  idle(): Promise<void>;
  /** Takes no further round and waits for the present one. What is left stays in the queue. */
  stop(): Promise<void>;
}

export interface DeliveryOptions {
  readonly store: DeliveryStore;
  readonly announcer: Announcer;
  readonly now: () => number;
  readonly log: Logger;
  /** The Slack user who asked for a change. */
  readonly askerOf: (changeId: string) => Promise<string | undefined>;
  /** Where those who run Curfew are told what they must mend. */
  readonly adminsChannel: () => string | undefined;
}

const longestPauseMs = 60_000;

/**
 * Empties the queue of announcements: one at a time, so that each channel hears things in their order; what Slack does not take
 * is tried again, later and later, and what can never be delivered is told to the asker instead.
 */
export function createDeliveries(options: DeliveryOptions): Deliveries {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const rounds = async () => {
    while (isWanted && !isStopped) {
      isWanted = false;
      await deliverDue(options, () => isStopped);
    }
    if (!isStopped) await wakeForNext();
  };
  const wakeForNext = async () => {
    const dueAt = await options.store.nextDueAt();
    if (dueAt === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(kick, Math.min(Math.max(dueAt - options.now(), 50), longestPauseMs));
    timer.unref();
  };
  const kick = () => {
    isWanted = true;
    if (isStopped || running !== undefined) return;
    running = rounds()
      .catch((error: unknown) => {
        options.log.error({ err: error }, "the queue of announcements could not be worked");
        timer = setTimeout(kick, longestPauseMs);
        timer.unref();
      })
      .finally(() => {
        running = undefined;
        if (isWanted && !isStopped) kick();
      });
  };
  return {
    kick,
    idle: async () => {
      while (running !== undefined) await running;
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function deliverDue(options: DeliveryOptions, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const delivery = await options.store.nextDue(options.now());
    if (!delivery) return;
    await deliverOne(options, delivery);
  }
}

async function deliverOne(options: DeliveryOptions, delivery: Delivery): Promise<void> {
  const { store, announcer, log, now } = options;
  // First of all: a database that takes no note of a post must not have it posted over and over.
  await store.claim(delivery.id, now() + longestPauseMs);
  const result = await announcer.deliver(delivery);
  const about = { deliveryId: delivery.id, changeId: delivery.changeId, kind: delivery.kind };
  switch (result.kind) {
    case "delivered":
      return store.delivered(delivery.id, result.posted);
    case "later": {
      log.warn({ ...about, error: result.error }, "an announcement must wait");
      return store.postpone(delivery.id, now() + pauseMs(delivery, result), result.error);
    }
    case "never": {
      log.error({ ...about, error: result.error, recipient: delivery.to }, "an announcement cannot be delivered");
      return store.abandon(delivery.id, result.error, await insteadOf(options, delivery, result.error), now());
    }
  }
}

/** A card that reaches no channel is told to its asker and to those who run Curfew; nothing is told about lesser things. */
async function insteadOf(options: DeliveryOptions, delivery: Delivery, error: string): Promise<readonly NewDelivery[]> {
  if (delivery.kind !== "card") return [];
  const asker = await options.askerOf(delivery.changeId).catch((err: unknown) => {
    options.log.error({ err, changeId: delivery.changeId }, "the asker of a change could not be found");
    return undefined;
  });
  const admins = options.adminsChannel();
  const note = `It could not be announced in the channel ${delivery.to}: Slack says ${error}. Curfew must be a member there.`;
  const told = { changeId: delivery.changeId, underChangeId: null, note };
  return [
    ...(asker ? [{ ...told, kind: "tell", to: asker } as const] : []),
    ...(admins && admins !== delivery.to ? [{ ...told, kind: "report", to: admins } as const] : []),
  ];
}

function pauseMs({ attempts }: Delivery, { afterMs }: Extract<DeliveryResult, { kind: "later" }>): number {
  return afterMs ?? Math.min(longestPauseMs, 1000 * 2 ** Math.min(attempts, 6));
}
