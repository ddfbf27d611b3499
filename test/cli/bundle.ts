import { spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { built } from "../support/built.ts";
import { makeFolder } from "../support/memory-folder.ts";

export interface Bundle {
  /** The working folder of the bundle's processes. It has no `.env` until a test writes one. */
  readonly folder: string;
  start(options?: StartOptions): Process;
  /** Kills processes that a failed test left running. */
  remove(): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** A module loaded before the bundle. It can receive messages. */
  readonly preload?: string;
  /** Options for the shell's `ulimit`, such as `-f 100`. */
  readonly limit?: string;
  /** What is run, in place of the bundle alone. */
  readonly command?: readonly string[];
  /** Whom it runs as. */
  readonly uid?: number;
  readonly gid?: number;
}

export interface Process {
  readonly pid: number;
  readonly output: string;
  readonly errors: string;
  /** Resolves with the pattern's group when the output matches. Fails if the process ends first. */
  sees(pattern: RegExp): Promise<string>;
  type(line: string): void;
  endInput(): void;
  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL" | "SIGHUP"): void;
  /** Sends a message to the preloaded module. */
  say(message: object): void;
  /** What the preloaded module has sent: of each key the last value. */
  readonly heard: object;
  /** The exit code, or the signal that killed it. */
  readonly exited: Promise<number | string>;
}

/** The bundle as `npm run build` makes it, including the page, in its own folder. */
export function buildBundle(): Bundle {
  const folder = makeFolder("curfew-bundle");
  for (const name of ["manifest", "node_modules"]) symlinkSync(resolve(name), join(folder, name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  mkdirSync(join(folder, "tmp"));
  cpSync(built(), join(folder, "dist"), { recursive: true });
  const running = new Set<Process>();
  return {
    folder,
    start: (options = {}) => {
      const started = startProcess(folder, options);
      running.add(started);
      return started;
    },
    remove: async () => {
      for (const each of running) {
        each.signal("SIGTERM");
        each.signal("SIGTERM");
        await each.exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function startProcess(
  folder: string,
  { env = {}, args = [], preload, limit, command: given, ...user }: StartOptions,
): Process {
  const before = preload === undefined ? [] : ["--import", pathToFileURL(resolve(preload)).href];
  const line = given ?? [process.execPath, ...before, "dist/main.js", ...args];
  const shell = ["bash", "-c", `ulimit ${limit}; exec "$@"`, "bash"];
  const [command = "", ...rest] = limit === undefined ? line : [...shell, ...line];
  const child = spawn(command, rest, {
    ...user,
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: join(folder, "tmp"), PORT: "0", ...env },
    stdio: ["pipe", "pipe", "pipe", preload === undefined ? "ignore" : "ipc"],
  });
  const { stdin, stdout, stderr } = child;
  if (!child.pid || !stdin || !stdout || !stderr) throw new Error("The process did not start.");
  let output = "";
  let errors = "";
  const listeners = new Set<() => void>();
  stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    for (const listener of listeners) listener();
  });
  stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  let heard = {};
  child.on("message", (message) => {
    heard = { ...heard, ...Object(message) };
  });
  const exited = new Promise<number | string>((settle) =>
    child.once("close", (code, signal) => settle(code ?? signal ?? "gone")),
  );
  return {
    pid: child.pid,
    get output() {
      return output;
    },
    get errors() {
      return errors;
    },
    sees: (pattern) =>
      new Promise((settle, fail) => {
        const look = () => {
          const found = pattern.exec(output);
          if (found) settle(found[1] ?? found[0]);
        };
        listeners.add(look);
        void exited.then((code) => fail(new Error(`ended with ${code}, without ${pattern}:\n${output}${errors}`)));
        look();
      }),
    type: (line) => void stdin.write(`${line}\n`),
    endInput: () => void stdin.end(),
    signal: (name) => void child.kill(name),
    // It may be dying.
    say: (message) => void (child.connected && child.send(message, () => undefined)),
    get heard() {
      return heard;
    },
    exited,
  };
}
