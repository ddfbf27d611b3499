import { type ChangePorts, createChanges } from "./changes/changes.ts";
import { type ConfigRequests, createConfigRequests } from "./changes/config-requests.ts";
import { createQueries } from "./changes/queries/queries.ts";
import { catalogue } from "./commands/catalogue.ts";
import type { PlacesOf } from "./commands/exclusion/resource-place.ts";
import type { SlackEnvironment } from "./config/environment.ts";
import { createSecretFiles } from "./config/secret-files.ts";
import type { Settings } from "./config/settings.ts";
import { createDirectory } from "./directory/action-directory.ts";
import { directoryOf } from "./directory/config-entities.ts";
import { createReadService } from "./directory/read-service.ts";
import { createPlacesOf } from "./directory/resource-places.ts";
import { createInstanceWatch, type InstanceWatch } from "./jobs/instance-watch.ts";
import { createJobHandlers } from "./jobs/job-handlers.ts";
import { createJobWorker, type JobWorker } from "./jobs/job-worker.ts";
import type { Logger } from "./observability/log.ts";
import type { Measure } from "./observability/metrics-when-ready.ts";
import type { Tracing } from "./observability/tracing.ts";
import { createOutbox, type Outbox, type OutboxTiming } from "./outbox/outbox.ts";
import { atMostEvery } from "./outbox/throttle.ts";
import type { ServiceClient } from "./service/client.ts";
import type { InFlight } from "./slack/connection/in-flight.ts";
import type { SlackConnection } from "./slack/connection/slack-connection.ts";
import type { SlackFetch } from "./slack/connection/slack-http.ts";
import { later } from "./slack/connection/within.ts";
import { createHomes, type Homes, publishHome } from "./slack/home/homes.ts";
import type { Desk } from "./slack/listeners/desk.ts";
import { createCardLink } from "./slack/messages/card-link.ts";
import { createConfigRequestCards } from "./slack/messages/config-request-cards.ts";
import { createExclusionReminders } from "./slack/messages/exclusion-reminders.ts";
import { noticeMessage } from "./slack/messages/outcome-message.ts";
import { createSender } from "./slack/messages/sender.ts";
import { usageOf } from "./slack/messages/usage.ts";
import { createActors } from "./slack/people/actors.ts";
import { createFloodGuard } from "./slack/people/flood-guard.ts";
import type { Store } from "./store/open-store.ts";
import type { Schedule } from "./time/timer.ts";

/** How long what is under way may take before it is kept from repeating calls to the service. */
const finishMs = 10_000;

/** How often to look for announcements that other instances queued, or had begun when they died. */
const pollMs = 3000;

export interface Ingredients {
  readonly environment: Pick<SlackEnvironment, "secretsDir" | "command">;
  readonly settings: () => Settings;
  readonly log: Logger;
  readonly now: () => number;
  readonly elapsedMs: () => number;
  readonly newId: () => string;
  readonly fetch: SlackFetch;
  readonly measure: Measure;
  readonly timing: OutboxTiming | undefined;
  readonly progressSchedule: Schedule | undefined;
  readonly store: Store;
  readonly service: ServiceClient;
  readonly connection: SlackConnection;
  readonly inFlight: InFlight;
  readonly watchEveryMs: number | undefined;
  readonly tracing: Tracing | undefined;
}

/** Joins what has been opened: the pipeline, the queue of announcements, and the desk that every listener works with. */
export function assemble(ingredients: Ingredients) {
  const { environment, settings, log, now, elapsedMs, newId, fetch, measure } = ingredients;
  const { store, service, connection, tracing } = ingredients;
  const { client, lookUpClient, teamId } = connection;
  const actors = createActors({ client: lookUpClient, teamId, ...namedIn(settings), elapsedMs, log });
  const drawReminder = createExclusionReminders({ store, actor: actors.actor, settings, now });
  const sender = createSender({ client, store, drawReminder, withEmail: actors.withEmail, now });
  const outbox = createOutbox({
    pollMs: store.isShared ? pollMs : undefined,
    ...ingredients.timing,
    store,
    sender: tracing?.sender(sender) ?? sender,
    now,
    elapsedMs,
    log,
    requesterOf: async (changeId) => (await store.find(changeId))?.actor.userId,
    adminsChannel: () => settings().admins?.channel,
  });
  const read = createReadService(service, store, elapsedMs, log);
  const secretFiles = createSecretFiles(environment.secretsDir);
  const wake = createWake(() => [outbox, jobs], tracing);
  const directory = createDirectory(store, read, placesOf(ingredients));
  const given = { store, service, read, secretFiles, settings, now, newId, log };
  const ports: ChangePorts = {
    ...given,
    wake,
    directory,
    actorOf: (userId) => actors.actor(userId, "change"),
    ...measure,
  };
  const changes = createChanges(ports);
  const queries = createQueries({
    ...given,
    groups: store,
    wake,
    planUndo: changes.planUndo,
    actor: actors.actor,
    helpFor: (command) => usageOf(environment.command, command),
    commands: catalogue,
  });
  const configRequests = createConfigRequests({ ...given, cards: createConfigRequestCards(client, log) });
  const homes = createHomes({ publish: (userId) => publishHome(desk, userId), elapsedMs, log });
  const { approvals } = changes;
  const handlers = createJobHandlers({ store, approvals, refreshHomes: homes.refresh, now });
  const jobs = createJobWorker({ store, handlers, now, log, wakeOutbox: outbox.wake });
  const desk: Desk = {
    client,
    actors,
    changes,
    approvals,
    configRequests,
    queries,
    read,
    directory,
    groups: store,
    settings,
    noteAnswer: async (changeId, userId, isNotified) => {
      if (isNotified) return store.answered(changeId, userId);
      await store.notifyNow(changeId, userId, now());
      wake();
    },
    cardLink: createCardLink({ client, store, log }),
    homes,
    floodGuard: createFloodGuard(() => settings().limits.perPersonPerMinute, elapsedMs),
    stalledMs: store.stalledMs,
    slashCommand: environment.command,
    ...measure,
    schedule: ingredients.progressSchedule,
    ...{ now, fetch, log },
  };
  const watch = createInstanceWatch({ ...ports, instances: store }, ingredients.watchEveryMs);
  const workers = { outbox, jobs, homes, changes, watch, configRequests };
  return { desk, wake, watch, configRequests, ...lifecycle(ingredients, workers) };
}

function placesOf({ settings, store }: Ingredients): PlacesOf {
  const { groups: savedGroups, exclusionsNaming } = store;
  return createPlacesOf({ configGroups: () => settings().resourceGroups, savedGroups, exclusionsNaming });
}

/** Has all of them look for what there is to do; soon, since what serves many must not wait for each. */
function createWake(workers: () => readonly { wake(): void }[], tracing: Tracing | undefined): () => void {
  const wakeAll = () => {
    for (const worker of workers()) worker.wake();
  };
  return atMostEvery(wakeIntervalMs, tracing ? () => tracing.apart(wakeAll) : wakeAll);
}

/** Changes that end at about the same time share one look at what is to be delivered and done. */
const wakeIntervalMs = 10;

/** What may be asked of the whole while it runs, and how it is stopped. */
function lifecycle(
  { settings, store, service, connection, inFlight, log }: Ingredients,
  { outbox, jobs, homes, changes, watch, configRequests }: Workers,
) {
  return {
    configure: (next: Settings) => store.configure(directoryOf(next)),
    idle: async () => {
      await inFlight.idle();
      jobs.wake();
      await jobs.idle();
      await homes.idle();
      outbox.wake();
      await outbox.idle();
    },
    /** Tells the admins' channel, or another. Never throws. */
    post: async (text: string, icon = ":wrench:", channel = settings().admins?.channel) => {
      if (channel === undefined) return;
      await connection.client.chat
        .postMessage({ channel, ...noticeMessage(icon, text) })
        .catch((error: unknown) => log.warn({ err: error }, "the admins' channel could not be told"));
    },
    /** Run last first: nothing new is taken, what is under way is finished, then the rest is stopped. */
    stops: [
      () => watch.stop(),
      () => configRequests.stop(),
      () => outbox.stop(),
      () => homes.stop(),
      () => changes.stop(),
      async () => {
        changes.stopWaiting();
        const finished = Promise.all([inFlight.idle(), jobs.stop()]);
        await Promise.race([finished, later(finishMs)]);
        // From here on the service is asked nothing again; what is on its way is still awaited.
        await service.close();
        await finished;
      },
      () => connection.stop(),
    ],
  };
}

interface Workers {
  readonly outbox: Outbox;
  readonly jobs: JobWorker;
  readonly homes: Homes;
  readonly changes: ReturnType<typeof createChanges>;
  readonly watch: InstanceWatch;
  readonly configRequests: ConfigRequests;
}

/** Whom the permissions name: user groups, and people. */
function namedIn(settings: () => Settings) {
  const members = () => new Set(settings().policy.roles.flatMap((role) => [...role.members]));
  return {
    groupIds: () => [...members()].filter((id) => id.startsWith("S")),
    isNamed: (userId: string) => members().has(userId),
  };
}
