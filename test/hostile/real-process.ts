import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { sign } from "../../src/sandbox/workspace/deliveries.ts";
import { buildBundle, type Process, type StartOptions } from "../cli/bundle.ts";
import { startWorkspace, type Workspace } from "../support/start-workspace.ts";

/** The production bundle in HTTP mode, with a local service and workspace. */
export interface RealProcess {
  readonly process: Process;
  readonly workspace: Workspace;
  readonly url: string;
  /** Sends what Slack sends for a typed `help`, over a new connection, and returns the response and its duration. */
  askForHelp(): Promise<{ readonly status: number; readonly ms: number }>;
  /** In MiB, as the operating system counts it. */
  memory(): { readonly now: number; readonly most: number };
  stop(): Promise<void>;
}

export async function startProcess(
  env: Readonly<Record<string, string>> = {},
  options: Pick<StartOptions, "preload"> = {},
): Promise<RealProcess> {
  const bundle = buildBundle();
  const manifest: unknown = JSON.parse(readFileSync("manifest/slack-app.http.json", "utf8"));
  const service = await startSandboxService();
  const workspace = await startWorkspace({ manifest, rateLimits: "off" });
  const process = bundle.start({
    ...options,
    env: {
      NODE_ENV: "production",
      NODE_OPTIONS: startOptions(),
      SLACK_API_URL: workspace.apiUrl,
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_SIGNING_SECRET: workspace.signingSecret,
      SCHEDULER_BASE_URL: service.baseUrl,
      SCHEDULER_API_KEY: service.apiKey,
      DRAIN_SECONDS: "0",
      DATABASE_URL: `sqlite:${join(bundle.folder, "curfew.db")}`,
      CURFEW_CONFIG: "manifest/curfew.example.yaml",
      HOST: "127.0.0.1",
      ...env,
    },
  });
  const url = `http://127.0.0.1:${await process.sees(/"port":(\d+)/)}`;
  workspace.connectHttp(`${url}/slack/events`);
  return {
    process,
    workspace,
    url,
    askForHelp: () => askForHelp(url, workspace),
    memory: () => ({ now: mebibytes(process.pid, "VmRSS"), most: mebibytes(process.pid, "VmHWM") }),
    stop: async () => {
      await bundle.remove();
      await workspace.close();
      await service.close();
    },
  };
}

/** The Node options of `npm start` and the image. */
function startOptions(): string {
  const { scripts }: { scripts: { start: string } } = JSON.parse(readFileSync("package.json", "utf8"));
  return scripts.start
    .split(" ")
    .filter((word) => word.startsWith("--"))
    .join(" ");
}

let asked = 0;

async function askForHelp(url: string, { apiUrl, signingSecret }: Workspace) {
  const fields = { command: "/curfew", text: "help", user_id: "U03CAROL", channel_id: "C0OPS", team_id: "T0CURFEW" };
  const ids = { trigger_id: `1.2.${++asked}`, response_url: `${apiUrl}none` };
  const body = new URLSearchParams({ ...fields, ...ids }).toString();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const startedAt = performance.now();
  const answer = await fetch(`${url}/slack/events`, {
    method: "POST",
    body,
    headers: {
      connection: "close",
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": sign(signingSecret, timestamp, body),
    },
    signal: AbortSignal.timeout(10_000),
  });
  await answer.text();
  return { status: answer.status, ms: performance.now() - startedAt };
}

function mebibytes(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
}
