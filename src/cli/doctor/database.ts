import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import { databaseName, isPostgresUrl } from "../../store/db/open-database.ts";
import { tryDatabase } from "../../store/db/try-database.ts";
import { messageOf } from "../print.ts";

const { ok, warning, failed } = checkResultsOf("database");
const space = checkResultsOf("disk space");

/** Whether a start can use the database: a SQLite file's path, or a PostgreSQL URL. Changes nothing and creates no database. */
export async function checkDatabase(database: string): Promise<CheckResult> {
  const name = databaseName(database);
  try {
    await tryDatabase(database);
    return ok(`${name} can be written to and has this version's schema`);
  } catch (error) {
    const message = messageOf(error);
    switch (codeOf(error)) {
      case "NoDatabase":
        return absent(database);
      case "OlderSchema":
        return warning(message, "A start brings it up to date. Make a backup first.");
      case "NewerSchema":
        return failed(message, "Start the newer Curfew, or restore the backup made before the upgrade.");
      default:
        return failed(`${name} cannot be used: ${message}`, isPostgresUrl(database) ? serverAdvice : fileAdvice);
    }
  }
}

const fileAdvice =
  "Check that DATABASE_URL names the right file, and that Curfew's user may write to it and to its folder.";
const serverAdvice =
  "Check that PostgreSQL runs there, and that DATABASE_URL has the right database, user and password. The user must be allowed to write.";

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

async function absent(file: string): Promise<CheckResult> {
  const folder = await nearestFolder(dirname(resolve(file)));
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    if (!(await stat(folder)).isDirectory()) throw new Error("it is not a folder");
    return warning(
      `${file} does not exist`,
      "The first start creates it. If this is not the first start, DATABASE_URL names the wrong file.",
    );
  } catch (error) {
    return failed(
      `${file} does not exist and cannot be created in ${folder}: ${messageOf(error)}`,
      "Name another file with DATABASE_URL, or let Curfew's user write there.",
    );
  }
}

/** The folder itself, or the nearest one above that exists. */
async function nearestFolder(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || folder === dirname(folder) ? folder : nearestFolder(dirname(folder));
}

const mebibyte = 1024 * 1024;
const warnsBelowBytes = 1024 * mebibyte;
const failsBelowBytes = 64 * mebibyte;

/** Checks the disk on which the SQLite file is, or will be. */
export async function checkDiskSpace(file: string): Promise<CheckResult> {
  const folder = await nearestFolder(dirname(resolve(file)));
  const { bavail, bsize } = await statfs(folder);
  return spaceResult(folder, bavail * bsize);
}

export function spaceResult(folder: string, freeBytes: number): CheckResult {
  const what = `${Math.floor(freeBytes / mebibyte)} MiB free in ${folder}`;
  const whatToDo = "Make room: with a full disk no change can be recorded, and so none is made.";
  if (freeBytes < failsBelowBytes) return space.failed(what, whatToDo);
  return freeBytes < warnsBelowBytes ? space.warning(what, whatToDo) : space.ok(what);
}
