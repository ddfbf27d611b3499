import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { mainAccount } from "../service/account-ids.ts";
import { operationNames, operations } from "../service/operations.ts";
import { commit, version } from "./version.ts";

/** What waits; moments in epoch ms. */
interface Backlog {
  readonly announcements: number;
  readonly oldestAnnouncementAt: number | undefined;
  readonly approvals: number;
  readonly overdueSince: number | undefined;
}

/** Moments in epoch ms. */
interface Config {
  readonly inForce: { readonly hash: string; readonly since: number; readonly by: string } | undefined;
  readonly newer: { readonly kind: "held" | "invalid" } | undefined;
}

export interface MetricsOptions {
  readonly backlog: () => Promise<Backlog>;
  readonly config: () => Config;
  /** The secrets that do not work, by variable. */
  readonly troubles: ReadonlyMap<string, string>;
  /** By their names. */
  readonly silentAccounts: ReadonlyMap<string, string>;
  readonly now: () => number;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Scraping queries the database at most once in this time. */
const backlogAgeMs = 5000;

/**
 * All metrics. Labels say what was done and how it ended, with values from the code: never who, where or to what. Times are in
 * seconds, by convention.
 */
export function createMetrics(options: MetricsOptions) {
  const registry = new Registry();
  const registers = [registry];
  declareBuildInfo(registers);
  declareBacklog(registers, options);
  declareConfig(registers, options);
  declareTroubles(registers, options);
  return {
    commands: new Counter({
      name: "curfew_commands_total",
      help: "Commands by how they ended; refused: the person may not",
      labelNames: ["command", "outcome"],
      registers,
    }),
    changes: declareChanges(registers),
    watch: declareWatch(registers, options),
    ...declareDurations(registers),
    scrape: createScrape(registry),
  };
}

function declareDurations(registers: Registry[]) {
  const duration = <L extends string>(name: string, labelNames: readonly L[], buckets: number[], help: string) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  return {
    service: duration(
      "curfew_service_request_duration_seconds",
      ["operation", "status"],
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      "Requests to the scheduling service, each try for itself; status: HTTP's, or lost (no answer), or not-sent",
    ),
    slack: duration(
      "curfew_slack_request_duration_seconds",
      ["method", "outcome"],
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      "Calls of Slack's Web API, and answers through response_url; outcome: ok, refused, ratelimited or failed",
    ),
    ack: duration(
      "curfew_slack_ack_duration_seconds",
      ["request"],
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
      "From when a request of Slack's was read to when it was acknowledged; Slack waits 3 s",
    ),
    database: duration(
      "curfew_database_query_duration_seconds",
      ["statement", "outcome"],
      [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
      "Statements by kind; other: the beginning and the end of transactions, mostly",
    ),
  };
}

/** Every counter starts at 0. Prometheus would miss the increase of one that first appears at 1. */
function declareChanges(registers: Registry[]) {
  const changes = new Counter({
    name: "curfew_changes_total",
    help: "Changes of the service by how they ended; unknown: it may have happened",
    labelNames: ["operation", "outcome"],
    registers,
  });
  for (const operation of operationNames.filter((name) => operations[name].effect !== "read")) {
    for (const outcome of ["succeeded", "failed", "unknown"]) changes.inc({ operation, outcome }, 0);
  }
  return changes;
}

/** Where another instance watches, this one has not polled since its start. */
function declareWatch(registers: Registry[], { now }: Pick<MetricsOptions, "now">) {
  let polledAt = now();
  new Gauge({
    name: "curfew_watch_last_poll_age_seconds",
    help: "How long ago this instance last read the service's actions to watch them, or has been running without",
    registers,
    collect() {
      this.set(Math.max(0, now() - polledAt) / 1000);
    },
  });
  return {
    polled: (at: number) => {
      polledAt = at;
    },
  };
}

/** Starts Node's default metrics with the first scrape, because collecting them costs time. */
function createScrape(registry: Registry) {
  let isWatching = false;
  return async () => {
    if (!isWatching) collectDefaultMetrics({ register: registry });
    isWatching = true;
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}

function declareTroubles(registers: Registry[], { troubles, silentAccounts }: MetricsOptions): void {
  new Gauge({
    name: "curfew_secret_refused",
    help: "1 while this secret does not work; with _FILE while the new one in its file does not, and the earlier one is in use",
    labelNames: ["variable"],
    registers,
    collect() {
      this.reset();
      this.set({ variable: "SCHEDULER_API_KEY" }, 0);
      for (const variable of troubles.keys()) this.set({ variable }, 1);
    },
  });
  new Gauge({
    name: "curfew_account_silent",
    help: "1 while this account of the service does not answer",
    labelNames: ["account"],
    registers,
    collect() {
      this.reset();
      this.set({ account: mainAccount }, 0);
      for (const account of silentAccounts.keys()) this.set({ account }, 1);
    },
  });
}

function declareBuildInfo(registers: Registry[]): void {
  new Gauge({
    name: "curfew_build_info",
    help: "Always 1; the labels name the version of Curfew, the commit it was built from, and the version of Node",
    labelNames: ["version", "commit", "node"],
    registers,
  }).set({ version, commit, node: process.versions.node }, 1);
}

/** Who let it in is a Slack id only in `/readyz` and the history. */
function declareConfig(registers: Registry[], { config }: MetricsOptions): void {
  new Gauge({
    name: "curfew_config_in_force_timestamp_seconds",
    help: "Since when the config with this hash is in force; by: admin, operator, or curfew where it loosens nothing",
    labelNames: ["hash", "by"],
    registers,
    collect() {
      this.reset();
      const { inForce } = config();
      if (!inForce) return;
      const [by = ""] = /^(?:operator|curfew)/.exec(inForce.by) ?? ["admin"];
      this.set({ hash: inForce.hash, by }, inForce.since / 1000);
    },
  });
  new Gauge({
    name: "curfew_config_newer",
    help: "1 while a newer file is not used: held, since it waits for the admins, or invalid",
    labelNames: ["state"],
    registers,
    collect() {
      for (const state of ["held", "invalid"]) this.set({ state }, config().newer?.kind === state ? 1 : 0);
    },
  });
}

/** Reads the backlog on each scrape. Leaves these gauges out when the database does not answer. */
function declareBacklog(registers: Registry[], { backlog, now }: MetricsOptions): void {
  const latest = createCached(backlog, now);
  const secondsSince = (at: number | undefined) => (at === undefined ? 0 : Math.max(0, now() - at) / 1000);
  const declare = (name: string, help: string, read: (backlog: Backlog) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await latest().then(read, () => undefined);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  declare("curfew_announcements_waiting", "Announcements not yet delivered", ({ announcements }) => announcements);
  declare(
    "curfew_announcement_oldest_age_seconds",
    "How long the oldest announcement that is not delivered has been waiting; 0 for none",
    ({ oldestAnnouncementAt }) => secondsSince(oldestAnnouncementAt),
  );
  declare("curfew_approvals_waiting", "Changes that wait for approvers", ({ approvals }) => approvals);
  declare(
    "curfew_job_lag_seconds",
    "By how much the most overdue job (a reminder, an expiry) is late; 0 for none",
    ({ overdueSince }) => secondsSince(overdueSince),
  );
}

/** Caches a value for `backlogAgeMs`. Concurrent callers share one query. */
function createCached<T>(load: () => Promise<T>, now: () => number): () => Promise<T> {
  let latest: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (latest === undefined || Math.abs(now() - latest.at) > backlogAgeMs) latest = { at: now(), value: load() };
    return latest.value;
  };
}
