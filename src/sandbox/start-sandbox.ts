import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Closers, createClosers } from "../lifecycle.ts";
import { mainAccount, splitId } from "../service/account-ids.ts";
import { createClock } from "./clock.ts";
import { companyAccount, companySeed } from "./company.ts";
import { servePage } from "./page/create-page.ts";
import { type DatabaseWrite, type Sandbox, settlesWithin } from "./sandbox.ts";
import type { Account } from "./service/account.ts";
import { createSeedAccount, seedProject } from "./service/seed-account.ts";
import { startSandboxService } from "./service/start-sandbox-service.ts";
import { runTerminal, type Streams, type Terminal, TerminalSession } from "./terminal.ts";
import { defaultSeed } from "./workspace/default-seed.ts";
import { startWorkspace } from "./workspace/start-workspace.ts";

export { companyConfig } from "./company.ts";

/** The connection settings of the embedded service and workspace, for the bot. */
export interface SandboxEnv {
  readonly slack: {
    readonly botToken: string;
    readonly apiUrl: string;
    readonly receiver: { readonly kind: "http"; readonly signingSecret: string };
  };
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  /** The services of further accounts, by the accounts' names. */
  readonly accounts: ReadonlyMap<string, { readonly baseUrl: string; readonly apiKey: string }>;
  readonly database: string;
  readonly now: () => number;
  readonly elapsedMs: () => number;
  /** Called with the table after every write to the database. */
  readonly onWrite: (table: string) => void;
}

export interface Bot {
  start(): Promise<{ readonly port: number }>;
  /** Reads the service's actions now: warnings come from them. */
  watch(): Promise<void>;
  /** Also runs work that is due: timers do not notice that the clock was moved. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export interface SandboxOptions extends Streams {
  readonly buildBot: (sandboxEnv: SandboxEnv) => Bot;
  /** The names of the further accounts of the config. Each gets a service with the same content, beside its projects. */
  readonly accounts: readonly string[];
  /** Those that the config names, with their names where it gives them. */
  readonly projects: ReadonlyMap<string, string>;
  /** The workspaces of the config, if it names some. The embedded one stands for the first. */
  readonly teams: readonly string[];
  /** With the large company in place of the small one. */
  readonly isCompany: boolean;
  /** The text of the app's manifest for HTTP mode. */
  readonly manifest: string;
  readonly command: string;
  readonly configFile: string;
  /** Undefined for a temporary database. */
  readonly database: string | undefined;
  /** The database without secrets, for display. */
  readonly databaseName: string | undefined;
  /** 0 for any free port. */
  readonly pagePort: number;
  /** The folder of the page's bundle. */
  readonly pageFolder: string;
}

/** How long the clock waits at each step for a busy bot. */
const maxStepWaitMs = 500;

/** Starts the embedded service and workspace, the bot, and the prompt and the page to use them. */
export async function startSandbox(options: SandboxOptions) {
  const closers = createClosers();
  try {
    const terminal = await open(options, closers);
    /** `ended` resolves when the person at the prompt leaves. */
    return { ended: terminal.ended, stop: closers.run };
  } catch (error) {
    await closers.run();
    throw error;
  }
}

async function open(options: SandboxOptions, closers: Closers): Promise<Terminal> {
  const { command, pagePort, pageFolder, input, output } = options;
  const clock = createClock(Date.now);
  const { team, ...people } = options.isCompany ? companySeed : defaultSeed;
  const seed = { ...people, team: { ...team, id: options.teams[0] ?? team.id } };
  const ofMain = options.isCompany ? companyAccount(clock.now()) : createSeedAccount(clock.now());
  const startService = (name: string, account: Account) =>
    startSandboxService({ now: clock.now, account: withProjects(account, name, options.projects) });
  const service = await startService(mainAccount, ofMain);
  closers.add(() => service.close());
  const accounts = new Map<string, typeof service>();
  for (const name of options.accounts) {
    const other = await startService(name, createSeedAccount(clock.now()));
    closers.add(() => other.close());
    accounts.set(name, other);
  }
  const manifest: unknown = JSON.parse(options.manifest.replaceAll('"/curfew"', JSON.stringify(command)));
  const workspace = await startWorkspace({ manifest, seed, rateLimits: "off", now: clock.now });
  closers.add(() => workspace.close());
  const database = options.database ?? (await temporaryDatabase(closers));

  const { now, elapsedMs } = clock;
  const { writes, onWrite } = recordWrites(now);
  const { botToken, apiUrl, signingSecret } = workspace;
  const slack = { botToken, apiUrl, receiver: { kind: "http", signingSecret } } as const;
  const bot = options.buildBot({ slack, service, accounts, database, now, elapsedMs, onWrite });
  const { port } = await bot.start();
  closers.add(() => bot.stop());
  const botUrl = `http://127.0.0.1:${port}`;
  workspace.connectHttp(`${botUrl}/slack/events`);
  const step = async () => {
    await bot.watch();
    await bot.idle();
  };
  clock.onStep(async () => void (await settlesWithin(step(), maxStepWaitMs)));

  const sandbox: Sandbox = { workspace, service, seed, clock, writes, idle: bot.idle };
  const page = await servePage(sandbox, pagePort, pageFolder);
  closers.add(() => page.close());
  output.write(intro(options, { botUrl, pageUrl: page.url, serviceUrl: service.baseUrl, serviceKey: service.apiKey }));
  const session = new TerminalSession(sandbox, (text) => void output.write(`${text}\n`));
  const terminal = runTerminal(session, { input, output });
  closers.add(() => terminal.stop());
  return terminal;
}

/** Of further accounts, ids have the account's name before them, and the service does not know it. */
function withProjects(account: Account, name: string, projects: ReadonlyMap<string, string>): Account {
  for (const [id, project] of projects) {
    const [of, bare] = splitId(id);
    if (of === name && !account.projects.has(bare)) account.projects.set(bare, seedProject(bare, project));
  }
  return account;
}

const maxWrites = 2000;

export function recordWrites(now: () => number) {
  const writes: DatabaseWrite[] = [];
  const onWrite = (table: string) => {
    writes.push({ at: now(), table });
    if (writes.length > maxWrites) writes.splice(0, maxWrites / 2);
  };
  return { writes, onWrite };
}

async function temporaryDatabase(closers: Closers): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "curfew-sandbox-"));
  closers.add(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "curfew.db");
}

type Addresses = Record<"botUrl" | "pageUrl" | "serviceUrl" | "serviceKey", string>;

function intro({ command, configFile, databaseName, teams: [team] }: SandboxOptions, at: Addresses): string {
  const { botUrl, pageUrl, serviceUrl, serviceKey } = at;
  return `Open ${pageUrl} in a browser, or use this prompt.
Curfew runs in its sandbox, on this machine only: an embedded scheduling service and Slack workspace.
  Curfew     ${botUrl}  (/healthz, /readyz)
  service    curl -H "Authorization: AccessKey ${serviceKey}" ${serviceUrl}/api/Actions  (a made-up key)
  config     ${configFile}${team ? ` (this is its workspace ${team})` : ""}; database: ${databaseName ?? "temporary, deleted when you stop"}
  pipelines  curl ${botUrl}/v1/lines -H "Authorization: Bearer sandbox-token-of-deploy-bot" -H "Idempotency-Key: 1" --json '{"line": "keep staging up for 1h"}'
You are alice, an engineer, in #ops. Type what you would type in Slack:
  ${command} keep i-0a1 up for 2h     (${command} exclude alone opens the form)
  wait 8h   then   press Tonight   (#ops is warned half an hour before staging stops)
  as dave   then   ${command} user disable bob
Type ? for all commands, quit or Ctrl-C to stop.
`;
}
