import { unwatchFile, watchFile } from "node:fs";
import { parseSettings, type ReadSettings } from "../config/settings.ts";
import { cannotBeRead } from "./cannot-be-read.ts";

export interface ConfigWatch {
  readonly file: string;
  readonly readFile: (path: string) => string;
  readonly onSettings: (read: ReadSettings) => Promise<void>;
  /** The file cannot be used as it is: what stands goes on. */
  readonly onProblems: (problems: readonly string[]) => Promise<void>;
}

/** Looked at by time and size, so that it works for files that editors replace and that orchestrators link anew. */
const lookEveryMs = 2000;

/** Reads the config file again when it has changed, and when asked to; one time after the other, so that the last reading stays. */
export function watchConfig({ file, readFile, onSettings, onProblems }: ConfigWatch) {
  const readAgain = async (): Promise<void> => {
    const read = readSettings(file, readFile);
    if ("problems" in read) return onProblems(read.problems);
    await onSettings(read).catch((error: unknown) =>
      onProblems([`${file} could not be taken over: ${messageOf(error)}`]),
    );
  };
  let last: Promise<void> = Promise.resolve();
  const reload = (): Promise<void> => {
    last = last.then(readAgain);
    return last;
  };
  const look = () => void reload();
  watchFile(file, { interval: lookEveryMs, persistent: false }, look);
  return { reload, stop: () => unwatchFile(file, look) };
}

function readSettings(file: string, readFile: (path: string) => string): ReturnType<typeof parseSettings> {
  try {
    return parseSettings(readFile(file), file);
  } catch (error) {
    return { problems: [cannotBeRead(file, error)] };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
