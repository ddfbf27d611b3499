import { access, constants, readdir, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../config/environment.ts";
import { type Caller, exampleTokenHash } from "../config/settings.ts";
import { createCalendars } from "../directory/calendars/calendars.ts";
import { type CheckResult, checkResultsOf } from "../observability/check-result.ts";
import type { ClockReading } from "../slack/checks/check-client.ts";
import { databaseName, isPostgresUrl, tryDatabase } from "../store/db/open-database.ts";
import { isTooOld, oldestNode } from "./node-version.ts";
import { messageOf } from "./process-env.ts";
import type { Config, Problems } from "./read-setup.ts";

/** Checks of Curfew's surroundings on this machine. */

export function nodeResult(version: string): CheckResult {
  const { ok, failed } = checkResultsOf("node");
  return isTooOld(version)
    ? failed(`${version} is older than ${oldestNode}`, `Run Curfew with Node ${oldestNode} or newer.`)
    : ok(version);
}

export function environmentResult(environment: Environment): CheckResult {
  const { ok, failed } = checkResultsOf("environment");
  switch (environment.kind) {
    case "problems":
      return failed(
        environment.problems.join("\n"),
        "Set them in the environment, in a .env file, or as NAME_FILE; .env.example describes each.",
      );
    case "sandbox":
      return ok(
        "none of the SLACK_… and SCHEDULER_… variables is set, so a start runs the sandbox: there is nothing to check but the config and the database",
      );
    case "slack":
      return ok(`complete, for ${environment.slack.receiver.kind === "http" ? "HTTP mode" : "Socket Mode"}`);
  }
}

export function configResult(config: Config | Problems): CheckResult {
  const { ok, warning, failed } = checkResultsOf("config");
  const correction = "Correct it; manifest/curfew.example.yaml shows and explains every setting.";
  if (config.kind === "problems") return failed(config.problems.join("\n"), correction);
  const { configFile, lint } = config;
  const text = [...lint.error, ...lint.warning].join("\n");
  if (lint.error.length > 0) return failed(text, correction);
  return text ? warning(text, "Correct it, unless it is intended.") : ok(`${configFile} is fine`);
}

export async function checkSecretsFolder(folder: string): Promise<CheckResult> {
  const { ok, warning, failed } = checkResultsOf("secrets folder");
  try {
    const names = await filesRightIn(folder);
    if (names.length === 0) return ok(`${folder} can be read`);
    const shown = names.length > 5 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
    return warning(
      `${shown} in CURFEW_SECRETS_DIR: for no credential, so nobody can use it`,
      "Move each key file into a folder named by the id of the credential that it is for, such as cred-00000002/key.json.",
    );
  } catch (error) {
    const reason = messageOf(error);
    return failed(
      `CURFEW_SECRETS_DIR cannot be read: ${reason}`,
      "Name a folder that Curfew's user may read, or leave the variable out when nobody changes keys with Curfew.",
    );
  }
}

/** A link counts as its target. */
async function filesRightIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
  const isFile = await Promise.all(
    names.map(async (name) => !(await stat(join(folder, name)).catch(() => undefined))?.isDirectory()),
  );
  return names.filter((_name, index) => isFile[index]);
}

/** Slack's requests are refused beyond 300 s (PLATFORM.md §1.1). A clock this wrong is likely to get there. */
const failsMs = 60_000;
const warnsMs = 5_000;
/** A `Date` header has a resolution of one second. */
const resolutionMs = 1000;

/** Compares this machine's clock with another's. */
export function clockResult(whose: string, reading: ClockReading | undefined): CheckResult {
  const { ok, warning, failed, notChecked } = checkResultsOf(`clock (${whose})`);
  if (reading === undefined) return notChecked("no answer had a Date header");
  const aheadMs = aheadBy(reading);
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const what = `this machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead" : "behind"}`;
  const whatToDo = "Let this machine keep its time by NTP. Slack's requests are refused when it is 300 s off.";
  if (Math.abs(aheadMs) > failsMs) return failed(what, whatToDo);
  return Math.abs(aheadMs) > warnsMs ? warning(what, whatToDo) : ok("no difference found");
}

/** The minimum difference: 0 when the other clock's time can lie between request and answer. */
function aheadBy({ sentAt, receivedAt, saidAt }: ClockReading): number {
  if (sentAt > saidAt + resolutionMs) return sentAt - (saidAt + resolutionMs);
  return receivedAt < saidAt ? receivedAt - saidAt : 0;
}

/** The pipelines that may ask, and whether one still has the public token of the example. */
export function callersResult({ callers }: { readonly callers: readonly Caller[] }): CheckResult {
  const { ok } = checkResultsOf("callers");
  const named = callers.map(({ name, role, channel }) => `${name} as ${role} in ${channel}`).join(", ");
  const open = callers.filter(({ tokenSha256 }) => tokenSha256.includes(exampleTokenHash)).map(({ name }) => name);
  const only =
    open.length === 0 ? "" : `; the token of ${open.join(", ")} is the example's, and counts only on this machine`;
  return ok(`POST /v1/lines is open to ${named}${only}`);
}

/** The calendars that cannot be read, a line each. */
export function calendarProblems({ settings, configFile }: Pick<Config, "settings" | "configFile">) {
  const sources = () => settings.calendars;
  return createCalendars({ sources, configFile, now: Date.now, onProblem: () => undefined }).load();
}

export async function checkCalendars(config: Pick<Config, "settings" | "configFile">): Promise<CheckResult> {
  const { ok, failed } = checkResultsOf("calendars");
  const problems = await calendarProblems(config);
  if (problems.length > 0)
    return failed(problems.join("\n"), "Correct the calendar, or its url or file under `calendars`.");
  return ok(config.settings.calendars.map(({ name }) => name).join(", "));
}

/** Whether a start can use the database: a SQLite file's path, or a PostgreSQL URL. Changes nothing and creates no database. */
export async function checkDatabase(database: string): Promise<CheckResult> {
  const { ok, warning, failed } = checkResultsOf("database");
  const name = databaseName(database);
  try {
    await tryDatabase(database);
    return ok(`${name} can be written to and has this version's schema`);
  } catch (error) {
    const message = messageOf(error);
    switch (Object(error).code) {
      case "NoDatabase":
        return absent(database);
      case "OlderSchema":
        return warning(message, "A start brings it up to date. Make a backup first.");
      case "NewerSchema":
        return failed(message, "Start the newer Curfew, or restore the backup made before the upgrade.");
      case "OtherSchema":
        return failed(message, "Set DATABASE_URL to Curfew's database, or to an empty one.");
      default:
        return failed(`${name} cannot be used: ${message}`, isPostgresUrl(database) ? serverAdvice : fileAdvice);
    }
  }
}

const fileAdvice =
  "Check that DATABASE_URL names the right file, and that Curfew's user may write to it and to its folder.";
const serverAdvice =
  "Check that PostgreSQL runs there, and that DATABASE_URL has the right database, user and password. The user must be allowed to write.";

async function absent(file: string): Promise<CheckResult> {
  const { warning, failed } = checkResultsOf("database");
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
  const { ok, warning, failed } = checkResultsOf("disk space");
  const what = `${Math.floor(freeBytes / mebibyte)} MiB free in ${folder}`;
  const whatToDo = "Make room: with a full disk no change can be recorded, and so none is made.";
  if (freeBytes < failsBelowBytes) return failed(what, whatToDo);
  return freeBytes < warnsBelowBytes ? warning(what, whatToDo) : ok(what);
}
