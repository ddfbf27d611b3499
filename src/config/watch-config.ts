import { cannotBeRead } from "../cli/read-setup.ts";
import { parseSettings, type ReadSettings } from "./settings.ts";

export interface ConfigWatch {
  readonly file: string;
  readonly readFile: (path: string) => string;
  /** `isAsked`: an operator had the process read it, rather than that the file changed. */
  readonly onSettings: (read: ReadSettings, isAsked: boolean) => Promise<void>;
  /** The file cannot be used as it is: what stands goes on. */
  readonly onProblems: (problems: readonly string[]) => Promise<void>;
  readonly lookEveryMs?: number | undefined;
  /** Between two looks. */
  readonly pause?: (() => Promise<unknown>) | undefined;
}

/** It is read each time, since its time and size may stay when editors, orchestrators and copies change it. */
const defaultLookEveryMs = 2000;
const pauseMs = 1000;

/**
 * Hands over the config file when it has changed since it was handed over last, and when asked to; one time after the other, so that
 * the last reading stays. It is read until two looks a second apart find the same, since somebody may be copying it.
 */
export function watchConfig(options: ConfigWatch) {
  const { file, readFile, onSettings, onProblems, lookEveryMs = defaultLookEveryMs, pause = aSecond } = options;
  let isStopped = false;
  let isFailing = false;
  let isLooking = false;
  let seen: Look | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const withLock = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const readTwice = async (): Promise<Look> => {
    for (let found = lookAt(file, readFile); ; ) {
      if (!isStopped) await pause();
      const next = lookAt(file, readFile);
      if (isSame(found, next)) return next;
      found = next;
    }
  };
  const readAgain = async (isAsked: boolean): Promise<void> => {
    seen = await readTwice();
    const read = "text" in seen ? parseSettings(seen.text, file) : seen;
    if ("problems" in read) return onProblems(read.problems);
    try {
      await onSettings(read, isAsked);
      isFailing = false;
    } catch (error) {
      if (!isFailing) await onProblems([`${file} could not be taken over: ${messageOf(error)}`]);
      isFailing = true;
    }
  };
  /** Also after one that could not be taken over: a right that was taken away must not stay until the file changes once more. */
  const look = async (): Promise<void> => {
    if (isLooking || isStopped) return;
    isLooking = true;
    await withLock(async () => {
      if (isFailing || !seen || !isSame(seen, lookAt(file, readFile))) await readAgain(false);
    }).finally(() => {
      isLooking = false;
    });
  };
  const timer = setInterval(() => void look(), lookEveryMs).unref();
  return {
    reload: () => withLock(() => readAgain(true)),
    /** Does something while nothing is read, if the file still says what it said when it was read. */
    whileStill: (fingerprint: string, work: () => Promise<void>): Promise<boolean> =>
      withLock(async () => {
        const now = lookAt(file, readFile);
        const read = "text" in now ? parseSettings(now.text, file) : now;
        const isStill = "fingerprint" in read && read.fingerprint === fingerprint;
        if (isStill) await work();
        return isStill;
      }),
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

type Look = { readonly text: string } | { readonly problems: readonly string[] };

function lookAt(file: string, readFile: (path: string) => string): Look {
  try {
    return { text: readFile(file) };
  } catch (error) {
    return { problems: [cannotBeRead(file, error)] };
  }
}

const isSame = (one: Look, other: Look): boolean =>
  "text" in one ? "text" in other && one.text === other.text : "problems" in other;

/** Keeps no process alive. */
const aSecond = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, pauseMs).unref());

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
