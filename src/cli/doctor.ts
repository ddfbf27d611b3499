import { join } from "node:path";
import { z } from "zod";
import { accountKeyName, type Environment } from "../config/environment.ts";
import type { Settings } from "../config/settings.ts";
import { type CheckResult, checkResultsOf, type Verdict } from "../observability/check-result.ts";
import { createLogger } from "../observability/log.ts";
import { escapeUnsafe, unsafeCharacters } from "../observability/unsafe-characters.ts";
import { type ChannelInUse, checkSlack } from "../slack/checks/check-slack.ts";
import { isPostgresUrl } from "../store/db/open-database.ts";
import { within } from "../time/within.ts";
import {
  callersResult,
  checkCalendars,
  checkDatabase,
  checkDiskSpace,
  checkSecretsFolder,
  clockResult,
  configResult,
  environmentResult,
  nodeResult,
} from "./doctor/here.ts";
import { checkService } from "./doctor/service.ts";
import { messageOf, type ProcessEnv } from "./process-env.ts";
import type { OperatorCommand } from "./read-arguments.ts";
import { type Config, type Problems, readConfigAlone, readDatabase, readEnvironmentAlone } from "./read-setup.ts";

type Around = Pick<ProcessEnv, "env" | "readFile" | "rootFolder" | "output">;

/** Reports whether everything that Curfew needs is there, and what to do if not. Returns the exit code. */
export async function runDoctor(
  { configFile, isJson }: Extract<OperatorCommand, { name: "doctor" }>,
  around: Around,
): Promise<number> {
  const results = await examine({ ...around, configFile });
  around.output.write(isJson ? checkResultsJson(results) : printCheckResults(results));
  return isWell(results) ? 0 : 1;
}

export interface Examined extends Omit<Around, "output"> {
  /** The value of `--config`. */
  readonly configFile: string | undefined;
  readonly now?: () => number;
  readonly timeoutMs?: number;
}

/** Runs every check and returns the results in the order of the report. Independent checks run concurrently. */
export async function examine(examined: Examined): Promise<readonly CheckResult[]> {
  const config = readConfigFor(readEnvironmentAlone(examined), examined);
  const accounts = config.kind === "config" ? Object.keys(config.settings.accounts) : [];
  const environment = readEnvironmentAlone(examined, accounts);
  const { callers = [], calendars = [] } = config.kind === "config" ? config.settings : {};
  const folder = environment.kind === "problems" ? undefined : environment.secretsDir;
  const found = [
    nodeResult(process.versions.node),
    environmentResult(environment),
    configResult(config),
    ...(callers.length > 0 ? [callersResult({ callers })] : []),
    ...(folder === undefined ? [] : [inTime("secrets folder", checkSecretsFolder(folder), examined)]),
    ...databaseChecks(environment, examined),
    ...(config.kind === "config" && calendars.length > 0
      ? [inTime("calendars", checkCalendars(config), examined)]
      : []),
    outside(environment, config, examined),
  ];
  return (await Promise.all(found)).flat();
}

/** The sandbox uses the example config when none is named. */
function readConfigFor(environment: Environment, { configFile, rootFolder, ...sources }: Examined): Config | Problems {
  const example = join(rootFolder, "manifest", "curfew.example.yaml");
  const named = environment.kind === "sandbox" ? (environment.configFile ?? example) : configFile;
  return readConfigAlone({ ...sources, configFile: named });
}

function databaseChecks(environment: Environment, examined: Examined): readonly (CheckResult | Promise<CheckResult>)[] {
  const { notChecked, failed } = checkResultsOf("database");
  if (environment.kind === "sandbox" && environment.database === undefined)
    return [notChecked("the sandbox makes one that is gone when it stops")];
  const database = readDatabase(examined);
  if (typeof database !== "string") return [failed(database.problems.join("\n"), "Mend DATABASE_URL.")];
  return [
    inTime("database", checkDatabase(database), examined),
    ...(isPostgresUrl(database) ? [] : [inTime("disk space", checkDiskSpace(database), examined)]),
  ];
}

/** For thousands of people Slack's rate limits take minutes. */
const slackMs = 15 * 60_000;

/** Checks of Slack and the service. */
async function outside(
  environment: Environment,
  config: Config | Problems,
  examined: Examined,
): Promise<readonly CheckResult[]> {
  if (environment.kind === "sandbox") return [];
  if (environment.kind === "problems")
    return ["slack", "service"].map((name) => checkResultsOf(name).notChecked("the environment is not complete"));
  const { now = Date.now, timeoutMs = slackMs } = examined;
  const { slack, service, secrets } = environment;
  const checksOfSlack = checkSlack({
    ...slack,
    scopes: manifestScopes(slack.receiver.kind, examined),
    named: config.kind === "config" ? namedIn(config.settings) : undefined,
    now,
    log: createLogger({ level: "silent", secrets }),
  });
  const { resourceGroups: groups, accounts } = config.kind === "config" ? config.settings : nothingNamed;
  const checksOfAccounts = Object.entries(accounts).map(async ([name, { url: baseUrl }]) => {
    const key = accountKeyName(name);
    const apiKey = environment.accountKeys?.[key];
    if (apiKey === undefined)
      return checkResultsOf("service").failed(`${key} is missing`, `Set the key of the account “${name}”.`);
    return inTime("service", checkService({ baseUrl, apiKey }, groups, now, name), examined);
  });
  const both = await Promise.all([
    inTime("slack", checksOfSlack, { timeoutMs }),
    inTime("service", checkService(service, groups, now), examined),
    ...checksOfAccounts,
  ]);
  const clocks = ["Slack's", "the service's"].map((whose, index) => {
    const found = both[index];
    return clockResult(whose, found && "reading" in found ? found.reading : undefined);
  });
  return [...both.flatMap((found) => ("verdict" in found ? [found] : found.results)), ...clocks];
}

const nothingNamed: Pick<Settings, "resourceGroups" | "accounts"> = { resourceGroups: {}, accounts: {} };

const manifestSchema = z.looseObject({
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
});

/** The scopes in the app's manifest, or why they cannot be read. */
function manifestScopes(mode: "http" | "socket", { rootFolder, readFile }: Examined): readonly string[] | string {
  const path = join(rootFolder, "manifest", `slack-app.${mode}.json`);
  try {
    return manifestSchema.parse(JSON.parse(readFile(path))).oauth_config.scopes.bot;
  } catch {
    return `the app's manifest, ${path}, cannot be read`;
  }
}

function namedIn(settings: Settings) {
  const { announce, admins, digest, warnings, callers, workflows, channels: sections, policy, teams } = settings;
  const at = (section: string, all: readonly { readonly channel: string }[]) =>
    all.map(({ channel }, index) => ({ channel, use: `${section}.${index}` }));
  const posted = [
    ...at("announce", announce),
    ...policy.approvals.flatMap(({ channel, rule }) => (channel === undefined ? [] : [{ channel, use: rule }])),
    ...policy.budgets.flatMap((budget) =>
      budget.then === "approval" && budget.channel ? [{ channel: budget.channel, use: budget.rule }] : [],
    ),
    ...at("warnings", warnings),
    ...at("digest", digest),
    ...(admins ? [{ channel: admins.channel, use: "admins" }] : []),
  ];
  const answered = [
    ...at("callers", callers),
    ...(workflows?.channel ? [{ channel: workflows.channel, use: "workflows" }] : []),
    ...policy.roles.flatMap(({ name, where }) =>
      [...(where.channels ?? [])].map((channel) => ({ channel, use: `permissions.roles.${name}.where` })),
    ),
    ...Object.keys(sections).map((channel) => ({ channel, use: "channels" })),
  ];
  const byId = new Map<string, string[]>();
  for (const { channel, use } of [...posted, ...answered]) byId.set(channel, [...(byId.get(channel) ?? []), use]);
  const isPostedTo = new Set(posted.map(({ channel }) => channel));
  const channels = [...byId].map(([id, uses]): ChannelInUse => ({ id, uses, isPostedTo: isPostedTo.has(id) }));
  return { channels, policy, teams };
}

/** Reports a check that throws or does not end like any other failure. */
async function inTime<T>(
  name: string,
  check: Promise<T>,
  { timeoutMs = 60_000 }: Pick<Examined, "timeoutMs">,
): Promise<T | CheckResult> {
  const { failed } = checkResultsOf(name);
  const late = failed(
    `the check did not end within ${timeoutMs / 1000} s`,
    "Look at what it talks to, and run this again.",
  );
  // The process stays until then, also for a check that waits for nothing.
  const alive = setTimeout(() => undefined, timeoutMs);
  const broken = (error: unknown) => failed(`the check broke: ${messageOf(error)}`, "Report this.");
  const result = await within(timeoutMs, check.catch(broken));
  clearTimeout(alive);
  return result ?? late;
}

const verdicts: readonly Verdict[] = ["ok", "warning", "failed", "not checked"];

/** For people: one or more lines per result, and a summary line. */
export function printCheckResults(results: readonly CheckResult[]): string {
  const widest = Math.max(...results.map(({ name }) => name.length));
  const lines = results.flatMap(({ name, verdict, what, whatToDo }) => {
    const text = [...what.split("\n"), ...(whatToDo === undefined ? [] : [`→ ${whatToDo}`])];
    const heads = [`${verdict.padEnd(verdictWidth)}${name.padEnd(widest + 2)}`];
    return text.map((line, index) => (heads[index] ?? " ".repeat(verdictWidth + widest + 2)) + harmless(line));
  });
  return [...lines, "", sumUp(results), ""].join("\n");
}

const verdictWidth = Math.max(...verdicts.map((verdict) => verdict.length)) + 2;

function sumUp(results: readonly CheckResult[]): string {
  const counts = verdicts.map((verdict) => `${results.filter((each) => each.verdict === verdict).length} ${verdict}`);
  const failed = results.filter(({ verdict }) => verdict === "failed").map(({ name }) => name);
  return failed.length > 0 ? `${counts.join(", ")}. Failed: ${failed.join(", ")}.` : `${counts.join(", ")}.`;
}

/** Names from Slack or the service must not control the terminal. */
const harmless = (text: string): string => text.replaceAll(unsafeCharacters, "�");

/** For scripts. */
export const checkResultsJson = (results: readonly CheckResult[]): string =>
  escapeUnsafe(`${JSON.stringify({ isWell: isWell(results), checks: results }, undefined, 2)}\n`);

export const isWell = (results: readonly CheckResult[]): boolean =>
  results.every(({ verdict }) => verdict !== "failed");
