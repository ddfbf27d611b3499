import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { escapeUnsafe } from "../observability/unsafe-characters.ts";
import type { ProcessEnv } from "./process-env.ts";

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
