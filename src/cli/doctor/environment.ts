import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../../config/environment.ts";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import type { ClockReading } from "../../slack/checks/check-client.ts";
import { isTooOld, oldestNode } from "../node-version.ts";
import { messageOf } from "../print.ts";
import type { Config, Problems } from "../read-setup.ts";

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
