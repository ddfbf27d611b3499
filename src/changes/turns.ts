import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../log.ts";
import { NoTurnError } from "./no-turn-error.ts";
import type { TurnStore } from "./ports.ts";

export interface Turns {
  /** Throws a NoTurnError, with nothing done, for one that would still have to wait for another machine when `stopWaiting` is called. */
  readonly inTurn: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  stopWaiting(): void;
}

/**
 * Lets those who come with the same key go one after the other: in this process in the order they came, and across machines whoever
 * takes the turn first. A key is kept only while somebody is at it.
 */
export function createTurns(store: TurnStore, log: Logger): Turns {
  const stopping = new AbortController();
  const last = new Map<string, Promise<unknown>>();
  const alone = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await taken(store, key, stopping.signal);
    try {
      return await work();
    } finally {
      await store.endTurn(key).catch((error: unknown) => {
        log.warn({ err: error, turn: key }, "a turn could not be given back, and is given back later");
        giveBackLater(key);
      });
    }
  };
  // Others wait for it as long as this instance is alive. To take it once more is harmless, and ends it.
  const giveBackLater = (key: string) => {
    setTimeout(() => {
      if (!stopping.signal.aborted) inTurn(key, async () => undefined).catch(() => giveBackLater(key));
    }, giveBackAfterMs).unref();
  };
  const inTurn: Turns["inTurn"] = async (key, work) => {
    const next = () => alone(key, work);
    const turn = (last.get(key) ?? Promise.resolve()).then(next, next);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
  return { inTurn, stopWaiting: () => stopping.abort() };
}

const giveBackAfterMs = 5000;
const firstPauseMs = 20;
const longestPauseMs = 500;

/** Resolves when the turn is this machine's. The pauses vary, so that two that wait do not keep on asking at the same moment. */
async function taken(store: TurnStore, key: string, signal: AbortSignal): Promise<void> {
  for (let pauseMs = firstPauseMs; !(await store.takeTurn(key)); pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    await wait(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch((cause: unknown) => {
      throw new NoTurnError(key, cause);
    });
  }
}
