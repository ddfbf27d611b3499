import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, extname, join, resolve, sep } from "node:path";
import { mostBytes, tooLarge } from "./fetch-calendar.ts";
import type { Problem } from "./problem.ts";

/**
 * The text of a calendar's file. Only a file named *.ics below the folder of curfew.yaml is read, also where links lead to: secrets are
 * kept in files too. Never throws.
 */
export async function readCalendarFile(configFile: string, file: string): Promise<{ text: string } | Problem> {
  try {
    const folder = await realpath(dirname(configFile));
    const path = await realpath(resolve(folder, file));
    if (!path.startsWith(join(folder, sep))) return { problem: "its file is not below the folder of curfew.yaml" };
    if (extname(path) !== ".ics") return { problem: "its file is not named *.ics" };
    const found = await stat(path);
    if (!found.isFile()) return { problem: "its file is no plain file" };
    return found.size > mostBytes ? tooLarge : { text: await readFile(path, "utf8") };
  } catch (error) {
    const { code } = Object(error);
    return { problem: code === "ENOENT" ? "its file does not exist" : `its file can't be read (${code})` };
  }
}
