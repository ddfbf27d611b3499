import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface Bundle {
  /** Where the bundle's processes run; holds no `.env` until a test writes one. */
  readonly folder: string;
  start(options?: StartOptions): Process;
  /** Kills what a failed test left running. */
  remove(): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

export interface Process {
  readonly output: string;
  readonly errors: string;
  /** Resolves with what the pattern's group found, as soon as the output has it; fails when the process ends without. */
  sees(pattern: RegExp): Promise<string>;
  type(line: string): void;
  endInput(): void;
  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL"): void;
  /** The exit code, or the signal that killed it. */
  readonly exited: Promise<number | string>;
}

/** The bundle as `npm run build` makes it, in a folder of its own. */
export function buildBundle(): Bundle {
  const folder = mkdtempSync(join(tmpdir(), "curfew-bundle-"));
  for (const name of ["manifest", "node_modules"]) symlinkSync(resolve(name), join(folder, name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  mkdirSync(join(folder, "tmp"));
  execFileSync("sh", ["-c", bundling().replace("--outdir=dist", `--outdir=${folder}/dist`)], {
    env: { PATH: `${resolve("node_modules/.bin")}:${process.env.PATH}` },
  });
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

/** The step of `npm run build` that bundles. */
function bundling(): string {
  const { scripts }: { scripts: { build: string } } = JSON.parse(readFileSync("package.json", "utf8"));
  return scripts.build.slice(scripts.build.indexOf("esbuild "));
}

function startProcess(folder: string, { env = {}, args = [] }: StartOptions): Process {
  const child = spawn(process.execPath, ["--enable-source-maps", "dist/main.js", ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: join(folder, "tmp"), PORT: "0", ...env },
  });
  let output = "";
  let errors = "";
  const listeners = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    for (const listener of listeners) listener();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const exited = new Promise<number | string>((settle) =>
    child.once("close", (code, signal) => settle(code ?? signal ?? "gone")),
  );
  return {
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
    type: (line) => void child.stdin.write(`${line}\n`),
    endInput: () => void child.stdin.end(),
    signal: (name) => void child.kill(name),
    exited,
  };
}
