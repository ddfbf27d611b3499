import { within } from "../../time/within.ts";
import { isOfSlack, slackRefusal } from "../checks/slack-refusal.ts";

/** Why somebody is looked up. A “change” is any but of an exclusion: accounts, credentials, policies, the config, and every approval. */
export type Purpose = "read" | "exclusion" | "change";

/**
 * How long an answer about a person, the groups or a channel's members counts. Slack's events say earlier that one is no longer true
 * (`forget`); these ages are for the events that come late or never.
 */
const maxAgeMs: Readonly<Record<Purpose, number>> = { read: 60_000, exclusion: 60_000, change: 5000 };
/** A request that may use an answer older than this has it read again beside it, so that the next one does not wait: twice a minute at most. */
const refreshedAfterMs = 30_000;

/** Slack did not answer, or limits the rate, and no earlier answer may be used instead. */
export class SlackSilentError extends Error {
  override readonly name = "SlackSilentError";
  readonly code = "SlackSilent";

  constructor(cause: unknown) {
    super(`Slack did not answer a look-up within ${deadlineMs} ms, or limits the rate: try again`, { cause });
  }
}

export interface Dated<V> {
  readonly at: number;
  readonly value: V;
}

export interface LookUpOptions<V> {
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  /** How old an answer may be for each purpose. */
  readonly maxAgeMs?: Readonly<Record<Purpose, number>>;
  /** A fresh answer that came another way, and when it was asked for. Never used for a change. What has one is not read again in the background. */
  readonly otherwise?: (key: string) => Dated<V> | undefined;
}

/** Counted from the call to Slack, or from when somebody asked: of several look-ups for one request only the first one waits. */
const deadlineMs = 1500;
/** A busy process may have the answer but not have read it yet. */
const busyMs = 50;
/** How old an answer may be that replaces a missing one. A change needs a recent one: its requester may have lost the right. */
const maxStaleMs: Readonly<Record<Purpose, number>> = { read: 5 * 60_000, exclusion: 60_000, change: 60_000 };
const maxKept = 10_000;
const activeMs = 10 * 60_000;
/** Slack allows some 100 look-ups of people a minute (PLATFORM.md §11.3). */
const maxActive = 50;

/**
 * Asks Slack with a short deadline. While Slack does not answer or limits the rate, the last answer is used for a while. The call goes
 * on, so a late answer serves the next try.
 */
export function createLookUp<V>(
  load: (key: string) => Promise<V>,
  { elapsedMs, maxAgeMs: ageMs = maxAgeMs, otherwise = () => undefined }: LookUpOptions<V>,
) {
  const loads = new Map<string, { readonly startedAt: number }>();
  const answers = new Map<string, Dated<V>>();
  const active = createActive(elapsedMs);
  const loadAnswer = async (key: string) => {
    const at = elapsedMs();
    const own = { startedAt: performance.now() };
    loads.set(key, own);
    try {
      const value = await load(key);
      if (loads.get(key) === own) {
        answers.delete(key);
        answers.set(key, { at, value });
        dropOldest(answers, maxKept);
      }
      return value;
    } finally {
      if (loads.get(key) === own) loads.delete(key);
    }
  };
  const cache = createAgedCache(loadAnswer, { elapsedMs, maxAgeMs: ageMs.read });
  const newest = (key: string, purpose: Purpose): Dated<V> | undefined => {
    const [own, found] = [answers.get(key), purpose === "change" ? undefined : otherwise(key)];
    return found && found.at > (own?.at ?? Number.NEGATIVE_INFINITY) ? found : own;
  };
  const last = (key: string, youngerThanMs = maxStaleMs.read, purpose: Purpose = "read") => {
    const answer = newest(key, purpose);
    return answer && elapsedMs() - answer.at < youngerThanMs ? answer.value : undefined;
  };
  return {
    /** The last answer, if it is younger than this; and whether it is fresh enough for anything but a change. */
    last,
    isFresh: (key: string) => last(key, ageMs.read) !== undefined,
    /** What is known is no longer true: the next request reads it again, and an answer on its way does not count. */
    forget: (key: string) => {
      loads.delete(key);
      answers.delete(key);
      cache.forget(key);
    },
    active: active.count,
    /** Reads again what was needed within the last ten minutes, at most fifty. */
    refresh: async () => {
      for (const key of active.keys()) if (!otherwise(key)) await cache.refresh(key, refreshedAfterMs);
    },
    /** The value, fresh enough for the purpose. Throws a SlackSilentError when Slack does not answer, and any other error as it is. */
    get: async (key: string, purpose: Purpose, askedAt = performance.now()) => {
      active.note(key);
      const known = newest(key, purpose);
      // It came another way.
      if (known && known !== answers.get(key)) return known.value;
      let silence: unknown;
      const asking = cache.get(key, ageMs[purpose]).then(
        (value) => ({ value }),
        (error: unknown) => {
          if (!isOfSlack(error) || slackRefusal(error).kind === "refused") throw error;
          silence = error;
        },
      );
      const { startedAt = askedAt } = loads.get(key) ?? {};
      if (purpose !== "change" && !otherwise(key)) void cache.refresh(key, refreshedAfterMs);
      const leftMs = Math.max(0, deadlineMs - (performance.now() - Math.min(startedAt, askedAt)));
      const answer = (await within(leftMs, asking)) ?? (await within(busyMs, asking));
      if (answer) return answer.value;
      const stale = last(key, maxStaleMs[purpose], purpose);
      if (stale === undefined) throw new SlackSilentError(silence);
      return stale;
    },
  };
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** What was needed lately, the latest fifty. */
function createActive(elapsedMs: () => number) {
  const neededAt = new Map<string, number>();
  return {
    note: (key: string): void => {
      neededAt.delete(key);
      neededAt.set(key, elapsedMs());
      dropOldest(neededAt, maxActive);
    },
    count: () => neededAt.size,
    keys: (): readonly string[] => {
      for (const [key, at] of neededAt) if (elapsedMs() - at > activeMs) neededAt.delete(key);
      return [...neededAt.keys()];
    },
  };
}

/** Keeps a loaded value for `maxAgeMs`. Concurrent callers share one load. A failure is not kept, and the earlier value stays. */
export function createAgedCache<V>(
  load: (key: string) => Promise<V>,
  { elapsedMs, maxAgeMs, maxEntries = 10_000 }: { elapsedMs: () => number; maxAgeMs: number; maxEntries?: number },
) {
  interface Kept {
    readonly at: number;
    readonly value: Promise<V>;
    /** When it was last loaded, also in vain. */
    triedAt: number;
    refreshing?: Promise<void>;
  }
  const kept = new Map<string, Kept>();
  return {
    forget: (key: string) => void kept.delete(key),
    /** Loads an older value again, and after a failure not sooner than that. Until it has succeeded, the present one counts. Never throws. */
    refresh: async (key: string, olderThanMs: number) => {
      const known = kept.get(key);
      if (!known || elapsedMs() - known.triedAt < olderThanMs) return known?.refreshing;
      const at = elapsedMs();
      known.triedAt = at;
      known.refreshing = load(key).then(
        (value) => {
          if (kept.get(key) === known) kept.set(key, { at, value: Promise.resolve(value), triedAt: at });
        },
        () => undefined,
      );
      await known.refreshing;
    },
    /** `youngerThanMs`: for a caller that needs a fresher value than the cache keeps. */
    get: (key: string, youngerThanMs: number = maxAgeMs) => {
      const known = kept.get(key);
      if (known && elapsedMs() - known.at < youngerThanMs) return known.value;
      const value = load(key);
      kept.delete(key);
      kept.set(key, { at: elapsedMs(), value, triedAt: elapsedMs() });
      dropOldest(kept, maxEntries);
      value.catch(() => {
        if (kept.get(key)?.value !== value) return;
        kept.delete(key);
        if (known) kept.set(key, known);
      });
      return value;
    },
  };
}
