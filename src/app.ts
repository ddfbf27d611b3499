import { assemble } from "./assemble.ts";
import type { HeldConfig } from "./changes/config-requests.ts";
import { newChangeId } from "./changes/new-change-id.ts";
import { createReleases, type Releases } from "./closers.ts";
import type { SlackEnvironment } from "./config/environment.ts";
import type { Settings } from "./config/settings.ts";
import { directoryOf } from "./directory/config-entities.ts";
import { nextCleaning } from "./jobs/cleaning.ts";
import { createHealth, type Health } from "./observability/health.ts";
import type { Logger } from "./observability/log.ts";
import type { MetricsSettings } from "./observability/metrics-access.ts";
import { createMetricsWhenReady, measureBoth } from "./observability/metrics-when-ready.ts";
import type { Tracing } from "./observability/tracing.ts";
import type { OutboxTiming } from "./outbox/outbox.ts";
import { createServiceClient, type ServiceClient } from "./service/client.ts";
import { createBoundedServer } from "./slack/connection/bounded-server.ts";
import { type Routes, serveRoutes } from "./slack/connection/http-receiver.ts";
import { createInFlight, type InFlight } from "./slack/connection/in-flight.ts";
import { measuredFetch } from "./slack/connection/measured-client.ts";
import { connectSlack } from "./slack/connection/slack-connection.ts";
import { createSlackHttp, type SlackFetch } from "./slack/connection/slack-http.ts";
import { registerListeners } from "./slack/listeners/listeners.ts";
import type { DatabaseEvents } from "./store/db/open-database.ts";
import { openStore } from "./store/open-store.ts";
import type { OnUnreadable } from "./store/tables/read-rows.ts";
import type { Schedule } from "./time/timer.ts";

type AppEnvironment = Omit<SlackEnvironment, "kind" | "logLevel" | "secrets">;

export interface AppOverrides {
  readonly now?: () => number;
  /** A clock that is never set, in ms from any moment: how old something is, and how long it waits. */
  readonly elapsedMs?: () => number;
  readonly newId?: () => string;
  readonly service?: ServiceClient;
  /** For answers to people. */
  readonly fetch?: SlackFetch;
  readonly openStore?: typeof openStore;
  /** How often this instance shows itself and looks after others. */
  readonly watchEveryMs?: number;
  readonly outbox?: OutboxTiming;
  /** For the word to those who wait for their answer. */
  readonly progressSchedule?: Schedule;
}

export interface App {
  /** Starts everything; gives the ports listened on. After a failed start everything opened is closed again. */
  start(): Promise<{ readonly port: number; readonly metricsPort?: number | undefined }>;
  /** Resolves when nothing that was asked for is under way, what was due has been done, and nothing is being announced. */
  idle(): Promise<void>;
  /** Takes over another config from the next request on. */
  reload(settings: Settings, step?: ConfigStep): Promise<void>;
  /** Asks the admins about a config that loosens something, without waiting for their answer; in place of one asked about before. */
  holdConfig(held: HeldConfig): void;
  /** Nobody can decide any more about the config that was asked about. */
  dropConfig(why: string): Promise<void>;
  /** Tells those who run Curfew, in the log and in the admins' channel, what they must mend. Never throws. */
  report(text: string): Promise<void>;
  /** Tells those who were told what to mend that it is mended, in the admins' channel. Never throws. */
  reportMended(text: string): Promise<void>;
  /** Posts in a channel, if there is one. Never throws. */
  notify(text: string, icon: string, channel: string | undefined): Promise<void>;
  /** Takes nothing new, finishes what is under way, and closes what was opened, last first. */
  stop(): Promise<void>;
}

/** From one config to another (config-requests.ts). */
export interface ConfigStep {
  readonly id: string;
  /** Who let it loosen something without the button, in words. */
  readonly confirmedBy?: string | undefined;
}

/** The composition root: makes every part and gives each what it needs. Does nothing before `start`. */
export function buildApp(
  environment: AppEnvironment,
  initialSettings: Settings,
  log: Logger,
  overrides: AppOverrides = {},
): App {
  const { now = Date.now, elapsedMs = () => performance.now(), newId = newChangeId } = overrides;
  const releases = createReleases();
  const inFlight = createInFlight();
  let settings = initialSettings;
  let parts: Parts | undefined;

  const start = async () => {
    const metrics = createMetricsWhenReady({ backlog: () => store.backlog(now()), now });
    const tracing =
      environment.tracing && (await import("./observability/tracing.ts")).openTracing(environment.tracing, log);
    releases.add(async () => tracing?.close());
    const measure = tracing ? measureBoth(metrics.measure, tracing) : metrics.measure;
    const health = createHealth(metrics, { ...environment, canWrite: () => store.canWrite() }, log);
    const store = await (overrides.openStore ?? openStore)(environment.database, {
      now,
      elapsedMs,
      isToRun: true,
      ...eventsOf(log, health),
      ...measure,
    });
    releases.add(() => store.close());
    await store.configure(directoryOf(settings));
    await store.forgetConfigDecisions();
    const client = overrides.service ?? createServiceClient({ ...environment.service, ...measure });
    const service = tracing?.service(client) ?? client;
    releases.add(() => service.close());
    const slackHttp = createSlackHttp();
    releases.add(() => slackHttp.close());
    const routes = routesFor(health, environment.metrics);
    const { fetch } = slackHttp;
    const connection = await connectSlack({ ...environment, ...environment.slack, ...measure, routes, fetch, log });
    const opened = { store, service, connection, fetch: measuredFetch(overrides.fetch ?? fetch, measure.onCall) };
    const { watchEveryMs, outbox: timing, progressSchedule } = overrides;
    const timed = { watchEveryMs, timing, progressSchedule };
    const given = { environment, settings: () => settings, log, now, elapsedMs, newId, measure, inFlight, ...timed };
    parts = assemble({ ...given, ...opened, tracing });

    registerListeners(connection.app, { desk: parts.desk, inFlight: traced(inFlight, tracing) });
    await store.schedule([nextCleaning(now())]);
    await parts.watch.start();
    parts.wake();
    for (const stop of parts.stops) releases.add(stop);
    const metricsPort = await startMetricsListener(health, environment, log, releases);
    const port = await connection.start();
    health.open();
    releases.add(() => health.close());
    return { port, metricsPort };
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
    reload: async (next, step) => {
      await parts?.configure(next);
      settings = next;
      if (step) await parts?.configRequests.taken(step.id, step.confirmedBy);
    },
    report: async (text) => {
      log.error({ problem: text }, "those who run Curfew must mend something");
      await parts?.post(text);
    },
    ...tellingAdmins(() => parts),
    stop: () => releases.run(),
  };
}

type Parts = ReturnType<typeof assemble>;

const tellingAdmins = (
  parts: () => Parts | undefined,
): Pick<App, "holdConfig" | "dropConfig" | "reportMended" | "notify"> => ({
  holdConfig: (held) => parts()?.configRequests.hold(held),
  dropConfig: async (why) => parts()?.configRequests.drop(why),
  reportMended: async (text) => parts()?.post(text, ":white_check_mark:"),
  notify: async (text, icon, channel) => (channel === undefined ? undefined : parts()?.post(text, icon, channel)),
});
/** What is served beside Slack's address: the metrics too, unless they have a port for themselves. */
function routesFor({ routes }: Health, { port }: MetricsSettings): Routes {
  const { "/metrics": metrics, ...health } = routes;
  return port === undefined ? { ...health, "/metrics": metrics } : health;
}

async function startMetricsListener(
  { routes }: Health,
  { metrics, host }: AppEnvironment,
  log: Logger,
  releases: Releases,
): Promise<number | undefined> {
  if (metrics.port === undefined) return undefined;
  const server = createBoundedServer(serveRoutes({ "/metrics": routes["/metrics"] }, log));
  const port = await server.start(metrics.port, host);
  releases.add(() => server.stop());
  return port;
}

const traced = (inFlight: InFlight, tracing: Tracing | undefined): InFlight =>
  tracing ? { ...inFlight, track: (work) => inFlight.track(() => tracing.request(work)) } : inFlight;

function eventsOf(log: Logger, health: Health): DatabaseEvents & { readonly onUnreadable: OnUnreadable } {
  return {
    onUnreadable: logUnreadable(log),
    onDiskFailed: (error) => {
      health.fail();
      log.fatal(
        { err: error },
        "the disk under the database failed: nothing more is taken until Curfew is started anew",
      );
    },
    onConnectionLost: (reason) => log.warn({ reason }, "a connection to the database was lost"),
  };
}

function logUnreadable(log: Logger): OnUnreadable {
  return (row, error) => log.error({ err: error, ...row }, "a stored row cannot be read and was left out");
}
