import { type AccountKeyName, accountKeyName, type Given, headersIn, isAccountKey } from "../config/environment.ts";
import { mainAccount } from "../service/account-ids.ts";
import type { Absence } from "../service/call-outcome.ts";
import { createServiceClient } from "../service/client.ts";
import { browseOperation } from "../service/operations.ts";
import { createCheckClient } from "../slack/checks/check-client.ts";
import { checkAppToken } from "../slack/checks/check-slack.ts";
import { refusalText, slackRefusal } from "../slack/checks/slack-refusal.ts";
import { installedIn } from "../slack/people/actors.ts";
import { isPostgresUrl, tryDatabase } from "../store/db/open-database.ts";
import { placeOf } from "../store/db/open-postgres.ts";
import { every } from "../time/loop.ts";
import { within } from "../time/within.ts";
import type { Parts } from "./build-parts.ts";
import type { AppEnvironment, Core } from "./core.ts";

type SecretName = Given["name"];

/** Gives why a new value cannot be used; undefined when it can. */
type Trial = (value: string) => Promise<string | undefined>;
export type Trials = Readonly<Partial<Record<SecretName, Trial>>>;

export type Secrets = ReturnType<typeof createSecrets>;

interface SecretSources {
  readonly inForce: InForce;
  readonly trials: Trials;
  /** For operators; undefined during the start. */
  readonly notices: () => Pick<Parts, "report" | "reportMended"> | undefined;
}

const lookMs = 2000;
/** Something else may make a refused value right. */
const tryAgainMs = 30_000;
const trialMs = 8000;

/**
 * Replaces secrets in the environment in force when their files change. A new value is tried before it takes the place of the
 * old one. One that cannot be tried is used when two looks in a row find it, since somebody may still be writing the file.
 */
export function createSecrets(
  { elapsedMs, log, overrides }: Pick<Core, "elapsedMs" | "log" | "overrides">,
  { inForce, trials, notices }: SecretSources,
) {
  const { readSecrets: read = () => [], secretsEveryMs = lookMs } = overrides;
  const known = new Map(read().flatMap((one) => ("value" in one ? [[one.name, one.value] as const] : [])));
  const seen = new Map<SecretName, string>();
  const refused = new Map<SecretName, { readonly found: string; readonly at: number }>();
  const { troubles, note, solve } = createTroubles(notices);
  const silent = createTroubles(notices, (account) => `The account ${account}`);
  const take = (name: SecretName, value: string): void => {
    known.set(name, value);
    replace(inForce, name, value);
    log.info({ variable: name }, "a secret was read again and is used from now on");
    solve(`${name}_FILE`);
    solve(name);
  };
  const lookAt = async (one: Given): Promise<void> => {
    const { name } = one;
    const found = "value" in one ? one.value : one.problem;
    const isSettled = seen.get(name) === found;
    seen.set(name, found);
    if ("value" in one && found === known.get(name)) return solve(`${name}_FILE`);
    const trial = trials[name];
    if (!isSettled && ("problem" in one || !trial)) return;
    const last = refused.get(name);
    if (last?.found === found && elapsedMs() - last.at < tryAgainMs) return;
    const problem = "problem" in one ? one.problem : trial && (await tryOut(trial, found));
    if (problem === undefined) return take(name, found);
    if (!isSettled) return;
    refused.set(name, { found, at: elapsedMs() });
    note(
      `${name}_FILE`,
      `The file of ${name} holds nothing that works, so the earlier one stays in use: ${problem}. Correct the file.`,
    );
  };
  let looking: Promise<void> | undefined;
  const look = (): Promise<void> => {
    looking ??= (async () => {
      await Promise.all(read().map(lookAt));
    })().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  return {
    troubles,
    silentAccounts: silent.troubles,
    /** Looks at the files again and again, until the returned function is called. */
    follow: () => every(secretsEveryMs, look, (err) => log.error({ err }, "the secrets could not be read again")).stop,
    silentAmong: (others: readonly string[]) => reportSilent(silent, others),
    /** What the client of an account does about its key. */
    serviceKey: (name: ServiceKeyName) => {
      const inUse = (): string =>
        name === "SCHEDULER_API_KEY" ? inForce.service.apiKey : (inForce.accountKeys[name] ?? "");
      return {
        apiKey: inUse,
        /** The service refuses this key. True if another one is in force by now. */
        onKeyRefused: async (key: string): Promise<boolean> => {
          // A look under way may have read the file before it changed.
          await looking?.catch(() => undefined);
          if (inUse() === key) await look().catch(() => undefined);
          if (inUse() !== key) return true;
          const how = known.has(name) ? "Curfew uses it within seconds" : "Then restart Curfew";
          note(name, `The service refuses ${name}, so nothing is changed there. Set a key that it knows. ${how}.`);
          return false;
        },
        onKeyTaken: () => solve(name),
      };
    },
  };
}

/** Reports the accounts of the service that leave two polls in a row unanswered, until they answer or another instance watches. */
function reportSilent({ note, solve, troubles }: ReturnType<typeof createTroubles>, others: readonly string[]) {
  let before: ReadonlyMap<string, Absence> = new Map();
  return (missing: ReadonlyMap<string, Absence> | undefined): void => {
    if (!missing) {
      before = new Map();
      troubles.clear();
      return;
    }
    for (const account of [mainAccount, ...others]) {
      const { code } = missing.get(account) ?? {};
      const text = `The account “${account}” of the service does not list its actions (${code}). Its runs are shown as they were. Look at the service and the network.`;
      if (code !== undefined && before.has(account)) note(account, text);
      if (!missing.has(account)) solve(account);
    }
    before = missing;
  };
}

/** Bounded, since a stop waits for it, and so may a request. */
async function tryOut(trial: Trial, value: string): Promise<string | undefined> {
  const tried = await within(
    trialMs,
    trial(value).then((problem) => ({ problem })),
  );
  return tried ? tried.problem : `there was no answer within ${trialMs / 1000} seconds`;
}

/**
 * What does not work: by variable, with `_FILE` where only the new value does not and the one in force still works; or by account.
 * `nameOf` gives what people read.
 */
function createTroubles(notices: SecretSources["notices"], nameOf = (key: string) => key) {
  const troubles = new Map<string, string>();
  return {
    troubles,
    note: (key: string, text: string): void => {
      const isKnown = troubles.has(key);
      troubles.set(key, text);
      if (!isKnown) void notices()?.report(text);
    },
    solve: (key: string): void => {
      if (troubles.delete(key))
        void notices()?.reportMended(`${nameOf(key)} works again. There is nothing left to do about it.`);
    },
  };
}

type InForce = ReturnType<typeof copyOf>;
type ServiceKeyName = "SCHEDULER_API_KEY" | AccountKeyName;

/** A copy in which secrets can be replaced. */
export function copyOf({ slack, service, accountKeys, metrics, tracing, ...rest }: AppEnvironment) {
  return {
    ...rest,
    slack: { ...slack, receiver: { ...slack.receiver } },
    service: { ...service },
    accountKeys: { ...accountKeys },
    metrics: { ...metrics },
    tracing: tracing && { ...tracing },
  };
}

/** Whatever uses a secret reads it from the environment in force each time. */
function replace(inForce: InForce, name: SecretName, value: string): void {
  const { slack, service, accountKeys, metrics, tracing } = inForce;
  if (name === "SLACK_BOT_TOKEN") slack.botToken = value;
  if (name === "SLACK_SIGNING_SECRET" && slack.receiver.kind === "http") slack.receiver.signingSecret = value;
  if (name === "SLACK_APP_TOKEN" && slack.receiver.kind === "socket") slack.receiver.appToken = value;
  if (name === "SCHEDULER_API_KEY") service.apiKey = value;
  if (isAccountKey(name)) accountKeys[name] = value;
  if (name === "METRICS_TOKEN") metrics.token = value;
  if (name === "OTEL_EXPORTER_OTLP_HEADERS" && tracing) tracing.headers = headersIn(value);
  if (name === "DATABASE_URL") inForce.database = value;
}

interface TrialSources extends Pick<Core, "now" | "log" | "settings"> {
  readonly environment: Pick<AppEnvironment, "service" | "slack" | "database">;
}

/** How each new secret is tried before it is used. `teamId`: where the bot is installed; empty while not known. */
export function createTrials({ environment, settings, now, log }: TrialSources, teamId: () => string): Trials {
  const { service, slack, database } = environment;
  const slackClient = (token: string) => createCheckClient({ token, apiUrl: slack.apiUrl, now, log }).client;
  const keyOf =
    (baseUrl: string): Trials[string & keyof Trials] =>
    async (apiKey) => {
      const client = createServiceClient({ baseUrl, apiKey, retries: 0 });
      const result = await client.call(browseOperation, {});
      await client.close();
      return result.kind === "succeeded" ? undefined : `the service says ${result.error.code}`;
    };
  const accounts = Object.entries(settings().accounts).map(([name, { url }]) => [accountKeyName(name), keyOf(url)]);
  return {
    ...Object.fromEntries(accounts),
    SCHEDULER_API_KEY: keyOf(service.baseUrl),
    SLACK_BOT_TOKEN: async (token) => {
      try {
        const bot = await slackClient(token).auth.test();
        return ["", installedIn(bot)].includes(teamId()) ? undefined : "it belongs to another workspace";
      } catch (error) {
        return refusalText(slackRefusal(error));
      }
    },
    SLACK_APP_TOKEN: async (token) => {
      const { verdict, what } = await checkAppToken(slackClient(token), undefined);
      return verdict === "ok" ? undefined : what;
    },
    DATABASE_URL: async (url) => {
      if (!isPostgresUrl(url) || !isPostgresUrl(database) || placeOf(url) !== placeOf(database))
        return "it names another database, which needs a restart";
      try {
        return void (await tryDatabase(url));
      } catch (error) {
        if (!(error instanceof Error && "code" in error)) return "the database refuses it";
        // PostgreSQL's own words name tables and users, and no passwords.
        return `the database says ${"severity" in error ? error.message : error.code}`;
      }
    },
  };
}
