import { within } from "../../time/within.ts";
import { isOfSlack, slackRefusal } from "../checks/slack-refusal.ts";

/** Why somebody is looked up; a change needs fresher facts. */
export type Purpose = "read" | "change";

/** Slack did not answer, or limits the rate, and no earlier answer may be used instead. */
export class SlackSilentError extends Error {
  override readonly name = "SlackSilentError";
  readonly code = "SlackSilent";

  constructor(cause: unknown) {
    super(`Slack did not answer a look-up within ${deadlineMs} ms, or limits the rate: try again`, { cause });
  }
}

export interface LookUp<V> {
  /** The value, fresh enough for the purpose. Throws a SlackSilentError when Slack does not answer, and any other error as it is. */
  get(key: string, purpose: Purpose): Promise<V>;
  /** The last answer, if it is younger than this. */
  last(key: string, youngerThanMs?: number): V | undefined;
}

export interface LookUpOptions {
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  /** How old an answer may be for each purpose. */
  readonly maxAgeMs: Readonly<Record<Purpose, number>>;
}

/** Counted from the call to Slack: of several look-ups for one request only the first one waits. */
const deadlineMs = 1500;
/** A busy process may have the answer but not have read it yet. */
const busyMs = 50;
/** How old an answer may be that replaces a missing one. A change needs a recent one: its requester may have lost the right. */
const maxStaleMs: Readonly<Record<Purpose, number>> = { read: 5 * 60_000, change: 60_000 };
const maxKept = 10_000;

/**
 * Asks Slack with a short deadline. While Slack does not answer or limits the rate, the last answer is used for a while. The call goes
 * on, so a late answer serves the next try.
 */
export function createLookUp<V>(load: (key: string) => Promise<V>, { elapsedMs, maxAgeMs }: LookUpOptions): LookUp<V> {
  const requestedAt = new Map<string, number>();
  const answers = new Map<string, { readonly at: number; readonly value: V }>();
  const loadAnswer = async (key: string) => {
    const at = elapsedMs();
    requestedAt.set(key, performance.now());
    try {
      const value = await load(key);
      answers.delete(key);
      answers.set(key, { at, value });
      const [oldest] = answers.keys();
      if (answers.size > maxKept && oldest !== undefined) answers.delete(oldest);
      return value;
    } finally {
      requestedAt.delete(key);
    }
  };
  const cache = createAgedCache(loadAnswer, { elapsedMs, maxAgeMs: maxAgeMs.read });
  const last = (key: string, youngerThanMs = maxStaleMs.read) => {
    const answer = answers.get(key);
    return answer && elapsedMs() - answer.at < youngerThanMs ? answer.value : undefined;
  };
  return {
    last,
    get: async (key, purpose) => {
      let silence: unknown;
      const asking = cache.get(key, maxAgeMs[purpose]).then(
        (value) => ({ value }),
        (error: unknown) => {
          if (!isOfSlack(error) || slackRefusal(error).kind === "refused") throw error;
          silence = error;
        },
      );
      const leftMs = deadlineMs - (performance.now() - (requestedAt.get(key) ?? performance.now()));
      const answer = (await within(Math.max(0, leftMs), asking)) ?? (await within(busyMs, asking));
      if (answer) return answer.value;
      const stale = last(key, maxStaleMs[purpose]);
      if (stale === undefined) throw new SlackSilentError(silence);
      return stale;
    },
  };
}

export interface AgedCache<V> {
  /** `youngerThanMs`: for a caller that needs a fresher value than the cache keeps. */
  get(key: string, youngerThanMs?: number): Promise<V>;
}

/** Keeps a loaded value for `maxAgeMs`. Concurrent callers share one load. A failure is not kept, and the earlier value stays. */
export function createAgedCache<V>(
  load: (key: string) => Promise<V>,
  { elapsedMs, maxAgeMs, maxEntries = 10_000 }: { elapsedMs: () => number; maxAgeMs: number; maxEntries?: number },
): AgedCache<V> {
  const kept = new Map<string, { readonly at: number; readonly value: Promise<V> }>();
  return {
    get: (key, youngerThanMs = maxAgeMs) => {
      const known = kept.get(key);
      if (known && elapsedMs() - known.at < youngerThanMs) return known.value;
      const value = load(key);
      kept.delete(key);
      kept.set(key, { at: elapsedMs(), value });
      const [oldest] = kept.keys();
      if (kept.size > maxEntries && oldest !== undefined) kept.delete(oldest);
      value.catch(() => {
        if (kept.get(key)?.value !== value) return;
        kept.delete(key);
        if (known) kept.set(key, known);
      });
      return value;
    },
  };
}
