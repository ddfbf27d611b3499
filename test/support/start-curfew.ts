import { appendFileSync, readFileSync } from "node:fs";
import type { AppOverrides } from "../../src/app/core.ts";
import { type App, buildApp } from "../../src/app.ts";
import { accountKeyName } from "../../src/config/environment.ts";
import { createLogger } from "../../src/observability/log.ts";
import type { TracingOptions } from "../../src/observability/tracing.ts";
import type { Account } from "../../src/sandbox/service/account.ts";
import { type SandboxService, startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { defaultSeed, type WorkspaceSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { messageToText } from "../../src/sandbox/workspace/message-to-text.ts";
import { createServiceClient } from "../../src/service/client.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { someSettings } from "../changes/build.ts";
import { unhurried } from "../store/next-due.ts";
import { makeDatabase, type TestDatabase } from "./new-database.ts";
import { secretsLogged } from "./secrets-logged.ts";
import { startWorkspace, type Workspace } from "./start-workspace.ts";
import { isEverything } from "./tiers.ts";

export type Mode = "http" | "socket";

/** One running Curfew. */
export interface Instance {
  readonly app: App;
  readonly url: string;
  /** The URL of the metrics when they have their own port. */
  readonly metricsUrl: string | undefined;
  /** Disconnects it from its database permanently, as a crash does; the other instances see it as dead immediately. */
  crash(): Promise<void>;
}

export interface Curfew extends Instance {
  readonly service: SandboxService;
  /** The services of further accounts. */
  readonly services: ReadonlyMap<string, SandboxService>;
  readonly workspace: Workspace;
  /** In the form that `openStore` takes. */
  readonly database: string;
  /** Every line logged so far. */
  readonly logged: readonly string[];
  /**
   * Builds the bot again on the same database, service and workspace, with the same config by default. A running bot is first cut off from its
   * database, as by a crash.
   */
  restart(overrides?: AppOverrides, config?: string): Promise<void>;
  /** The other instances on the same database. */
  readonly others: readonly Instance[];
  /** Starts another instance on the same database. Slack still delivers to the previous one. */
  addInstance(overrides?: AppOverrides): Promise<Instance>;
  /** Over HTTP: Slack delivers to this one from now on. */
  deliverTo(instance: Instance): void;
  stop(): Promise<void>;
}

export interface CurfewOptions {
  readonly mode?: Mode;
  readonly config?: string;
  /** Its folder is where calendars' files are. */
  readonly configFile?: string;
  readonly now?: () => number;
  /** Without it, `now` gives the elapsed time. */
  readonly elapsedMs?: () => number;
  readonly overrides?: AppOverrides;
  /** The folder of key files. */
  readonly secretsDir?: string;
  readonly tracing?: TracingOptions;
  /** What the service holds, when it is not the usual account. */
  readonly account?: Account;
  /** Further accounts of the service, as the config names them. */
  readonly accounts?: Readonly<Record<string, Account>>;
  /** The people and channels of the workspace, when they are not the usual ones. */
  readonly seed?: WorkspaceSeed;
  /** The manifest that is installed, when it is not the current one. */
  readonly manifest?: unknown;
  readonly metricsPort?: number;
  readonly metricsToken?: string;
  /** Slack's limits, and Curfew's rate limiters for them. Without it, nothing is delayed. */
  readonly rateLimits?: "slack" | "off";
  /** How long Slack waits for an acknowledgement. In the full run longer than it does, as the machine has much else to do. */
  readonly slackWaitsMs?: number;
  /** How many start together on an empty database; Slack delivers to the first. Without it, one starts on a prepared database. */
  readonly instances?: number;
  /** A database that exists, instead of a new one. */
  readonly on?: TestDatabase;
}

export const wholeExample = readFileSync("manifest/curfew.example.yaml", "utf8");

/** The example without what asks for approvals, so changes are made immediately. Approvals have their own journeys. */
export const exampleConfig = wholeExample.replace(/^approvals:\n(?: .*\n)+/m, "").replace(/^identity: .*\n/m, "");

/** The same, without the limit on requests per person. */
export const unlimitedConfig = exampleConfig.replace("perPersonPerMinute: 30", "perPersonPerMinute: 0");

/** The same, in which nobody may ask others to allow what goes beyond their role. */
export const configWithoutAsking = unlimitedConfig.replace(/^ {6}mayAsk: .*\n/m, "");

/** The whole bot, on the embedded service over HTTP, the simulated workspace and a real database. */
export async function startCurfew({
  mode = "http",
  config = exampleConfig,
  configFile = "curfew.yaml",
  now = Date.now,
  elapsedMs = now,
  overrides,
  secretsDir,
  tracing,
  seed,
  account,
  accounts = {},
  metricsPort,
  metricsToken,
  rateLimits = "off",
  slackWaitsMs = isEverything ? 15_000 : 3000,
  instances,
  on,
  manifest = JSON.parse(readFileSync(`manifest/slack-app.${mode}.json`, "utf8")),
}: CurfewOptions = {}): Promise<Curfew> {
  const service = await startSandboxService({ now, ...(account ? { account } : {}) });
  const services = new Map<string, SandboxService>();
  for (const [name, other] of Object.entries(accounts))
    services.set(name, await startSandboxService({ now, account: other }));
  const workspace = await startWorkspace({
    ...{ manifest, now, rateLimits },
    ...(seed ? { seed } : {}),
    deadlineMs: slackWaitsMs,
  });
  const { database, remove } = on ?? (await makeDatabase(instances === undefined ? "migrated" : "empty"));
  const logged: string[] = [];
  const outbox = rateLimits === "off" ? { pace: unhurried } : {};
  const log = createLogger({ level: "debug", destination: { write: (line: string) => void logged.push(line) } });
  const build = (more: AppOverrides, text: string) => {
    const quickly = (to: SandboxService) =>
      createServiceClient({ ...to, now, attemptTimeoutMs: 1000, callTimeoutMs: 3000, sleep: async () => undefined });
    const environment = {
      slack: {
        botToken: workspace.botToken,
        apiUrl: workspace.apiUrl,
        receiver:
          mode === "http"
            ? ({ kind: "http", signingSecret: workspace.signingSecret } as const)
            : ({ kind: "socket", appToken: workspace.appToken } as const),
      },
      service,
      accountKeys: Object.fromEntries([...services].map(([name, { apiKey }]) => [accountKeyName(name), apiKey])),
      configFile,
      database,
      secretsDir,
      metrics: { port: metricsPort, token: metricsToken },
      tracing,
      command: "/curfew",
      host: "127.0.0.1",
      port: 0,
      drainMs: 0,
    };
    return buildApp(environment, someSettings(text), log, {
      now,
      elapsedMs,
      service: quickly(service),
      accountServices: Object.fromEntries([...services].map(([name, each]) => [name, quickly(each)])),
      outbox,
      ...overrides,
      ...more,
    });
  };
  const start = async (more: AppOverrides = {}, text = config): Promise<Instance> => {
    let opened: Store | undefined;
    let isStopped = false;
    const built = build(
      {
        openStore: async (...given) => {
          opened = await openStore(...given);
          return opened;
        },
        ...more,
      },
      text,
    );
    const stop = () => {
      isStopped = true;
      return built.stop();
    };
    const crash = async () => {
      if (isStopped) return;
      await opened?.leave();
      await opened?.close();
      const connections = workspace.sockets.count();
      // It accepts nothing new from here on, and nothing needs its pending work.
      void stop().catch(() => undefined);
      if (connections > 0) await workspace.waitFor(() => workspace.sockets.count() < connections);
    };
    const app: App = { ...built, stop };
    const { port, metricsPort: ownPort } = await app.start();
    const metricsUrl = ownPort === undefined ? undefined : `http://127.0.0.1:${ownPort}`;
    return { app, url: `http://127.0.0.1:${port}`, metricsUrl, crash };
  };
  const deliverTo = ({ url }: Instance) => {
    if (mode === "http") workspace.connectHttp(`${url}/slack/events`);
  };
  let [instance, ...others] = await Promise.all([
    start(),
    ...Array.from({ length: (instances ?? 1) - 1 }, () => start()),
  ]);
  deliverTo(instance);
  return {
    service,
    services,
    workspace,
    database,
    logged,
    get app() {
      return instance.app;
    },
    get url() {
      return instance.url;
    },
    get metricsUrl() {
      return instance.metricsUrl;
    },
    others,
    crash: () => instance.crash(),
    restart: async (more, other) => {
      await instance.crash();
      instance = await start(more, other);
      deliverTo(instance);
    },
    addInstance: async (more) => {
      const added = await start(more);
      others.push(added);
      return added;
    },
    deliverTo,
    stop: async () => {
      for (const { app } of [...others, instance]) await app.stop();
      // Checks the whole log of every journey.
      const [leaked] = secretsLogged({ workspace, service, logged });
      keepPosted(workspace);
      await workspace.close();
      for (const each of [service, ...services.values()]) await each.close();
      await remove();
      if (leaked !== undefined) throw new Error(`a secret was logged: ${leaked}`);
    },
  };
}

/** For `npm run words`. */
function keepPosted(workspace: Workspace): void {
  const { CURFEW_POSTED: file } = process.env;
  if (file === undefined) return;
  const viewer = { nameOf: (id: string) => id, zone: "UTC", now: Date.now() };
  const texts = workspace.posted().map((message) => messageToText(message, { ...viewer, width: 1000 }));
  appendFileSync(file, texts.map((text) => `${JSON.stringify(text)}\n`).join(""));
}

/** Only full members read #ops, so reasons about accounts are shown there. */
export const closedOps: WorkspaceSeed = {
  ...defaultSeed,
  channels: defaultSeed.channels.map((channel) =>
    channel.name === "ops" ? { ...channel, isShared: false, members: ["alice", "bob", "carol", "dave"] } : channel,
  ),
};

/** Gives a running Curfew another config. */
export const reload = ({ app }: Instance, config: string): Promise<void> => app.reload(someSettings(config));
