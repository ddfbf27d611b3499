import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import PQueue from "p-queue";
import type { App } from "../app.ts";
import { type Comparison, compareSettings } from "../config/compare-settings.ts";
import { cannotBeRead, fingerprintOf, type LiveSettings, parseSettings } from "../config/read-settings.ts";
import type { Settings } from "../config/settings.ts";
import { type Logger, logWithReference } from "../observability/log.ts";
import { bullets } from "../slack/messages/cards/config-request-card.ts";
import { every, type Repeated } from "../time/loop.ts";
import type { ProcessEnv } from "./process-env.ts";

type Looking = Pick<ConfigWatch, "file" | "readFile" | "pollMs" | "pause">;

interface Followed extends Looking, Pick<ProcessEnv, "onReloadAsked"> {
  /** The config that the app starts with. */
  readonly started: Settings;
  /** The sandbox applies a loosening config without approval: its author runs the process, and nothing real is behind it. */
  readonly isSandbox?: boolean;
  readonly log: Logger;
  /** Prints to the terminal, in addition to the log. */
  readonly print?: (text: string) => void;
}

/**
 * Applies the config file to the running app when the file changes or the process gets a reload request. A changed file that loosens
 * something waits for the admins; a requested reload does not. Requests during the start run after it.
 */
export function followConfig(app: App, followed: Followed): App {
  const { onReloadAsked, ...looking } = followed;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const follower = createFollower(app, followed, (fingerprint, work) => watch.whileStill(fingerprint, work));
  const watch = watchConfig({ ...looking, ...follower, startedWith: followed.started.fingerprint });
  onReloadAsked(() => begun.then(watch.reload));
  return {
    ...app,
    start: async () => {
      const started = await app.start();
      watch.start();
      begin();
      return started;
    },
    stop: () => {
      watch.stop();
      begin();
      return app.stop();
    },
  };
}

const otherAccounts = "“accounts” has changed, which takes a restart of Curfew.";

type WhileStill = (fingerprint: string, work: () => Promise<void>) => Promise<boolean>;

/** Decides what to do with a newly read config: ignore it, apply it, or hold it for the admins. */
function createFollower(app: App, followed: Followed, whileStill: WhileStill) {
  const { file, log, isSandbox = false, print = () => undefined } = followed;
  let inForce = followed.started;
  let heldFingerprint: string | undefined;
  let isProblemReported = false;
  /** Of a config that the app may use although taking it over failed. */
  let unfinished: { readonly fingerprint: string; readonly finish: () => Promise<void> } | undefined;

  const stepTo = ({ fingerprint }: Settings): string =>
    createHash("sha256").update(`${inForce.fingerprint} ${fingerprint}`).digest("hex");
  const take = async (read: LiveSettings, loosens: readonly string[], isConfirmed = false): Promise<void> => {
    unfinished = { fingerprint: read.settings.fingerprint, finish: () => take(read, loosens, isConfirmed) };
    await app.reload(read.settings, { id: stepTo(read.settings), loosens, isConfirmed });
    unfinished = undefined;
    inForce = read.settings;
    heldFingerprint = undefined;
    log.info({ configFile: file }, "the config was read again");
    logLint(read.lint, log);
    print(`${file} was read again.`);
    if (isProblemReported) await app.reportMended("The config was read again, and is taken over now.");
    isProblemReported = false;
  };
  const drop = async (): Promise<void> => {
    if (heldFingerprint === undefined) return;
    heldFingerprint = undefined;
    await app.dropConfig(`${file} has changed since, so nobody decides on this any more.`);
  };
  const hold = async (read: LiveSettings, comparison: Comparison): Promise<void> => {
    heldFingerprint = read.settings.fingerprint;
    log.warn({ configFile: file, ...comparison }, "the config stays as it was: the new one loosens something");
    const base = inForce;
    const use = async (): Promise<boolean> => {
      const isStill = await whileStill(read.settings.fingerprint, async () => {
        if (inForce === base) await take(read, comparison.loosens);
      });
      // Another config may be held by now.
      if (!isStill && heldFingerprint === read.settings.fingerprint) heldFingerprint = undefined;
      return isStill && inForce === read.settings;
    };
    app.holdConfig({ id: stepTo(read.settings), hash: read.settings.fingerprint, file, ...comparison, use });
  };
  const refuse = async (problems: readonly string[]): Promise<void> => {
    await drop();
    app.noteInvalid();
    isProblemReported = true;
    await app.report(["The config stays as it was:", ...problems].join("\n"));
  };
  return {
    onSettings: async (read: LiveSettings, isAsked: boolean): Promise<void> => {
      if (!isAsked && read.settings.fingerprint === heldFingerprint) return;
      if (!isDeepStrictEqual(read.settings.accounts, inForce.accounts)) return refuse([otherAccounts]);
      if (!isAsked && read.settings.fingerprint === unfinished?.fingerprint) return unfinished.finish();
      const comparison = compareSettings(read.settings, inForce);
      const channel = inForce.admins?.channel;
      const isLoosening = comparison.loosens.length > 0;
      // Applying the held config closes its own request, so drop only the request for another one.
      if (read.settings.fingerprint !== heldFingerprint) await drop();
      if (isLoosening && !isAsked && !isSandbox) return hold(read, comparison);
      if (!isAsked && !isProblemReported && !unfinished && read.settings.fingerprint === inForce.fingerprint) return;
      await take(read, comparison.loosens, isLoosening && isAsked);
      if (isLoosening && isSandbox)
        print([...bullets(comparison.loosens), "A real workspace asks its admins before that."].join("\n"));
      await report(app, { file, isAsked, channel }, comparison);
    },
    onProblems: refuse,
    onFailure: async (error: unknown): Promise<void> => {
      isProblemReported = true;
      await reportFailure(app, followed, error);
    },
  };
}

async function reportFailure(app: App, { file, log }: Followed, error: unknown): Promise<void> {
  const reference = logWithReference(log, error, "the config could not be applied; trying again");
  try {
    await app.report(
      `The config stays as it was: ${file} could not be applied. Curfew tries again; the log says why: ${reference}.`,
    );
  } catch (err) {
    log.error({ err }, "the failure of the config could not be reported");
  }
}

interface Taken {
  readonly file: string;
  readonly isAsked: boolean;
  /** The admins' channel before the change. */
  readonly channel: string | undefined;
}

async function report(app: App, { file, isAsked, channel }: Taken, { loosens, tightens }: Comparison): Promise<void> {
  const why = isAsked ? "since Curfew was asked to read it (SIGHUP)" : "since it has changed";
  const tighter = tightens.length > 0 ? [`It tightens ${tightens.join(", ")}.`] : [];
  const looser = loosens.length > 0 ? ["It loosens:", ...bullets(loosens)] : [];
  if (tighter.length + looser.length === 0) return;
  const text = [`${file} was taken over, ${why}.`, ...looser, ...tighter].join("\n");
  await app.notify(text, loosens.length > 0 ? ":unlock:" : ":lock:", channel);
}

export function logLint({ error, warning }: LiveSettings["lint"], log: Logger): void {
  const lint = [...error, ...warning];
  if (lint.length > 0) log.warn({ lint }, "the config says something to no effect");
}

interface ConfigWatch {
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
