import type { Logger } from "../../observability/log.ts";
import { later } from "../connection/within.ts";
import type { Desk } from "../listeners/desk.ts";
import { drawHome, unavailableHome } from "./draw-home.ts";

/** The Home tabs that people look at. Nothing here fails for a person's sake: what goes wrong is only logged. */
export interface Homes {
  /** Publishes one person's Home tab, which is then kept true for an hour. */
  show(userId: string): Promise<void>;
  /** Someone has their Home tab before them. */
  seen(userId: string): void;
  /** Something changed: publishes anew what was looked at lately, this person's first. Waits for nothing. */
  refresh(firstUserId: string): void;
  /** Resolves when nothing is being published. */
  idle(): Promise<void>;
  /** Publishes nothing more, and lets what is under way end. */
  stop(): Promise<void>;
}

export interface HomesOptions {
  readonly publish: (userId: string) => Promise<void>;
  /** A clock that is never set. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
  /** Between two that are published anew; Slack takes about a hundred a minute (platform.md §11.3, tier 4). */
  readonly gapMs?: number;
}

const keptMs = 3_600_000;
const mostKept = 200;

/**
 * Who opened their Home tab within the last hour is remembered in memory; opening it draws it anew in any case. A person's tab is
 * published by one at a time, so that an older drawing never replaces a newer one; other people's go out one after another.
 */
export function createHomes({ publish, elapsedMs, log, gapMs = 600 }: HomesOptions): Homes {
  const seenAt = new Map<string, number>();
  const turns = new Map<string, Promise<void>>();
  /** Not begun yet: whoever asks again meanwhile gets the same drawing, which will be as new. */
  const queued = new Map<string, Promise<void>>();
  let waiting: readonly string[] = [];
  let round: Promise<void> | undefined;
  let isStopped = false;

  const seen = (userId: string): void => {
    seenAt.delete(userId);
    seenAt.set(userId, elapsedMs());
    for (const [longest, at] of seenAt) {
      if (seenAt.size <= mostKept && elapsedMs() - at < keptMs) return;
      seenAt.delete(longest);
    }
  };
  const publishInOrder = (userId: string): Promise<void> => {
    const same = queued.get(userId);
    if (same !== undefined) return same;
    const begin = () => {
      queued.delete(userId);
      return publish(userId);
    };
    const earlier = turns.get(userId);
    const turn = (earlier === undefined ? begin() : earlier.then(begin)).catch((error: unknown) =>
      log.warn({ err: error, userId }, "a Home tab could not be published"),
    );
    turns.set(userId, turn);
    if (earlier !== undefined) queued.set(userId, turn);
    return turn.finally(() => {
      if (turns.get(userId) === turn) turns.delete(userId);
    });
  };
  const publishWaiting = async (): Promise<void> => {
    for (let [next, ...rest] = waiting; next !== undefined; [next, ...rest] = waiting) {
      waiting = rest;
      await publishInOrder(next);
      if (waiting.length > 0) await later(gapMs);
    }
    round = undefined;
  };
  return {
    seen,
    show: async (userId) => {
      seen(userId);
      await publishInOrder(userId);
    },
    refresh: (first) => {
      if (isStopped) return;
      const readers = [...seenAt].filter(([, at]) => elapsedMs() - at < keptMs).map(([userId]) => userId);
      if (readers.includes(first)) void publishInOrder(first);
      const others = readers.filter((userId) => userId !== first).reverse();
      waiting = [...new Set([...waiting, ...others])];
      if (round === undefined && waiting.length > 0) round = publishWaiting();
    },
    idle: async () => {
      while (round !== undefined || turns.size > 0) await Promise.all([round, ...turns.values()]);
    },
    stop: async () => {
      isStopped = true;
      waiting = [];
      await Promise.all(turns.values());
    },
  };
}

/** Draws and publishes one person's Home tab; what could not be drawn is said there. */
export async function publishHome(desk: Desk, userId: string): Promise<void> {
  const view = await drawHome(desk, userId).catch((error: unknown) => {
    desk.log.error({ err: error, userId }, "a Home tab could not be drawn");
    return unavailableHome();
  });
  await desk.client.views.publish({ user_id: userId, view });
}
