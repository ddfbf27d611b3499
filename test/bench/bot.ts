import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { nowMs } from "./clock.ts";

/** A bot under test: the real program in its own process. */
export interface Bot {
  readonly pid: number;
  readonly url: string;
  /** From its start until it accepted requests. */
  readonly readyMs: number;
  readonly isRunning: () => boolean;
  stop(): Promise<void>;
  /** Kills it hard; resolves when it is dead. */
  kill(): Promise<void>;
}

export interface BotOptions {
  /** Arguments for node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A path that answers 200 when the bot accepts requests. Without one, a successful connection counts. */
  readonly readyPath?: string;
}

const lookEveryMs = 5;
const maxStartMs = 30_000;

export async function startBot({ args, env, cwd, readyPath }: BotOptions): Promise<Bot> {
  const port = await freePort();
  const startedAt = nowMs();
  const log = openSync(`${cwd}/bot.log`, "a");
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH, PORT: String(port), HOST: "127.0.0.1", ...env },
    stdio: ["ignore", log, log],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url + (readyPath ?? "/"), readyPath !== undefined))) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode}: see ${cwd}/bot.log`);
    if (nowMs() - startedAt > maxStartMs) throw new Error(`${args.join(" ")} is not ready: see ${cwd}/bot.log`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return {
    pid: child.pid ?? 0,
    url,
    readyMs: nowMs() - startedAt,
    isRunning: () => isAlive(child),
    stop: () => end(child, "SIGTERM"),
    kill: () => end(child, "SIGKILL"),
  };
}

const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isAlive(child)) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

function isReady(url: string, mustSayOk: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    request(url, { agent: false }, (response) => {
      response.resume();
      resolve(!mustSayOk || response.statusCode === 200);
    })
      .on("error", () => resolve(false))
      .end();
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
