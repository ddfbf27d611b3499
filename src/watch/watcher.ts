import type { ChangeStore } from "../changes/ports.ts";
import type { ReadService } from "../directory/read-service.ts";
import type { Logger } from "../observability/log.ts";
import type { Absence } from "../service/call-outcome.ts";
import { browseOperation } from "../service/operations.ts";
import type { Action } from "../service/resources.ts";
import { inSlices } from "../time/slices.ts";
import { type Schedule, startTimer } from "../time/timer.ts";
import { compareActions } from "./compare-actions.ts";
import { elsewhereBulletins, withoutOwn } from "./elsewhere.ts";
import { lookedBefore } from "./last-run.ts";
import { type WarningOptions, warningEffects } from "./warnings.ts";
import { type WatchEffects, type WatchSettings, type WatchSources, type WatchStore, watchLock } from "./watch-store.ts";
import type { Poll, WatchedAction } from "./watched-action.ts";

export interface WatcherOptions extends Pick<WarningOptions, "zoneOf"> {
  readonly store: WatchStore & WatchSources & Pick<ChangeStore, "list">;
  readonly read: ReadService;
  readonly settings: () => WatchSettings;
  readonly now: () => number;
  readonly log: Logger;
  /** Called when there are new messages. */
  readonly wake: () => void;
  /** Called after each poll that the service answered. */
  readonly onPoll?: ((at: number) => void) | undefined;
  /** Called with the accounts of the service that did not answer a poll; with undefined where another instance watches now. */
  readonly onSilent?: ((missing: ReadonlyMap<string, Absence> | undefined) => void) | undefined;
  readonly schedule?: Schedule | undefined;
}

/** What this instance knows while it watches. */
interface Watching {
  readonly last: ReadonlyMap<string, WatchedAction>;
  /** The answer that it is from, and when that was; undefined for a state from the database. */
  readonly polled?: { readonly answer: readonly Action[]; readonly at: number } | undefined;
}

interface Answered {
  readonly answer: readonly Action[];
  readonly at: number;
  readonly missing: readonly string[];
}

/**
 * One instance watches: the one that holds the lock. It keeps the last state in memory, and in the database for the next one. A poll
 * that finds nothing new writes nothing. A poll that fails is no event: the next one compares with the state before.
 */
export function createWatcher(options: WatcherOptions) {
  const { store, read, now, log, wake, onPoll, onSilent } = options;
  let watching: Watching | undefined;
  /** The last poll, while there are warnings that may have to be drawn again. */
  let warned: Poll | undefined;
  let isFailing = false;

  const pollOnce = async () => {
    watching ??= await takeOver(store);
    if (!watching) return stopWatching();
    const { kind, answer, missing } = { answer: undefined, missing: undefined, ...(await read(browseOperation, {})) };
    if (kind !== "succeeded" || !answer) {
      if (!isFailing) log.warn("the service does not list its actions; Curfew goes on with those it knows");
      isFailing = true;
      return;
    }
    isFailing = false;
    const at = now();
    const isSaved = await saveWhatIsNew(watching, { answer, at, missing: [...(missing?.keys() ?? [])] });
    // Another instance has taken the lock while this one stood still.
    if (!isSaved) return stopWatching();
    onSilent?.(missing ?? new Map());
    onPoll?.(at);
  };
  const stopWatching = () => {
    watching = undefined;
    onSilent?.(undefined);
  };
  /** False, with nothing stored, if another instance watches now. */
  const saveWhatIsNew = async ({ last, polled }: Watching, { answer, at, missing }: Answered): Promise<boolean> => {
    // The list is the same as the last time, mostly.
    const isNew = polled?.answer !== answer || [...last.values()].some(({ missingSince }) => missingSince !== null);
    const { present, changed, gone, events } = isNew
      ? await inSlices(compareActions(last, answer, at, missing))
      : { ...nothingNew, present: last };
    const since = lookedBefore(last, present, polled?.at, at);
    const poll = { now: at, actions: answer, watched: present, events, since };
    const { isWarned, ...effects } = await effectsOf(poll, options);
    const hasNews = changed.length > 0 || gone.length > 0 || !isEmpty(effects);
    const isSaved = hasNews ? await store.saveWatch({ changed, gone, ...effects }, at) : await store.isWatching();
    if (!isSaved) return false;
    watching = { last: present, polled: { answer, at } };
    warned = isWarned ? poll : undefined;
    if (hasNews) wake();
    return true;
  };
  const redraw = async (last: Poll) => {
    const { bulletins, redrawn } = await warningEffects({ ...last, now: now() }, options);
    if (isEmpty({ bulletins, redrawn })) return;
    if (await store.saveWatch({ changed: [], gone: [], bulletins, redrawn }, now())) wake();
    else stopWatching();
  };
  const onError = (error: unknown) => {
    watching = undefined;
    log.warn({ err: error }, "could not watch the service's actions; trying again");
  };
  const { run, stop, ...loop } = createPollLoop(pollOnce, onError, options);
  return {
    ...loop,
    /** An exclusion may have been made or ended: warnings that are shown are compared with it. */
    wake: () => {
      if (watching && warned) void run(() => (warned ? redraw(warned) : Promise.resolve()));
    },
    /** Lets another instance take over. */
    stop: async () => {
      await stop();
      if (watching) await store.releaseLock(watchLock).catch(() => undefined);
    },
  };
}

/** One thing runs at a time, and nothing throws. */
function createPollLoop(
  pollOnce: () => Promise<void>,
  onError: (error: unknown) => void,
  { settings, schedule = startTimer }: Pick<WatcherOptions, "settings" | "schedule">,
) {
  let running: Promise<void> | undefined;
  let cancelNext: (() => void) | undefined;
  let isStopped = false;
  /** Waits for what runs already, instead of running the work. */
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (isStopped) return;
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
    await running;
  };
  // A pause after each poll and not a moment, since the clock may be set.
  const start = () => {
    if (!isStopped) cancelNext = schedule(() => void poll(), settings().watch.everyMs);
  };
  const poll = async (): Promise<void> => {
    cancelNext?.();
    await running;
    await run(pollOnce);
    start();
  };
  return {
    /** Plans the first poll. */
    start,
    /** Polls now, or waits for the poll that is under way. Never throws. */
    poll,
    run,
    /** Resolves when nothing is under way. */
    idle: async () => running,
    stop: async () => {
      isStopped = true;
      cancelNext?.();
      await running;
    },
  };
}

const nothingNew = { changed: [], gone: [], events: [] } as const;

/** The state of the last poll of any instance; undefined while another one watches. */
async function takeOver(store: WatchStore): Promise<Watching | undefined> {
  if (!(await store.takeLock(watchLock))) return undefined;
  return { last: new Map((await store.watchedActions()).map((action) => [action.id, action])) };
}

async function effectsOf(poll: Poll, options: WatcherOptions): Promise<WatchEffects & { readonly isWarned: boolean }> {
  const { store, settings } = options;
  const { bulletins, ...warnings } = await warningEffects(poll, options);
  const events = await withoutOwn(poll.events, store);
  return { ...warnings, bulletins: [...elsewhereBulletins({ ...poll, events }, settings()), ...bulletins] };
}

const isEmpty = (effects: WatchEffects): boolean => Object.values(effects).every((each) => each.length === 0);
