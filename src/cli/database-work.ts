import { databaseName } from "../store/db/open-database.ts";
import type { OnProgress } from "../store/history/verify-history.ts";
import { type Around, messageOf, type ProcessEnv, print } from "./process-env.ts";
import { readDatabase } from "./read-setup.ts";

/** The exit code that shells use for an interrupted program. */
export const interrupted = 130;

/** Runs work on the database of DATABASE_URL, until it has an exit code or a stop is asked for. `failed`: what to say when it throws. */
export async function onDatabase(
  around: Around,
  failed: (name: string) => string,
  work: (database: string) => Promise<number>,
): Promise<number> {
  const database = readDatabase(around);
  if (typeof database !== "string") return print(database.problems, around.errorOutput, 1);
  try {
    return await Promise.race([work(database), around.stopAsked.then(() => interrupted)]);
  } catch (error) {
    return print([`${failed(databaseName(database))}: ${messageOf(error)}`], around.errorOutput, 1);
  }
}

/** What is quickly done needs no progress line. */
const quietMs = 1000;
const redrawMs = 250;

const toLineStart = "\r";
const clearLine = "\u001b[K";

/** Shows on a terminal, in one line, how far the work is, its rate and the time left. `report` is undefined when errors go elsewhere. */
export async function withProgress<T>(
  { errorOutput, elapsedMs = () => performance.now() }: Pick<ProcessEnv, "errorOutput" | "elapsedMs">,
  work: (report: OnProgress | undefined) => Promise<T>,
): Promise<T> {
  if (errorOutput.isTTY !== true) return work(undefined);
  const startedAt = elapsedMs();
  let part = { name: "", startedAt };
  let [lastAt, drawnAt]: [number, number | undefined] = [startedAt, undefined];
  const report: OnProgress = (name, done, total) => {
    const now = elapsedMs();
    // A part begins where the one before ended.
    if (name !== part.name) part = { name, startedAt: lastAt };
    lastAt = now;
    if (now - startedAt < quietMs || now - (drawnAt ?? startedAt) < redrawMs) return;
    drawnAt = now;
    errorOutput.write(toLineStart + progressLine(name, { done, total, ms: now - part.startedAt }) + clearLine);
  };
  try {
    return await work(report);
  } finally {
    if (drawnAt !== undefined) errorOutput.write(toLineStart + clearLine);
  }
}

function progressLine(name: string, { done, total, ms }: { done: number; total: number; ms: number }): string {
  const counted = `${name}: ${count(done)} of ${count(total)}`;
  const rate = (done / ms) * 1000;
  if (ms === 0 || rate < 1) return counted;
  return `${counted} · ${count(rate)} a second · ${timeLeft(Math.max(0, total - done) / rate)} left`;
}

const count = (number: number): string => Math.round(number).toLocaleString("en");

const timeLeft = (seconds: number): string =>
  seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
