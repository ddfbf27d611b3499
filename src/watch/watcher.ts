import PQueue from "p-queue";
import type { ChangeStore, CommitStore } from "../changes/ports.ts";
import type { ReadService } from "../directory/read-service.ts";
import type { Logger } from "../observability/log.ts";
import type { Absence } from "../service/call-outcome.ts";
import { browseOperation } from "../service/operations.ts";
import type { Action } from "../service/resources.ts";
import { createLoop, type Schedule } from "../time/loop.ts";
import { inSlices } from "../time/slices.ts";
import { compareActions } from "./compare-actions.ts";
import { elsewhereBulletins, withoutOwn } from "./elsewhere.ts";
import { lookedBefore } from "./last-run.ts";
import { type WarningOptions, warningEffects } from "./warnings.ts";
import { type WatchEffects, type WatchSettings, type WatchSources, type WatchStore, watchLock } from "./watch-store.ts";
import type { Poll, WatchedAction } from "./watched-action.ts";

export interface WatcherOptions extends Pick<WarningOptions, "zoneOf"> {
  readonly store: CommitStore & WatchStore & WatchSources & Pick<ChangeStore, "list">;
  readonly read: ReadService;
  readonly settings: () => WatchSettings;
  readonly now: () => number;
  readonly log: Logger;
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
  const { store, read, now, log, onPoll, onSilent } = options;
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
    return true;
  };
  const redraw = async () => {
    if (!watching || !warned) return;
    const { bulletins, redrawn } = await warningEffects({ ...warned, now: now() }, options);
    if (isEmpty({ bulletins, redrawn })) return;
    if (!(await store.saveWatch({ changed: [], gone: [], bulletins, redrawn }, now()))) stopWatching();
  };
  const onError = (error: unknown) => {
    watching = undefined;
    log.warn({ err: error }, "could not watch the service's actions; trying again");
  };
  const { stop, ...rounds } = createRounds(pollOnce, redraw, onError, options);
  return {
    ...rounds,
    /** Lets another instance take over. */
    stop: async () => {
      await stop();
      if (watching) await store.releaseLock(watchLock).catch(() => undefined);
    },
  };
}

/** One thing runs at a time, and nothing throws. */
function createRounds(
  pollOnce: () => Promise<void>,
  redraw: () => Promise<void>,
  onError: (error: unknown) => void,
  { store, settings, schedule }: Pick<WatcherOptions, "store" | "settings" | "schedule">,
) {
  const oneAtATime = new PQueue({ concurrency: 1 });
  const loopOf = (work: () => Promise<void>, pauseMs: () => number) => {
    const round = () => oneAtATime.add(() => work().catch(onError)).then(pauseMs);
    return createLoop(round, { onError, retryMs: pauseMs(), schedule });
  };
  // A pause after each poll and not a moment, since the clock may be set.
  const pauseMs = () => settings().watch.everyMs;
  const polls = loopOf(pollOnce, pauseMs);
  const redraws = loopOf(redraw, () => Number.POSITIVE_INFINITY);
  store.onCommitted((what) => {
    if (what === "transition") redraws.wakeIn(redrawMs);
  });
  return {
    /** Plans the first poll. */
    start: () => polls.wakeIn(pauseMs()),
    /** Polls now, or after the poll that is under way. Never throws. */
    poll: async () => {
      polls.wake();
      await polls.idle();
    },
    /** An exclusion may have been made or ended, as after each change: warnings that are shown are compared with it. */
    wake: redraws.wake,
    /** Resolves when nothing is under way. */
    idle: () => oneAtATime.onIdle(),
    stop: async () => {
      await Promise.all([polls.stop(), redraws.stop()]);
    },
  };
}

/** Warnings need not show each of many exclusions at the very moment. */
const redrawMs = 1000;

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
