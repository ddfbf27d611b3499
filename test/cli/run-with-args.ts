import { readFileSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type ProcessEnv, run } from "../../src/cli/run.ts";

export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

export interface Given {
  readonly env?: ProcessEnv["env"];
  /** By their paths; no others are there but those of `manifest/`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly stopAsked?: Promise<void>;
}

/** The program with these arguments, in production and with no variables but those given, until it ends by itself. */
export async function runWithArgs(
  args: readonly string[],
  { env = {}, files = {}, stopAsked }: Given = {},
): Promise<Ended> {
  const [output, errorOutput] = [new PassThrough(), new PassThrough()];
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
    input: Readable.from([]),
    output,
    errorOutput,
    onReloadAsked: () => undefined,
    stopAsked: stopAsked ?? new Promise(() => undefined),
  });
  output.end();
  errorOutput.end();
  return { code, output: await shown, errors: await errors };
}
