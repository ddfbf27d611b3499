import PQueue from "p-queue";
import { every, type Repeated } from "../time/loop.ts";
import { cannotBeRead, fingerprintOf, type LiveSettings, parseSettings } from "./read-settings.ts";

export interface ConfigWatch {
  readonly file: string;
  readonly readFile: (path: string) => string;
  /** The fingerprint of the config in force: a file that still has it is not parsed again. */
  readonly startedWith: string;
  /** `isAsked`: an operator asked for the reload; otherwise the file changed. */
  readonly onSettings: (read: LiveSettings, isAsked: boolean) => Promise<void>;
  /** The file cannot be used; the present settings stay. */
  readonly onProblems: (problems: readonly string[]) => Promise<void>;
  /** The reload failed for another reason, and is retried. Called once until one succeeds; must not throw. */
  readonly onFailure: (error: unknown) => Promise<void>;
  readonly pollMs?: number | undefined;
  /** Between two reads. */
  readonly pause?: (() => Promise<unknown>) | undefined;
}

/** The content is read each time: editors, orchestrators and copies may keep its time and size. */
const defaultPollMs = 2000;
const pauseMs = 1000;

/**
 * Hands over the config file when it has changed, and when asked to. Reloads run one after another, so that the last one wins. The
 * file is read until two reads a second apart agree, since a copy may be in progress.
 */
export function watchConfig(options: ConfigWatch) {
  const { file, readFile, onSettings, onProblems, onFailure, pollMs = defaultPollMs, pause = aSecond } = options;
  let isStopped = false;
  let isFailing = false;
  let seen: FileRead | undefined;
  const reloads = new PQueue({ concurrency: 1 });

  const readTwice = async (): Promise<FileRead> => {
    for (let found = readOnce(file, readFile); ; ) {
      if (!isStopped) await pause();
      const next = readOnce(file, readFile);
      if (isSame(found, next)) return next;
      found = next;
    }
  };
  const readAgain = async (isAsked: boolean): Promise<void> => {
    if (isStopped) return;
    try {
      seen = await readTwice();
      if (isStopped) return;
      const read = "text" in seen ? parseSettings(seen.text, file) : seen;
      if ("problems" in read) await onProblems(read.problems);
      else await onSettings({ settings: read.settings, lint: read.lint }, isAsked);
      isFailing = false;
    } catch (error) {
      if (!isFailing) await onFailure(error);
      isFailing = true;
    }
  };
  /** Retries settings that could not be applied: a revoked right must not stay until the file changes again. */
  const poll = () =>
    reloads.add(async () => {
      if (isFailing || !seen || !isSame(seen, readOnce(file, readFile))) await readAgain(false);
    });
  let polling: Repeated | undefined;
  return {
    start: () => {
      const found = readOnce(file, readFile);
      if ("text" in found && fingerprintOf(found.text) === options.startedWith) seen = found;
      polling = every(pollMs, poll, onFailure);
    },
    reload: () => reloads.add(() => readAgain(true)),
    /** Runs the work with reloads blocked, if the file still has this fingerprint. */
    whileStill: (fingerprint: string, work: () => Promise<void>): Promise<boolean> =>
      reloads.add(async () => {
        const now = readOnce(file, readFile);
        const isStill = "text" in now && fingerprintOf(now.text) === fingerprint;
        if (isStill) await work();
        return isStill;
      }),
    stop: () => {
      isStopped = true;
      void polling?.stop();
    },
  };
}

type FileRead = { readonly text: string } | { readonly problems: readonly string[] };

function readOnce(file: string, readFile: (path: string) => string): FileRead {
  try {
    return { text: readFile(file) };
  } catch (error) {
    return { problems: [cannotBeRead(file, error)] };
  }
}

const isSame = (one: FileRead, other: FileRead): boolean =>
  "text" in one ? "text" in other && one.text === other.text : "problems" in other;

/** Does not keep the process alive. */
const aSecond = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, pauseMs).unref());
