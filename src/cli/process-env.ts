import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RawEnvironment } from "../config/environment.ts";
import { escapeUnsafe } from "../observability/unsafe-characters.ts";

/** The surroundings of the process: arguments, environment, files and streams. */
export interface ProcessEnv {
  readonly args: readonly string[];
  readonly env: RawEnvironment;
  /** The folder that contains `manifest/`. */
  readonly rootFolder: string;
  readonly readFile: (path: string) => string;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly errorOutput: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** For the rate of long work; `performance.now` unless a test says otherwise. */
  readonly elapsedMs?: () => number;
  /** Registers the function that runs when the process gets a request to reload its config. */
  readonly onReloadAsked: (reload: () => Promise<void>) => void;
  /**
   * Registers the function that logs what nobody handles: a promise that was rejected, or an exception, which ends the process since
   * its state may be wrong.
   */
  readonly onUnhandled: (log: (kind: "rejection" | "exception", error: unknown) => void) => void;
  /** Resolves when the process gets a request to stop. */
  readonly stopAsked: Promise<void>;
}

/** What an operator's command uses of it. */
export type Around = Pick<
  ProcessEnv,
  "env" | "readFile" | "rootFolder" | "input" | "output" | "errorOutput" | "stopAsked" | "elapsedMs"
>;

/** The reader may stop before the end, as `head` does. */
export async function write(lines: AsyncIterable<string>, { output }: Pick<ProcessEnv, "output">): Promise<number> {
  try {
    await pipeline(Readable.from(lines), output, { end: false });
    return 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return 0;
    throw error;
  }
}

/** Names and file contents may hold anything, and the output may be a terminal. */
export function print(lines: readonly string[], to: NodeJS.WritableStream, code: number): number {
  to.write(escapeUnsafe([...lines, ""].join("\n")));
  return code;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
