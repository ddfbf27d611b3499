import { within } from "../../time/within.ts";
import type { Purpose } from "./actors.ts";
import { createAgedCache } from "./aged-cache.ts";

/** Slack was asked and has not answered yet, and nothing that it said before may stand in for the answer. */
export class SlackSilentError extends Error {
  override readonly name = "SlackSilentError";
  readonly code = "SlackSilent";

  constructor() {
    super(`Slack did not answer a look-up within ${deadlineMs} ms`);
  }
}

export interface LookUp<V> {
  /** What Slack says, young enough for the purpose. Throws a SlackSilentError when it does not say in time. */
  get(key: string, purpose: Purpose): Promise<V>;
  /** What Slack said last, if that is younger than this. */
  last(key: string, youngerThanMs?: number): V | undefined;
}

export interface LookUpOptions {
  /** A clock that is never set. */
  readonly elapsedMs: () => number;
  /** How old an answer may be for each purpose. */
  readonly maxAgeMs: Readonly<Record<Purpose, number>>;
}

/** Counted from when Slack was asked, so that of several look-ups for one request only the first waits. */
const deadlineMs = 1500;
/** The answer may be here already, where this process was too busy to look. */
const busyMs = 50;
/** How old an answer may be that stands in for one that does not come. */
const longestStandInMs = 5 * 60_000;
const mostKept = 10_000;

/**
 * Asks Slack with a short deadline. After it a read takes what Slack said lately; a change does not, since it must not be made by
 * somebody who has lost the right. The question stays open, so that an answer that comes late serves the next try.
 */
export function createLookUp<V>(load: (key: string) => Promise<V>, { elapsedMs, maxAgeMs }: LookUpOptions): LookUp<V> {
  const requestedAt = new Map<string, number>();
  const answers = new Map<string, { readonly at: number; readonly value: V }>();
  const ask = async (key: string) => {
    const at = elapsedMs();
    requestedAt.set(key, performance.now());
    try {
      const value = await load(key);
      answers.delete(key);
      answers.set(key, { at, value });
      const [oldest] = answers.keys();
      if (answers.size > mostKept && oldest !== undefined) answers.delete(oldest);
      return value;
    } finally {
      requestedAt.delete(key);
    }
  };
  const cache = createAgedCache(ask, { elapsedMs, maxAgeMs: maxAgeMs.read });
  const last = (key: string, youngerThanMs = longestStandInMs) => {
    const answer = answers.get(key);
    return answer && elapsedMs() - answer.at < youngerThanMs ? answer.value : undefined;
  };
  return {
    last,
    get: async (key, purpose) => {
      const asking = cache.get(key, maxAgeMs[purpose]).then((value) => ({ value }));
      const leftMs = deadlineMs - (performance.now() - (requestedAt.get(key) ?? performance.now()));
      const answer = (await within(Math.max(0, leftMs), asking)) ?? (await within(busyMs, asking));
      if (answer) return answer.value;
      const standIn = purpose === "read" ? last(key) : undefined;
      if (standIn === undefined) throw new SlackSilentError();
      return standIn;
    },
  };
}
