import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReleases, type Releases } from "../closers.ts";
import { createClock } from "./clock.ts";
import { startControl } from "./control/start-control.ts";
import { intro } from "./intro.ts";
import { createPage } from "./page/create-page.ts";
import type { Sandbox } from "./sandbox.ts";
import { startSandboxService } from "./service/start-sandbox-service.ts";
import { settlesWithin } from "./settles-within.ts";
import { runTerminal, type Streams, type Terminal } from "./terminal/run-terminal.ts";
import { TerminalSession } from "./terminal/terminal-session.ts";
import { defaultSeed } from "./workspace/default-seed.ts";
import { startWorkspace, type Workspace } from "./workspace/start-workspace.ts";

/** What the bot needs to know of the embedded service and workspace. */
export interface SandboxEnv {
  readonly slack: {
    readonly botToken: string;
    readonly apiUrl: string;
    readonly receiver: { readonly kind: "http"; readonly signingSecret: string };
  };
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  readonly database: string;
  readonly now: () => number;
  readonly elapsedMs: () => number;
}

export interface Bot {
  start(): Promise<{ readonly port: number }>;
  /** Also does what has fallen due, which no timer notices when the clock was moved. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export interface SandboxOptions extends Streams {
  readonly buildBot: (sandboxEnv: SandboxEnv) => Bot;
  /** The text of the app's manifest for HTTP mode. */
  readonly manifest: string;
  readonly command: string;
  readonly configFile: string;
  /** A temporary one when undefined. */
  readonly database: string | undefined;
  /** As it may be shown. */
  readonly databaseName: string | undefined;
  /** For the page and for scripts; 0 for any that is free. */
  readonly controlPort: number;
  /** Where the page's bundle is. */
  readonly pageFolder: string;
}

export interface RunningSandbox {
  /** Resolves when the person at the prompt leaves. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** How long the clock waits at a step for a bot that is kept waiting. */
const longestStepMs = 500;

/** Starts the embedded service and workspace, the bot between them, and the ways in for people and scripts. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const releases = createReleases();
  try {
    const terminal = await open(options, releases);
    return { ended: terminal.ended, stop: releases.run };
  } catch (error) {
    await releases.run();
    throw error;
  }
}

async function open(options: SandboxOptions, releases: Releases): Promise<Terminal> {
  const { command, configFile, controlPort, pageFolder, input, output } = options;
  const clock = createClock(Date.now);
  const service = await startSandboxService({ now: clock.now });
  releases.add(() => service.close());
  const manifest: unknown = JSON.parse(options.manifest.replaceAll('"/curfew"', JSON.stringify(command)));
  const workspace = await startWorkspace({ manifest, seed: defaultSeed, rateLimits: "off", now: clock.now });
  releases.add(() => workspace.close());
  const database = options.database ?? (await temporaryDatabase(releases));

  const { now, elapsedMs } = clock;
  const bot = options.buildBot({ slack: slackOf(workspace), service, database, now, elapsedMs });
  const { port } = await bot.start();
  releases.add(() => bot.stop());
  const botUrl = `http://127.0.0.1:${port}`;
  workspace.connectHttp(`${botUrl}/slack/events`);
  clock.onStep(async () => void (await settlesWithin(bot.idle(), longestStepMs)));

  const sandbox: Sandbox = { workspace, service, seed: defaultSeed, clock, idle: bot.idle };
  const page = createPage(sandbox, pageFolder);
  const control = await startControl(sandbox, controlPort, page);
  releases.add(() => control.close());
  const facts = { command, configFile, botUrl, serviceUrl: service.baseUrl, controlUrl: control.url };
  output.write(intro({ ...facts, databaseName: options.databaseName }));
  const session = new TerminalSession({ sandbox, write: (text) => void output.write(`${text}\n`) });
  const terminal = runTerminal(session, { input, output });
  releases.add(() => terminal.stop());
  return terminal;
}

function slackOf({ botToken, apiUrl, signingSecret }: Workspace): SandboxEnv["slack"] {
  return { botToken, apiUrl, receiver: { kind: "http", signingSecret } };
}

async function temporaryDatabase(releases: Releases): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "curfew-sandbox-"));
  releases.add(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "curfew.db");
}
