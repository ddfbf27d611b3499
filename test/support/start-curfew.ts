import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, type AppOverrides, buildApp } from "../../src/app.ts";
import { parseSettings } from "../../src/config/settings.ts";
import { createLogger } from "../../src/log.ts";
import { type SandboxService, startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { startWorkspace, type Workspace } from "../../src/sandbox/workspace/start-workspace.ts";
import { createServiceClient } from "../../src/service/client.ts";

export type Mode = "http" | "socket";

export interface Curfew {
  readonly service: SandboxService;
  readonly workspace: Workspace;
  readonly app: App;
  readonly url: string;
  readonly databaseFile: string;
  /** Every line logged so far. */
  readonly logged: readonly string[];
  /** Builds the bot anew on the same database, service and workspace; with the same config unless another is given. */
  restart(overrides?: AppOverrides, config?: string): Promise<void>;
  stop(): Promise<void>;
}

export interface CurfewOptions {
  readonly mode?: Mode;
  readonly config?: string;
  readonly now?: () => number;
  readonly overrides?: AppOverrides;
  /** The folder of key files. */
  readonly secretsDir?: string;
}

export const exampleConfig = readFileSync("manifest/curfew.example.yaml", "utf8");

/** The whole bot, on the embedded service over HTTP, the simulated workspace and a real SQLite file. */
export async function startCurfew({
  mode = "http",
  config = exampleConfig,
  now = Date.now,
  overrides,
  secretsDir,
}: CurfewOptions = {}): Promise<Curfew> {
  const manifest: unknown = JSON.parse(readFileSync(`manifest/slack-app.${mode}.json`, "utf8"));
  const service = await startSandboxService({ now });
  const workspace = await startWorkspace({ manifest, now, rateLimits: "off" });
  const folder = mkdtempSync(join(tmpdir(), "curfew-"));
  const databaseFile = join(folder, "curfew.db");
  const logged: string[] = [];
  const log = createLogger({ level: "debug", destination: { write: (line: string) => void logged.push(line) } });
  const build = (more: AppOverrides = {}, text = config) => {
    const parsed = parseSettings(text, "curfew.yaml");
    if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
    const quick = createServiceClient({
      ...service,
      now,
      attemptTimeoutMs: 1000,
      callTimeoutMs: 3000,
      sleep: async () => undefined,
    });
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
      configFile: "curfew.yaml",
      database: databaseFile,
      secretsDir,
      command: "/curfew",
      host: "127.0.0.1",
      port: 0,
    };
    return buildApp(environment, parsed.settings, log, { now, service: quick, ...overrides, ...more });
  };
  let app = build();
  let url = "";
  const start = async () => {
    const { port } = await app.start();
    url = `http://127.0.0.1:${port}`;
    if (mode === "http") workspace.connectHttp(`${url}/slack/events`);
  };
  await start();
  return {
    service,
    workspace,
    databaseFile,
    logged,
    get app() {
      return app;
    },
    get url() {
      return url;
    },
    restart: async (more, other) => {
      app = build(more, other);
      await start();
    },
    stop: async () => {
      await app.stop();
      await workspace.close();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
