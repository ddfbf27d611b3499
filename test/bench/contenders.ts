import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import type { Workspace } from "../../src/sandbox/workspace/start-workspace.ts";
import { type Bot, startBot } from "./bot.ts";
import { botToken, curfewConfig, type SeenAs, signingSecret } from "./workspace-facts.ts";

/** A program that accepts the same commands, for comparison. */
export interface Contender {
  readonly name: string;
  readonly seenAs: SeenAs;
  /** `folder`: for its files. */
  start(folder: string, surroundings: Surroundings): Promise<Bot>;
}

export interface Surroundings {
  readonly slackUrl: string;
  readonly serviceUrl: string;
  /** More of node's own options, such as `--cpu-prof`. */
  readonly nodeArgs?: readonly string[];
}

const environment = ({ slackUrl, serviceUrl }: Surroundings) => ({
  SLACK_BOT_TOKEN: botToken,
  SLACK_SIGNING_SECRET: signingSecret,
  SLACK_API_URL: `${slackUrl}/api/`,
  SCHEDULER_BASE_URL: serviceUrl,
  SCHEDULER_API_KEY: "bench-key",
  DRAIN_SECONDS: "0",
  NODE_ENV: "production",
});

/** For a bot between the sandbox's service and its simulated workspace. */
export const sandboxEnvironment = (
  workspace: Pick<Workspace, "botToken" | "signingSecret" | "apiUrl">,
  service: Pick<SandboxService, "baseUrl" | "apiKey">,
) => ({
  ...{ DRAIN_SECONDS: "0", NODE_ENV: "production", CURFEW_CONFIG: "curfew.yaml" },
  ...{ SLACK_BOT_TOKEN: workspace.botToken, SLACK_SIGNING_SECRET: workspace.signingSecret },
  ...{ SLACK_API_URL: workspace.apiUrl, SCHEDULER_BASE_URL: service.baseUrl, SCHEDULER_API_KEY: service.apiKey },
});

export const script: Contender = {
  name: "script",
  seenAs: "post",
  start: (folder, around) => {
    mkdirSync(folder, { recursive: true });
    const args = [...(around.nodeArgs ?? []), resolve("test/bench/afternoon-script.mjs")];
    return startBot({ args, env: environment(around), cwd: folder });
  },
};

export interface CurfewOptions {
  /** `sqlite:…` or `postgres://…`; a fresh file in the folder by default. */
  readonly databaseUrl?: string;
  readonly config?: string;
}

export const curfew = ({
  databaseUrl = "sqlite:bench.db",
  config = curfewConfig(),
}: CurfewOptions = {}): Contender => ({
  name: "curfew",
  seenAs: "answer",
  start: (folder, around) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "curfew.yaml"), config);
    return startBot({
      args: [...(around.nodeArgs ?? []), ...startOptions(), resolve("dist/main.js")],
      env: { ...environment(around), DATABASE_URL: databaseUrl },
      cwd: folder,
      readyPath: "/readyz",
    });
  },
});

/** Node's options for starting Curfew. */
export function startOptions(): readonly string[] {
  const { scripts }: { scripts: { start: string } } = JSON.parse(readFileSync("package.json", "utf8"));
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
}
