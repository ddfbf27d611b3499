import type { Audit } from "../changes/audit.ts";
import type { FollowedConfig } from "../changes/config-requests.ts";
import type { Given, SlackEnvironment } from "../config/environment.ts";
import type { Machine, Settings } from "../config/settings.ts";
import type { Health } from "../observability/health.ts";
import type { Logger } from "../observability/log.ts";
import type { Measure } from "../observability/metrics-when-ready.ts";
import type { Tracing } from "../observability/tracing.ts";
import type { OutboxOptions } from "../outbox.ts";
import type { Absence } from "../service/call-outcome.ts";
import type { ServiceClient } from "../service/client.ts";
import type { SlackConnection } from "../slack/connection/slack-connection.ts";
import type { SlackFetch } from "../slack/connection/slack-http.ts";
import type { OnWrite } from "../store/db/query-log.ts";
import type { openStore, Store } from "../store/open-store.ts";
import type { Schedule } from "../time/loop.ts";

export type AppEnvironment = Omit<SlackEnvironment, "kind" | "logLevel" | "secrets">;

export interface AppOverrides {
  /** Reads the secrets that are in files, and may have changed. */
  readonly readSecrets?: () => readonly Given[];
  /** How often they are read. */
  readonly secretsEveryMs?: number;
  readonly now?: () => number;
  /** A monotonic clock, in ms from any moment: how old something is, and how long it waits. */
  readonly elapsedMs?: () => number;
  readonly newId?: () => string;
  readonly service?: ServiceClient;
  /** Of the further accounts of the service, by their names. */
  readonly accountServices?: Readonly<Record<string, ServiceClient>>;
  /** For answers to people. */
  readonly fetch?: SlackFetch;
  readonly openStore?: typeof openStore;
  readonly onWrite?: OnWrite;
  /** How often this instance shows that it is alive and looks after others. */
  readonly heartbeatEveryMs?: number;
  readonly outbox?: Partial<Pick<OutboxOptions, "pace" | "pollMs" | "schedule">>;
  /** When the progress notice is sent. */
  readonly progressSchedule?: Schedule;
}

/** The process's environment, the config in force, clocks and ids. */
export interface Core {
  readonly environment: AppEnvironment;
  /** With the members that imported machines give to groups. */
  readonly settings: () => Settings;
  /** The imported machines, as they are known here. */
  readonly machines: () => readonly Machine[];
  /** True where they are others than before. */
  readonly useMachines: (machines: readonly Machine[]) => boolean;
  readonly config: FollowedConfig;
  readonly log: Logger;
  readonly now: () => number;
  readonly elapsedMs: () => number;
  readonly newId: () => string;
  readonly overrides: AppOverrides;
}

/** The resources that are open while the app runs. */
export interface Opened {
  readonly store: Store;
  readonly service: ServiceClient;
  readonly connection: SlackConnection;
  /** For answers to people. */
  readonly fetch: SlackFetch;
  readonly measure: Measure;
  readonly tracing: Tracing | undefined;
  readonly health: Health;
  readonly audit: Audit;
  /** With several accounts of the service, waits for the list of each. */
  readonly whole: ServiceClient | undefined;
  /** Called with the accounts of the service that did not answer. */
  readonly onSilent: (missing: ReadonlyMap<string, Absence> | undefined) => void;
}
