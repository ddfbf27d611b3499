import { type ExecFileException, execFile } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import type { DaysOff } from "./days-off.ts";
import type { Problem } from "./read-calendar.ts";

interface Days {
  readonly days: DaysOff;
}

const run = promisify(execFile);

const mostMs = 2000;
const mostMegabytes = 128;
/** With its start. The process ends itself before. */
const hangsMs = 10_000;

/** The days off of a calendar between two days, worked out by another process within a time and a memory. Never throws. */
export async function expandCalendar(text: string, first: string, last: string): Promise<Days | Problem> {
  try {
    const options = { timeout: hangsMs, killSignal: "SIGKILL", env: { TZ: "UTC" } } as const;
    const running = run(process.execPath, [...program(), first, last, String(mostMs)], options);
    // It may end before it has read everything.
    running.child.stdin?.on("error", () => undefined).end(text);
    return answer.parse(JSON.parse((await running).stdout));
  } catch (error) {
    return { problem: reasonOf(Object(error)) };
  }
}

/** The program stands beside this file, in the bundle as in the source. */
function program(): readonly string[] {
  const here = fileURLToPath(import.meta.url);
  const path = fileURLToPath(new URL(`./calendar-process${extname(here)}`, import.meta.url));
  // Node 20 reads no TypeScript. Only tests run from the source.
  const loader = extname(here) === ".ts" ? ["--import", "tsx"] : [];
  return [`--max-old-space-size=${mostMegabytes}`, ...loader, path];
}

const slow = `its events take more than ${mostMs / 1000} seconds to work out`;

function reasonOf({ killed, signal, code }: ExecFileException): string {
  if (killed) return slow;
  if (signal) return `its events take more than ${mostMegabytes} MB of memory to work out`;
  return `the process that reads it failed (${code})`;
}

const answer = z.union([
  z.object({ days: z.record(z.string(), z.string()) }),
  z.object({ failed: z.literal("slow") }).transform(() => ({ problem: slow })),
  z.object({ failed: z.literal("unreadable") }).transform(() => ({ problem: "it is no valid calendar in iCal form" })),
]);
