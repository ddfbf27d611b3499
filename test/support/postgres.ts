import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { makeFolder } from "./memory-folder.ts";

/** The folder with PostgreSQL's server programs: from POSTGRES_BIN, the PATH, pg_config or Debian's usual place. */
export function findPostgres({ POSTGRES_BIN, PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const candidates = POSTGRES_BIN
    ? [POSTGRES_BIN]
    : [...PATH.split(delimiter), ...configuredFolder(), ...debianFolders()];
  return candidates.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name))));
}

function configuredFolder(): string[] {
  try {
    return [execFileSync("pg_config", ["--bindir"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()];
  } catch {
    return [];
  }
}

/** The newest first. */
function debianFolders(): string[] {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root) : [];
  return versions.sort((one, other) => Number(other) - Number(one)).map((version) => join(root, version, "bin"));
}

export interface PostgresServer {
  /** Without a database name. */
  readonly url: string;
  /** Breaks every connection immediately, as a crash does; `start` continues with the same data. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A new PostgreSQL in a temporary folder. It is tuned for speed, since no data need survive a crash, unless `settings` differ. */
export async function startPostgres(
  binaries: string,
  settings: Readonly<Record<string, string>> = {},
  folder = makeFolder("curfew-postgres"),
): Promise<PostgresServer> {
  // PostgreSQL refuses to run as root, so it then runs as nobody.
  const user = process.getuid?.() === 0 ? nobody : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, HOME: folder } };
  const data = join(folder, "data");
  const making = ["-A", "trust", "-U", "curfew", "--no-sync", "-E", "UTF8", "--locale=C"];
  const made = spawnSync(join(binaries, "initdb"), ["-D", data, ...making], { ...options, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ""}`);
  const port = await freePort();
  const more = Object.entries({ ...quick, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const start = () => launch(join(binaries, "postgres"), ["-D", data, "-p", String(port), ...more], options);
  let crash = await start();
  return {
    url: `postgres://curfew@127.0.0.1:${port}`,
    crash: () => crash(),
    start: async () => {
      crash = await start();
    },
    stop: async () => {
      await crash();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const nobody = { uid: 65_534, gid: 65_534 } as const;

const quick = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 300,
  shared_buffers: "64MB",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
};

/** Runs under a shell that stops the server when its input closes, so no server outlives killed tests. */
const untilInputEnds = '"$0" "$@" & cat > /dev/null; kill -QUIT $! 2> /dev/null; wait $!';

/** Resolves with its stop function when the server accepts connections. */
async function launch(program: string, args: readonly string[], options: object): Promise<() => Promise<void>> {
  const shell = spawn("/bin/sh", ["-c", untilInputEnds, program, ...args], {
    ...options,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => shell.once("close", () => resolve()));
  const stop = async () => {
    shell.stdin.end();
    await ended;
  };
  const problem = await new Promise<string | undefined>((resolve) => {
    let said = "";
    shell.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("ready to accept connections")) resolve(undefined);
      // Its last line before it gives up. Refusing a connection during recovery is no start failure.
      if (said.includes("database system is shut down")) resolve(said);
    });
    shell.once("error", (error) => resolve(error.message));
    void ended.then(() => resolve(said));
  });
  if (problem === undefined) return stop;
  await stop();
  throw new Error(`PostgreSQL did not start: ${problem}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
