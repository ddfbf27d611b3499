import type { OnProgress } from "../store/history/verify-history.ts";
import type { ProcessEnv } from "./process-env.ts";

/** What is quickly done needs no progress line. */
const quietMs = 1000;
const redrawMs = 250;

const toLineStart = "\r";
const clearLine = "\u001b[K";

interface Progress {
  readonly report: OnProgress;
  /** Removes the line. */
  readonly end: () => void;
}

/** One line on a terminal that shows how far a long command is, its rate and the time left. Undefined when errors go elsewhere. */
export function createProgress({ errorOutput, elapsedMs = () => performance.now() }: Around): Progress | undefined {
  if (errorOutput.isTTY !== true) return undefined;
  const startedAt = elapsedMs();
  let part = { name: "", startedAt };
  let [lastAt, drawnAt]: [number, number | undefined] = [startedAt, undefined];
  return {
    report: (name, done, total) => {
      const now = elapsedMs();
      // A part begins where the one before ended.
      if (name !== part.name) part = { name, startedAt: lastAt };
      lastAt = now;
      if (now - startedAt < quietMs || now - (drawnAt ?? startedAt) < redrawMs) return;
      drawnAt = now;
      errorOutput.write(toLineStart + progressLine(name, { done, total, ms: now - part.startedAt }) + clearLine);
    },
    end: () => void (drawnAt !== undefined && errorOutput.write(toLineStart + clearLine)),
  };
}

/** Shows the progress of this work on a terminal. */
export async function withProgress<T>(
  around: Around,
  work: (report: OnProgress | undefined) => Promise<T>,
): Promise<T> {
  const progress = createProgress(around);
  try {
    return await work(progress?.report);
  } finally {
    progress?.end();
  }
}

type Around = Pick<ProcessEnv, "errorOutput" | "elapsedMs">;

function progressLine(name: string, { done, total, ms }: { done: number; total: number; ms: number }): string {
  const counted = `${name}: ${count(done)} of ${count(total)}`;
  const rate = (done / ms) * 1000;
  if (ms === 0 || rate < 1) return counted;
  return `${counted} · ${count(rate)} a second · ${timeLeft(Math.max(0, total - done) / rate)} left`;
}

const count = (number: number): string => Math.round(number).toLocaleString("en");

const timeLeft = (seconds: number): string =>
  seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
