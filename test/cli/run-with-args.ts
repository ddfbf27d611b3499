import { readFileSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ProcessEnv } from "../../src/cli/process-env.ts";
import { run } from "../../src/cli/run.ts";

export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

export interface Given {
  readonly env?: ProcessEnv["env"];
  /** File contents by path. Only these and the files in `manifest/` exist. */
  readonly files?: Readonly<Record<string, string>>;
  readonly stopAsked?: Promise<void>;
  /** What standard input holds. */
  readonly input?: string;
  /** The streams that are a terminal. */
  readonly terminals?: readonly ("output" | "errors")[];
  readonly elapsedMs?: () => number;
}

/** Runs the program in production with only the given arguments and variables, until it exits. */
export async function runWithArgs(
  args: readonly string[],
  { env = {}, files = {}, input = "", stopAsked, terminals = [], elapsedMs = () => performance.now() }: Given = {},
): Promise<Ended> {
  const output = Object.assign(new PassThrough(), { isTTY: terminals.includes("output") });
  const errorOutput = Object.assign(new PassThrough(), { isTTY: terminals.includes("errors") });
  const [shown, errors] = [text(output), text(errorOutput)];
  const code = await run({
    args,
    env: { NODE_ENV: "production", ...env },
    rootFolder: ".",
    readFile: (path) => {
      const file = files[path];
      if (file !== undefined) return file;
      if (path.startsWith("manifest/")) return readFileSync(path, "utf8");
      throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: "ENOENT" });
    },
    input: Readable.from([input]),
    output,
    errorOutput,
    elapsedMs,
    onReloadAsked: () => undefined,
    onUnhandled: () => undefined,
    stopAsked: stopAsked ?? new Promise(() => undefined),
  });
  output.end();
  errorOutput.end();
  return { code, output: await shown, errors: await errors };
}
