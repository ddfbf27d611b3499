import type { RunningChanges } from "../changes/changes.ts";
import type { Settings } from "../config/settings.ts";
import type { ReadService } from "../directory/read-service.ts";
import { createInstanceWatch } from "../jobs/instance-watch.ts";
import { createGiveUp, createJobHandlers } from "../jobs/job-handlers.ts";
import { createJobWorker } from "../jobs/job-worker.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Homes } from "../slack/home/homes.ts";
import type { Actors } from "../slack/people/actors.ts";
import { createWatcher } from "../watch/watcher.ts";
import { listedActions } from "./build-outbox.ts";
import type { Core, Opened } from "./core.ts";

export interface WorkerSources {
  readonly actors: Actors;
  readonly read: ReadService;
  readonly changes: Pick<RunningChanges, "approvals" | "outcomes">;
  readonly homes: Pick<Homes, "refresh">;
  readonly outbox: Pick<Outbox, "wake">;
  readonly wake: () => void;
  /** Settles the requests that dead instances had received and not begun. */
  readonly resume: () => Promise<void>;
}

/** What works beside the requests of people: scheduled jobs, the watch of the service's actions, and that of other instances. */
export function buildWorkers(
  { settings, log, now, overrides }: Core,
  { store, measure }: Opened,
  { actors, read, changes, homes, outbox, wake, resume }: WorkerSources,
) {
  const { onOutcome, onPoll } = measure;
  const { approvals, outcomes } = changes;
  const zoneOf = createZoneOf(settings, actors);
  const watcher = createWatcher({ store, read, settings, now, log, wake, zoneOf, onPoll });
  const digest = { store, settings, person: actors.find, actions: () => listedActions(read) };
  const handlers = createJobHandlers({ store, approvals, outcomes, refreshHomes: homes.refresh, now, digest });
  const giveUp = createGiveUp({ approvals, now, digest });
  const jobs = createJobWorker({ store, handlers, giveUp, now, log, wakeOutbox: outbox.wake });
  const instanceWatch = createInstanceWatch(
    { store, settings, now, log, onOutcome, wake, instances: store, resume },
    overrides.heartbeatEveryMs,
  );
  return { watcher, jobs, instanceWatch };
}

/** The zone of a channel, or of a person as Slack says. */
function createZoneOf(settings: () => Settings, actors: Pick<Actors, "find">) {
  return async (to: string): Promise<string> =>
    settings().channels[to]?.zone ??
    (/^[UW]/.test(to) ? await actors.find(to).catch(() => undefined) : undefined)?.timeZone ??
    "UTC";
}
