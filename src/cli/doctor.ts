import { join } from "node:path";
import { z } from "zod";
import { accountKeyName, type Environment } from "../config/environment.ts";
import type { Settings } from "../config/settings.ts";
import { type CheckResult, checkResultsOf, type Verdict } from "../observability/check-result.ts";
import { createLogger } from "../observability/log.ts";
import { escapeUnsafe, unsafeCharacters } from "../observability/unsafe-characters.ts";
import { accountOf, mainAccount } from "../service/account-ids.ts";
import { ofAccount } from "../service/accounts.ts";
import { type ActedOn, actionsNamed } from "../service/action-types.ts";
import { createServiceClient } from "../service/client.ts";
import { browseOperation } from "../service/operations.ts";
import type { Action } from "../service/resources.ts";
import type { ServiceError } from "../service/service-error.ts";
import type { ClockReading } from "../slack/checks/check-client.ts";
import { type ChannelInUse, checkSlack } from "../slack/checks/check-slack.ts";
import { isPostgresUrl } from "../store/db/open-database.ts";
import { groupBy } from "../time/group-by.ts";
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
} from "./doctor-here.ts";
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
  const byId = groupBy([...posted, ...answered], ({ channel }) => channel);
  const isPostedTo = new Set(posted.map(({ channel }) => channel));
  const channels = [...byId].map(
    ([id, all]): ChannelInUse => ({ id, uses: all.map(({ use }) => use), isPostedTo: isPostedTo.has(id) }),
  );
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

const { ok, warning, failed } = checkResultsOf("service");

const timeoutMs = 10_000;

/** Calls ListActions once, to see whether an account of the service is reachable, accepts the key and lists the actions of `groups`. */
async function checkService(
  service: { readonly baseUrl: string; readonly apiKey: string },
  groups: Groups,
  now: () => number,
  account = mainAccount,
): Promise<{ readonly results: readonly CheckResult[]; readonly reading: ClockReading | undefined }> {
  let reading: ClockReading | undefined;
  let tookMs = 0;
  const sentAt = now();
  const client = createServiceClient({
    ...service,
    retries: 0,
    attemptTimeoutMs: timeoutMs,
    onExchange: (_request, exchange, ms) => {
      tookMs = Math.round(ms);
      const saidAt = exchange.kind === "answered" ? Date.parse(exchange.headers.date ?? "") : Number.NaN;
      if (!Number.isNaN(saidAt)) reading = { sentAt, receivedAt: now(), saidAt };
    },
  });
  const result = await client.call(browseOperation, {});
  await client.close();
  const at = `${service.baseUrl}: `;
  if (result.kind !== "succeeded")
    return { results: [withCorrectUrl(explain(at, result.error), service.baseUrl)].map(namingOf(account)), reading };
  const listed = ofAccount(account, result.answer ?? []);
  const reached = ok(`${at}took the key and listed ${listed.length} actions in ${tookMs} ms`);
  return { results: [reached, ...checkGroupActions(groupsOf(account, groups), listed)], reading };
}

/** Names the settings of a further account in place of the variables of the main one. */
const namingOf =
  (account: string) =>
  (result: CheckResult): CheckResult => {
    if (account === mainAccount || result.whatToDo === undefined) return result;
    const whatToDo = result.whatToDo
      .replaceAll("SCHEDULER_BASE_URL", `accounts.${account}.url`)
      .replaceAll("SCHEDULER_API_KEY", accountKeyName(account));
    return { ...result, whatToDo };
  };

type Groups = Readonly<Record<string, ActedOn>>;

const groupsOf = (account: string, groups: Groups): Groups =>
  Object.fromEntries(Object.entries(groups).filter(([, { project }]) => accountOf(project) === account));

/** The names in `resourceGroups.<name>.actions`; nothing to report where there are none. */
function checkGroupActions(groups: Groups, listed: readonly Action[]): readonly CheckResult[] {
  const named = Object.entries(groups).flatMap(([name, group]) =>
    (group.actions ?? []).map((action) => ({ name, action, group })),
  );
  if (named.length === 0) return [];
  const { ok, warning } = checkResultsOf("group actions");
  const missing = named.filter(
    ({ action, group }) => actionsNamed({ ...group, actions: [action] }, listed).length === 0,
  );
  if (missing.length === 0) return [ok("the service lists every action that a resource group names")];
  const places = missing.map(({ name, action }) => `resourceGroups.${name}.actions: ${action}`);
  return [
    warning(
      `no action of the group's project and kind of resource has this id, name or tag:\n${places.join("\n")}`,
      "Correct the names, or remove them.",
    ),
  ];
}

/** By the status, else by the code. */
const adviceFor: Readonly<Record<string, string>> = {
  401: "The service does not know the key: put a valid access key into SCHEDULER_API_KEY.",
  403: "The service knows the key but does not let it list actions: give its user the rights, or take another key.",
  404: "Check that SCHEDULER_BASE_URL is the service's address, without /api.",
  Unreachable: "Check SCHEDULER_BASE_URL, the network, the proxy and the firewall.",
  ConnectionLost: "Check the network and any proxy between Curfew and the service, and try again.",
  TimedOut: "Check the network and the service, and try again.",
  Redirected: "Put the address it redirects to into SCHEDULER_BASE_URL, without /api.",
  UnreadableAnswer: "Check that SCHEDULER_BASE_URL is the service's address, without /api.",
};

function explain(at: string, { code, status, message }: ServiceError): CheckResult {
  const what = status === undefined ? `${at}${message}` : `${at}${status} ${code}: ${message}`;
  if (status === 429) return warning(what, "Too many requests. Wait, and check what else uses this key.");
  const known = adviceFor[status ?? ""] ?? adviceFor[code];
  return failed(what, known ?? "The service failed: try again, and inform those who run it.");
}

/** Every path begins with /api (API.md, "Operations"), so an address that ends in it too is wrong unless it works. */
function withCorrectUrl(result: CheckResult, baseUrl: string): CheckResult {
  const [, correct] = /^(.+?)\/+api\/*$/i.exec(baseUrl) ?? [];
  if (correct === undefined) return result;
  return {
    ...result,
    whatToDo: `Write SCHEDULER_BASE_URL=${correct}, since Curfew adds /api itself. Then run the check again.`,
  };
}
