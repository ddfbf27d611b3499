import { type ChangePorts, createChanges } from "./changes/changes.ts";
import { createDirectory } from "./changes/directory.ts";
import { newChangeId } from "./changes/new-change-id.ts";
import { createQueries } from "./changes/queries.ts";
import { createReadService } from "./changes/read-service.ts";
import { createWatch, type Watch } from "./changes/watch.ts";
import { catalogue } from "./commands/catalogue.ts";
import type { SlackEnvironment } from "./config/environment.ts";
import { createSecretFiles } from "./config/secret-files.ts";
import type { Settings } from "./config/settings.ts";
import { directoryOf } from "./directory-of.ts";
import { createHealth } from "./health.ts";
import { atMostEvery } from "./jobs/at-most-every.ts";
import { nextCleaning } from "./jobs/cleaning.ts";
import { createDeliveries, type Deliveries, type DeliveryTiming } from "./jobs/deliveries.ts";
import { createJobHandlers } from "./jobs/job-handlers.ts";
import { createJobWorker, type JobWorker } from "./jobs/job-worker.ts";
import type { Schedule } from "./jobs/waker.ts";
import type { Logger } from "./log.ts";
import { createMetricsWhenReady, type Measure } from "./metrics-when-ready.ts";
import { createReleases } from "./releases.ts";
import { createServiceClient, type ServiceClient } from "./service/client.ts";
import { createActors } from "./slack/actors.ts";
import { createAnnouncer } from "./slack/announcer.ts";
import { noticeMessage } from "./slack/blocks/outcome-message.ts";
import type { Desk } from "./slack/desk.ts";
import { createExclusionReminders } from "./slack/exclusion-reminders.ts";
import { createFloodGuard } from "./slack/flood-guard.ts";
import { createHomes, type Homes } from "./slack/home/homes.ts";
import { publishHome } from "./slack/home/publish-home.ts";
import { createInFlight, type InFlight } from "./slack/in-flight.ts";
import { later } from "./slack/later.ts";
import { registerListeners } from "./slack/listeners.ts";
import { measuredFetch } from "./slack/measured-client.ts";
import { connectSlack, type SlackConnection } from "./slack/slack-connection.ts";
import { createSlackHttp, type SlackFetch } from "./slack/slack-http.ts";
import { usageOf } from "./slack/usage.ts";
import { openStore, type Store } from "./store/open-store.ts";
import type { OnUnreadable } from "./store/read-rows.ts";

/** How long what is under way may take before it is kept from repeating calls to the service. */
const finishMs = 10_000;

/** How often to look for announcements that other machines queued, or had begun when they died. */
const pollMs = 3000;

type AppEnvironment = Omit<SlackEnvironment, "kind" | "logLevel" | "secrets">;

export interface AppOverrides {
  readonly now?: () => number;
  readonly newId?: () => string;
  readonly service?: ServiceClient;
  /** For answers to people. */
  readonly fetch?: SlackFetch;
  readonly openStore?: typeof openStore;
  /** How often this machine shows itself and looks after others. */
  readonly watchEveryMs?: number;
  readonly deliveries?: DeliveryTiming;
  /** For the word to those who wait for their answer. */
  readonly patience?: Schedule;
}

export interface App {
  /** Starts everything; gives the port listened on. After a failed start everything opened is closed again. */
  start(): Promise<{ readonly port: number }>;
  /** Resolves when nothing that was asked for is under way, what was due has been done, and nothing is being announced. */
  idle(): Promise<void>;
  /** Takes over another config from the next request on. */
  reload(settings: Settings): Promise<void>;
  /** Tells those who run Curfew, in the log and in the admins' channel, what they must mend. Never throws. */
  report(text: string): Promise<void>;
  /** Takes nothing new, finishes what is under way, and closes what was opened, last first. */
  stop(): Promise<void>;
}

/** The composition root: makes every part and gives each what it needs. Does nothing before `start`. */
export function buildApp(
  environment: AppEnvironment,
  initialSettings: Settings,
  log: Logger,
  overrides: AppOverrides = {},
): App {
  const { now = Date.now, newId = newChangeId } = overrides;
  const releases = createReleases();
  const inFlight = createInFlight();
  let settings = initialSettings;
  let parts: Parts | undefined;

  const start = async () => {
    const metrics = createMetricsWhenReady({ backlog: () => store.backlog(now()), now });
    const { measure } = metrics;
    const health = createHealth(metrics, log);
    const store = await (overrides.openStore ?? openStore)(environment.database, {
      now,
      onUnreadable: logUnreadable(log),
      isToRun: true,
      onConnectionLost: (reason) => log.warn({ reason }, "a connection to the database was lost"),
      ...measure,
    });
    releases.add(() => store.close());
    await store.configure(directoryOf(settings));
    const service = overrides.service ?? createServiceClient({ ...environment.service, ...measure });
    releases.add(() => service.close());
    const slackHttp = createSlackHttp();
    releases.add(() => slackHttp.close());
    const { routes } = health;
    const { fetch } = slackHttp;
    const connection = await connectSlack({ ...environment, ...environment.slack, ...measure, routes, fetch, log });
    const opened = { store, service, connection, fetch: measuredFetch(overrides.fetch ?? fetch, measure.onCall) };
    const { watchEveryMs, deliveries: timing } = overrides;
    const given = { environment, settings: () => settings, log, now, newId, measure, inFlight, watchEveryMs, timing };
    parts = assemble({ ...given, ...opened });

    registerListeners(connection.app, { desk: parts.desk, inFlight, schedule: overrides.patience });
    await store.schedule([nextCleaning(now())]);
    await parts.watch.start();
    parts.kick();
    for (const stop of parts.stops) releases.add(stop);
    const port = await connection.start();
    health.open();
    releases.add(() => health.close());
    return { port };
  };

  return {
    start: async () => {
      try {
        return await start();
      } catch (error) {
        await releases.run();
        throw error;
      }
    },
    idle: async () => parts?.idle(),
    reload: async (next) => {
      await parts?.configure(next);
      settings = next;
    },
    report: async (text) => {
      log.error({ problem: text }, "those who run Curfew must mend something");
      await parts
        ?.post(text)
        .catch((error: unknown) => log.warn({ err: error }, "the admins' channel could not be told"));
    },
    stop: () => releases.run(),
  };
}

type Parts = ReturnType<typeof assemble>;

interface Ingredients {
  readonly environment: AppEnvironment;
  readonly settings: () => Settings;
  readonly log: Logger;
  readonly now: () => number;
  readonly newId: () => string;
  readonly fetch: SlackFetch;
  readonly measure: Measure;
  readonly timing: DeliveryTiming | undefined;
  readonly store: Store;
  readonly service: ServiceClient;
  readonly connection: SlackConnection;
  readonly inFlight: InFlight;
  readonly watchEveryMs: number | undefined;
}

/** Joins what has been opened: the pipeline, the queue of announcements, and the desk that every listener works with. */
function assemble(ingredients: Ingredients) {
  const { environment, settings, log, now, newId, fetch, measure, store, service, connection } = ingredients;
  const { client, teamId } = connection;
  const actors = createActors({ client, teamId, groupIds: () => groupIdsOf(settings()), now, log });
  const drawReminder = createExclusionReminders({ store, actor: actors.actor, settings, now });
  const deliveries = createDeliveries({
    pollMs: store.isShared ? pollMs : undefined,
    ...ingredients.timing,
    store,
    announcer: createAnnouncer({ client, store, drawReminder, now }),
    now,
    log,
    askerOf: async (changeId) => (await store.find(changeId))?.actor.userId,
    adminsChannel: () => settings().admins?.channel,
  });
  const read = createReadService(service, store, now);
  const secretFiles = createSecretFiles(environment.secretsDir);
  const kick = atMostEvery(kickMs, () => {
    deliveries.kick();
    jobs.kick();
  });
  const known = createDirectory(store, read);
  const given = { store, service, read, secretFiles, settings, now, newId, log };
  const ports: ChangePorts = { ...given, kick, known, actorOf: (userId) => actors.actor(userId, "change"), ...measure };
  const changes = createChanges(ports);
  const queries = createQueries({
    store,
    groups: store,
    planUndo: changes.planUndo,
    settings,
    read,
    actor: actors.actor,
    helpFor: (command) => usageOf(environment.command, command),
    commands: catalogue,
    log,
  });
  const homes = createHomes({ publish: (userId) => publishHome(desk, userId), now, log });
  const { approvals } = changes;
  const handlers = createJobHandlers({ store, approvals, refreshHomes: homes.refresh, now });
  const jobs = createJobWorker({ store, handlers, now, log, deliver: deliveries.kick });
  const desk: Desk = {
    client,
    actors,
    changes,
    approvals,
    queries,
    read,
    known,
    groups: store,
    settings,
    noteAnswer: async (changeId, userId, isTold) => {
      if (isTold) return store.answered(changeId, userId);
      await store.tellNow(changeId, userId, now());
      kick();
    },
    homes,
    floodGuard: createFloodGuard(() => settings().limits.perPersonPerMinute, now),
    slashCommand: environment.command,
    ...measure,
    now,
    fetch,
    log,
  };
  const watch = createWatch({ ...ports, machines: store }, ingredients.watchEveryMs);
  return { desk, kick, watch, ...lifecycle(ingredients, { deliveries, jobs, homes, changes, watch }) };
}

/** Changes that end at about the same time share one look at what is to be delivered and done. */
const kickMs = 10;

/** What may be asked of the whole while it runs, and how it is stopped. */
function lifecycle(
  { settings, store, service, connection, inFlight }: Ingredients,
  { deliveries, jobs, homes, changes, watch }: Workers,
) {
  return {
    configure: (next: Settings) => store.configure(directoryOf(next)),
    idle: async () => {
      await inFlight.idle();
      jobs.kick();
      await jobs.idle();
      await homes.idle();
      deliveries.kick();
      await deliveries.idle();
    },
    post: async (text: string) => {
      const message = noticeMessage(":wrench:", text);
      const { admins } = settings();
      if (admins) await connection.client.chat.postMessage({ channel: admins.channel, ...message });
    },
    /** Run last first: nothing new is taken, what is under way is finished, then the rest is stopped. */
    stops: [
      () => watch.stop(),
      () => deliveries.stop(),
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
  readonly deliveries: Deliveries;
  readonly jobs: JobWorker;
  readonly homes: Homes;
  readonly changes: ReturnType<typeof createChanges>;
  readonly watch: Watch;
}

function logUnreadable(log: Logger): OnUnreadable {
  return (row, error) => log.error({ err: error, ...row }, "a stored row cannot be read and was left out");
}

function groupIdsOf({ policy }: Settings): readonly string[] {
  const members = policy.roles.flatMap((role) => [...role.members]);
  return [...new Set(members.filter((id) => id.startsWith("S")))];
}
