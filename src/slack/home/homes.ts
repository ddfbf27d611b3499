import { setTimeout as delay } from "node:timers/promises";
import PQueue from "p-queue";
import type { Logger } from "../../observability/log.ts";
import { logWithReference } from "../../observability/log.ts";
import { drawHome, type HomeSources, unavailableHome } from "./draw-home.ts";

/** The open Home tabs. Failures are only logged: no request fails because of a Home tab. */
export type Homes = ReturnType<typeof createHomes>;

export interface HomesOptions {
  readonly publish: (userId: string) => Promise<void>;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
  /** The pause between two tabs of a refresh; Slack takes about a hundred a minute (PLATFORM.md §11.3, tier 4). */
  readonly gapMs?: number;
}

const keptMs = 3_600_000;
const maxKept = 200;

/**
 * Remembers in memory who opened their Home tab in the last hour. At most one publication per person runs at a time: an older
 * drawing must not replace a newer one. A refresh publishes other people's tabs one after another.
 */
export function createHomes({ publish, elapsedMs, log, gapMs = 600 }: HomesOptions) {
  const seenAt = new Map<string, number>();
  const publishing = new Map<string, Promise<void>>();
  /** Not started yet, so one more request can share it. */
  const queued = new Map<string, Promise<void>>();
  let waiting: readonly string[] = [];
  let refreshing: Promise<void> | undefined;
  let isStopped = false;

  const seen = (userId: string): void => {
    seenAt.delete(userId);
    seenAt.set(userId, elapsedMs());
    for (const [oldest, at] of seenAt) {
      if (seenAt.size <= maxKept && elapsedMs() - at < keptMs) return;
      seenAt.delete(oldest);
    }
  };
  const publishInOrder = (userId: string): Promise<void> => {
    const shared = queued.get(userId);
    if (shared !== undefined) return shared;
    const begin = () => {
      queued.delete(userId);
      return publish(userId);
    };
    const earlier = publishing.get(userId);
    const publication = (earlier === undefined ? begin() : earlier.then(begin)).catch((error: unknown) =>
      log.warn({ err: error, userId }, "could not publish a Home tab"),
    );
    publishing.set(userId, publication);
    if (earlier !== undefined) queued.set(userId, publication);
    return publication.finally(() => {
      if (publishing.get(userId) === publication) publishing.delete(userId);
    });
  };
  const publishWaiting = async (): Promise<void> => {
    for (let [next, ...rest] = waiting; next !== undefined; [next, ...rest] = waiting) {
      waiting = rest;
      await publishInOrder(next);
      if (waiting.length > 0) await delay(gapMs, undefined, { ref: false });
    }
    refreshing = undefined;
  };
  return {
    /** Called when somebody has their Home tab open. */
    seen,
    /** Publishes one person's Home tab and keeps it current for an hour. */
    show: async (userId: string) => {
      seen(userId);
      await publishInOrder(userId);
    },
    /** After a change: publishes the recently seen tabs again, this person's first. Does not wait for them. */
    refresh: (first: string) => {
      if (isStopped) return;
      const readers = [...seenAt].filter(([, at]) => elapsedMs() - at < keptMs).map(([userId]) => userId);
      if (readers.includes(first)) void publishInOrder(first);
      const others = readers.filter((userId) => userId !== first).reverse();
      waiting = [...new Set([...waiting, ...others])];
      if (refreshing === undefined && waiting.length > 0) refreshing = publishWaiting();
    },
    /** Resolves when nothing is being published. */
    idle: async () => {
      while (refreshing !== undefined || publishing.size > 0) await Promise.all([refreshing, ...publishing.values()]);
    },
    /** Publishes nothing more; resolves when the running publications have ended. */
    stop: async () => {
      isStopped = true;
      waiting = [];
      await Promise.all(publishing.values());
    },
  };
}

/** Many people may open their Home tabs together: a few are drawn at a time. */
const maxDrawn = 8;

/** Draws and publishes one person's Home tab, or a notice when it cannot be drawn. */
export function createPublishHome(sources: HomeSources): HomesOptions["publish"] {
  const drawing = new PQueue({ concurrency: maxDrawn });
  return async (userId) => {
    const view = await drawing
      .add(() => drawHome(sources, userId))
      .catch((error: unknown) => {
        return unavailableHome(logWithReference(sources.log, error, "could not draw a Home tab", { userId }));
      });
    await sources.client.views.publish({ user_id: userId, view });
  };
}
