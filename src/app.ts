import { setTimeout } from "node:timers/promises";
import { buildParts, type Parts } from "./app/build-parts.ts";
import type { AppEnvironment, AppOverrides, Core, Opened } from "./app/core.ts";
import { copyOf, createSecrets, createTrials, type Secrets } from "./app/secrets-in-force.ts";
import { createAudit } from "./changes/audit.ts";
import { newChangeId } from "./changes/change.ts";
import type { ConfigStep, HeldConfig } from "./changes/config-requests.ts";
import { createFollowedConfig } from "./changes/config-requests.ts";
import { nextDigests } from "./changes/digest.ts";
import { configLines } from "./commands/config-state.ts";
import { accountKeyName } from "./config/environment.ts";
import type { Machine, Settings } from "./config/settings.ts";
import { withMachines } from "./config/with-machines.ts";
import { directoryOf } from "./directory/config-entities.ts";
import { nextCleaning } from "./jobs/job-handlers.ts";
import { type Closers, createClosers } from "./lifecycle.ts";
import { createHealth, type Health, type MetricsSettings } from "./observability/health.ts";
import type { Logger } from "./observability/log.ts";
import { createMetricsWhenReady, type Measure, measureBoth } from "./observability/metrics-when-ready.ts";
import { accountOf, mainAccount } from "./service/account-ids.ts";
import { createAccountsClient } from "./service/accounts.ts";
import { createServiceClient } from "./service/client.ts";
import { type BoundedServer, createBoundedServer } from "./slack/connection/bounded-server.ts";
import { type Api, type Routes, serveRoutes } from "./slack/connection/http-receiver.ts";
import { measuredFetch } from "./slack/connection/measured-client.ts";
import { connectSlack } from "./slack/connection/slack-connection.ts";
import { createSlackHttp } from "./slack/connection/slack-http.ts";
import { registerListeners } from "./slack/listeners/listeners.ts";
import type { Icon } from "./slack/messages/text.ts";
import type { DatabaseEvents } from "./store/db/open-database.ts";
import type { OnUnreadable } from "./store/db/read-rows.ts";
import { auditEvent } from "./store/history/audit-event.ts";
import type { HistoryListener } from "./store/history/transition-table.ts";
import { openStore } from "./store/open-store.ts";
import { groupBy } from "./time/group-by.ts";
import { every } from "./time/loop.ts";
import { within } from "./time/within.ts";

/** How often it is looked whether something is to be read again: each is at most twice a minute, before it becomes too old. */
const refreshPeopleMs = 5000;

export interface App {
  /** Starts everything; gives the ports listened on. After a failed start everything opened is closed again. */
  start(): Promise<{ readonly port: number; readonly metricsPort?: number | undefined }>;
  /** Reads the service's actions now, rather than at the next poll. Never throws. */
  watch(): Promise<void>;
  /** Resolves when no request is in flight, due jobs are done, and the outbox has sent what Slack takes. */
  idle(): Promise<void>;
  /** Uses another config from the next request on. */
  reload(settings: Settings, step?: ConfigStep): Promise<void>;
  /** Asks the admins about a config that loosens something, without waiting for their answer; replaces an earlier question. */
  holdConfig(held: HeldConfig): void;
  /** Closes the question about a held config: nobody can decide on it any more. */
  dropConfig(why: string): Promise<void>;
  /** The config file has errors, and is not used. */
  noteInvalid(): void;
  /** Reports a problem for operators in the log and the admins' channel. Never throws. */
  report(text: string): Promise<void>;
  /** Reports in the admins' channel that an earlier problem is solved. Never throws. */
  reportMended(text: string): Promise<void>;
  /** Posts in a channel, if there is one. Never throws. */
  notify(text: string, icon: Icon, channel: string | undefined): Promise<void>;
  /** Accepts nothing new, finishes what is in flight, and closes what was opened, last first. */
  stop(): Promise<void>;
}

/** The composition root: opens, builds and wires every part at `start`, and closes it at `stop`. Does nothing before. */
export function buildApp(
  started: AppEnvironment,
  initialSettings: Settings,
  log: Logger,
  overrides: AppOverrides = {},
): App {
  const { now = Date.now, elapsedMs = () => performance.now(), newId = newChangeId } = overrides;
  const closers = createClosers();
  const live = createLiveSettings(initialSettings);
  let parts: Parts | undefined;
  const environment = copyOf(started);
  const config = createFollowedConfig(now);
  const core: Core = { environment, ...live, config, log, now, elapsedMs, newId, overrides };

  const trials = createTrials(core, () => parts?.teamId() ?? "");
  const secrets = createSecrets(core, { inForce: environment, trials, notices: () => parts });

  const start = async () => {
    const opened = await open(core, secrets, closers, () => parts?.callerApi);
    live.useMachines(await opened.store.machines());
    parts = buildParts(core, opened);
    registerListeners(opened.connection.app, parts.deps);
    await opened.store.schedule([nextCleaning(now()), ...nextDigests(live.settings(), now())]);
    // Not awaited: a calendar may be slow, and is read again when it is needed.
    void parts.calendars.load();
    await parts.instanceWatch.start();
    parts.wake();
    parts.watcher.start();
    const { actors } = parts.deps;
    const refresh = every(refreshPeopleMs, actors.refresh, (err) => log.debug({ err }, "people were not read again"));
    closers.add(refresh.stop);
    closers.add(secrets.follow());
    for (const close of stopping(opened, parts)) closers.add(close);
    const metricsPort = await startMetricsListener(opened.health, environment, log, closers);
    const port = await opened.connection.start();
    opened.health.open();
    closers.add(async () => {
      await opened.health.close();
      // A load balancer still sends requests until it has asked `/readyz` again.
      await setTimeout(environment.drainMs);
    });
    return { port, metricsPort };
  };

  return {
    start: async () => {
      try {
        return await start();
      } catch (error) {
        await closers.run();
        throw error;
      }
    },
    watch: async () => parts?.watcher.poll(),
    idle: async () => parts?.idle(),
    reload: async (next, step) => {
      await parts?.configure(next);
      live.useFile(next);
      void parts?.calendars.load();
      // One for another time than before; the earlier job does nothing.
      await parts?.schedule(nextDigests(next, now()));
      void parts?.inFlight.track(parts.changes.approvals.withdrawOutdated);
      await parts?.configRequests.taken(next.fingerprint, step);
    },
    holdConfig: (held) => parts?.configRequests.hold(held),
    dropConfig: async (why) => parts?.configRequests.drop(why),
    noteInvalid: () => config.noteNewer("invalid"),
    report: async (text) => parts?.report(text),
    reportMended: async (text) => parts?.reportMended(text),
    notify: async (text, icon, channel) => (channel === undefined ? undefined : parts?.post(text, icon, channel)),
    stop: () => closers.run(),
  };
}

/** The settings in force, of the file and of the imported machines. */
function createLiveSettings(started: Settings) {
  let ofFile = started;
  let machines: readonly Machine[] = [];
  let settings = withMachines(ofFile, machines);
  return {
    settings: () => settings,
    machines: () => machines,
    useFile: (next: Settings): void => {
      ofFile = next;
      settings = withMachines(ofFile, machines);
    },
    useMachines: (found: readonly Machine[]): boolean => {
      if (found === machines) return false;
      machines = found;
      settings = withMachines(ofFile, machines);
      return true;
    },
  };
}

/** Opens the database, the service and Slack. What is open when a later one fails is closed by the closers. */
async function open(core: Core, secrets: Secrets, closers: Closers, api: () => Api | undefined): Promise<Opened> {
  const { environment, settings, config, log, now, elapsedMs, overrides } = core;
  const { troubles, silentAccounts } = secrets;
  const backlog = () => store.backlog(now());
  const metrics = createMetricsWhenReady({ backlog, troubles, silentAccounts, config: config.state, now });
  const tracing =
    environment.tracing && (await import("./observability/tracing.ts")).openTracing(environment.tracing, log);
  closers.add(async () => tracing?.close());
  const measure = tracing ? measureBoth(metrics.measure, tracing) : metrics.measure;
  const notes = () => [
    ...configLines(config.state()),
    ...troubles.values(),
    ...silentAccounts.values(),
    ...(connection.teamId() === "" ? ["Slack does not answer. Curfew connects when it does."] : []),
  ];
  const health = createHealth(metrics, { ...environment, canWrite: () => store.canWrite(), notes }, log);

  const store = await (overrides.openStore ?? openStore)(environment.database, {
    now,
    elapsedMs,
    isToRun: true,
    history: { config: () => settings().fingerprint, onAppended: logAuditEvent(log) },
    ...databaseEvents(log, health),
    currentUrl: () => environment.database,
    onQuery: measure.onQuery,
    onWrite: overrides.onWrite,
  });
  closers.add(() => store.close());
  const audit = createAudit({ store, now, log });
  closers.add(audit.stop);
  const keepAccounts = await store.fitAccounts(settings().accounts, now());

  const { client, whole } = serviceOf(core, secrets, measure, await listedBefore(store, settings().accounts));
  const service = tracing?.service(client) ?? client;
  closers.add(() => service.close());

  const slackHttp = createSlackHttp();
  closers.add(() => slackHttp.close());
  const connection = await connectSlack({
    slack: environment.slack,
    host: environment.host,
    port: environment.port,
    routes: routesFor(health, environment.metrics),
    api: (...request) => api()?.(...request) ?? false,
    fetch: slackHttp.fetch,
    onCall: measure.onCall,
    onAck: measure.onAck,
    onInstalledIn: (id) => store.fitWorkspace(id, settings().teams),
    log,
  });
  await keepAccounts();
  await store.configure(directoryOf(settings()));
  await store.forgetConfigDecisions();
  await config.taken(store, settings().fingerprint, "operator:start");
  const fetch = measuredFetch(overrides.fetch ?? slackHttp.fetch, measure.onCall);
  const onSilent = secrets.silentAmong(Object.keys(settings().accounts));
  return { store, service, whole, connection, fetch, measure, tracing, health, audit, onSilent };
}

/** What each of several accounts listed before this start, as the watch knows it. */
async function listedBefore(store: Pick<Opened["store"], "watchedActions">, accounts: Settings["accounts"]) {
  const watched = Object.keys(accounts).length === 0 ? [] : await store.watchedActions();
  const actions = watched.map(({ id, facts, nextAt }) => ({
    ...facts,
    actionId: id,
    nextExecutionDate: nextAt === null ? null : new Date(nextAt).toISOString(),
  }));
  return groupBy(actions, ({ actionId }) => accountOf(actionId));
}

/** One client; of several accounts, one client each behind it. */
function serviceOf(
  { environment, settings, overrides }: Core,
  { serviceKey }: Secrets,
  { onExchange }: Measure,
  lists: ReadonlyMap<string, readonly object[]>,
) {
  const main =
    overrides.service ??
    createServiceClient({
      baseUrl: environment.service.baseUrl,
      ...serviceKey("SCHEDULER_API_KEY"),
      onExchange,
    });
  const others = Object.entries(settings().accounts).map(([name, { url: baseUrl }]) => {
    const key = serviceKey(accountKeyName(name));
    const given = overrides.accountServices?.[name];
    return [name, given ?? createServiceClient({ baseUrl, ...key, onExchange })] as const;
  });
  if (others.length === 0) return { client: main, whole: undefined };
  const client = createAccountsClient(new Map([[mainAccount, main], ...others]), { lists });
  return { client, whole: client.whole };
}

/** Not rendered where it is not logged. */
const logAuditEvent =
  (log: Logger): HistoryListener["onAppended"] =>
  (row) => {
    if (log.isLevelEnabled("info")) log.info(auditEvent(row), "audit");
  };

/** The routes beside Slack's address. They include the metrics, unless these have a separate port. */
function routesFor({ routes }: Health, { port }: MetricsSettings): Routes {
  const { "/metrics": metrics, ...health } = routes;
  return port === undefined ? { ...health, "/metrics": metrics } : health;
}

async function startMetricsListener(
  { routes }: Health,
  { metrics, host }: AppEnvironment,
  log: Logger,
  closers: Closers,
): Promise<number | undefined> {
  if (metrics.port === undefined) return undefined;
  const served = { routes: { "/metrics": routes["/metrics"] }, log };
  const server: BoundedServer = createBoundedServer(serveRoutes(served, (...held) => server.holdForCaller(...held)));
  const port = await server.start(metrics.port, host);
  closers.add(() => server.stop());
  return port;
}

/** How long requests in flight may take before their service calls are no longer repeated. */
const finishMs = 10_000;

/** How everything stops, run last first: nothing new is accepted, what is in flight ends, then the workers stop. */
function stopping({ service, connection }: Opened, parts: Parts): readonly (() => Promise<void>)[] {
  const { instanceWatch, watcher, configRequests, outbox, homes, changes, receipts, jobs, inFlight } = parts;
  return [
    () => instanceWatch.stop(),
    () => watcher.stop(),
    () => configRequests.stop(),
    () => outbox.stop(),
    () => homes.stop(),
    () => changes.stop(),
    () => receipts.stop(),
    async () => {
      instanceWatch.stopResuming();
      changes.stopWaiting();
      const finished = Promise.all([inFlight.idle(), jobs.stop()]);
      await within(finishMs, finished);
      // No further service call starts from here on; those in flight are still awaited.
      await service.close();
      await finished;
    },
    () => connection.stop(),
  ];
}

function databaseEvents(log: Logger, health: Health): DatabaseEvents & { readonly onUnreadable: OnUnreadable } {
  return {
    onUnreadable: (row, error) => log.error({ err: error, ...row }, "a stored row cannot be read and was left out"),
    onDiskFailed: (error) => {
      health.fail();
      log.fatal({ err: error }, "the disk under the database failed: Curfew accepts nothing until it is restarted");
    },
    onConnectionLost: (reason) => log.warn({ reason }, "a connection to the database was lost"),
  };
}
