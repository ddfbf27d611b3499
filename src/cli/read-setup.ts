import {
  accountKeyName,
  databaseOf,
  type Environment,
  type Given,
  loadDotEnv,
  type RawEnvironment,
  readEnvironment,
  readOne,
  readSecretFiles,
  type SandboxEnvironment,
  type SlackEnvironment,
} from "../config/environment.ts";
import { cannotBeRead, type LiveSettings, parseSettings, type ReadSettings } from "../config/read-settings.ts";
import { mainAccount } from "../service/account-ids.ts";

export interface Setup extends LiveSettings {
  readonly kind: "setup";
  readonly environment: SandboxEnvironment | SlackEnvironment;
  readonly configFile: string;
  /** The first time, those that the environment was read with, although a file may have changed since. */
  readonly readSecrets: () => readonly Given[];
}

export type Problems = { readonly kind: "problems"; readonly problems: readonly string[] };

export interface SetupSources {
  readonly env: RawEnvironment;
  /** The value of `--config`. */
  readonly configFile: string | undefined;
  /** The sandbox's config, when no other is named. */
  readonly exampleConfigFile: string;
  readonly readFile: (path: string) => string;
}

/** Reads the environment with `.env`, and the config file; or lists everything wrong with them. */
export function readSetup(sources: SetupSources): Setup | Problems {
  const { readFile } = sources;
  const env = rawEnvironment(sources);
  if (env.kind === "problems") return env;
  const texts = new Map<string, string>();
  const readOnce = (path: string): string => {
    const text = texts.get(path) ?? readFile(path);
    texts.set(path, text);
    return text;
  };
  const first = readEnvironment(env.raw, readOnce);
  if (first.kind === "problems") return first;
  const config = readConfig(first.configFile ?? sources.exampleConfigFile, readFile);
  if (config.kind === "problems") return config;
  const accounts = Object.keys(config.settings.accounts);
  const environment = accounts.length > 0 ? readEnvironment(env.raw, readOnce, accounts) : first;
  if (environment.kind === "problems") return environment;
  let started: readonly Given[] | undefined = readSecretFiles(env.raw, readOnce, accounts);
  const readSecrets = () => {
    const read = started ?? readSecretFiles(env.raw, readFile, accounts);
    started = undefined;
    return read;
  };
  const wrong = [...missingKeys(environment, config.settings), ...sameAccounts(environment, config.settings)];
  if (wrong.length > 0) return { kind: "problems", problems: wrong };
  // Without what says where a setting stands: it holds the whole parsed text.
  const { settings, lint, configFile } = config;
  return { kind: "setup", settings, lint, configFile, environment, readSecrets };
}

/** The keys of further accounts of the service. The sandbox makes up its own. */
const missingKeys = (environment: Environment, { accounts }: ReadSettings["settings"]): readonly string[] =>
  environment.kind === "slack"
    ? Object.keys(accounts).flatMap((name) =>
        environment.accountKeys?.[accountKeyName(name)]
          ? []
          : [`${accountKeyName(name)} is missing: the key of the account “${name}”`],
      )
    : [];

/** Two accounts with one address and one key are one: everything in it would be there twice. */
export function sameAccounts(environment: Environment, { accounts }: ReadSettings["settings"]): readonly string[] {
  if (environment.kind !== "slack") return [];
  const all = [
    { name: mainAccount, url: environment.service.baseUrl, key: environment.service.apiKey },
    ...Object.entries(accounts).map(([name, { url }]) => ({
      ...{ name, url, key: environment.accountKeys?.[accountKeyName(name)] },
    })),
  ];
  return all.flatMap(({ name, url, key }, index) => {
    const same = all.slice(0, index).find((each) => key !== undefined && each.key === key && each.url === url);
    return same
      ? [`The accounts “${same.name}” and “${name}” have the same address and key: name each account once.`]
      : [];
  });
}

type EnvironmentSources = Pick<SetupSources, "env" | "configFile" | "readFile">;

/** Reads the environment, with `.env` added to it. */
export function readEnvironmentAlone(sources: EnvironmentSources, accounts?: readonly string[]): Environment {
  const env = rawEnvironment(sources);
  return env.kind === "problems" ? env : readEnvironment(env.raw, sources.readFile, accounts);
}

function rawEnvironment({
  env,
  configFile,
  readFile,
}: EnvironmentSources): { readonly kind: "raw"; readonly raw: RawEnvironment } | Problems {
  const dotEnv = readDotEnv(readFile);
  if (typeof dotEnv !== "string") return dotEnv;
  const named = configFile === undefined ? {} : { CURFEW_CONFIG: configFile, CURFEW_CONFIG_FILE: undefined };
  return { kind: "raw", raw: { ...loadDotEnv(dotEnv, env), ...named } };
}

type OneFile = Pick<SetupSources, "env" | "readFile">;

export interface Config extends ReadSettings {
  readonly kind: "config";
  readonly configFile: string;
}

/** Reads only the config file: the one named, or else that of CURFEW_CONFIG. */
export function readConfigAlone({ env, readFile, configFile }: OneFile & Pick<SetupSources, "configFile">) {
  const named = configFile === undefined ? readOneWithDotEnv("CURFEW_CONFIG", { env, readFile }) : configFile;
  return typeof named === "string" ? readConfig(named, readFile) : named;
}

/** Reads DATABASE_URL. */
export function readDatabase(sources: OneFile): string | Problems {
  const url = readOneWithDotEnv("DATABASE_URL", sources);
  return typeof url === "string" ? databaseOf({ DATABASE_URL: url }) : url;
}

/** Reads one variable from the environment or `.env`. */
export function readOneWithDotEnv(name: Parameters<typeof readOne>[0], { env, readFile }: OneFile): string | Problems {
  const dotEnv = readDotEnv(readFile);
  if (typeof dotEnv !== "string") return dotEnv;
  const read = readOne(name, loadDotEnv(dotEnv, env), readFile);
  return read.kind === "value" ? read.value : read;
}

function readDotEnv(readFile: (path: string) => string): string | Problems {
  try {
    return readFile(".env");
  } catch (error) {
    return isMissing(error) ? "" : problem(cannotBeRead(".env", error));
  }
}

function readConfig(file: string, readFile: (path: string) => string): Config | Problems {
  const text = readConfigText(file, readFile);
  if (typeof text !== "string") return text;
  const parsed = parseSettings(text, file);
  if ("problems" in parsed) return { kind: "problems", problems: parsed.problems };
  return { kind: "config", ...parsed, configFile: file };
}

function readConfigText(file: string, readFile: (path: string) => string): string | Problems {
  try {
    return readFile(file);
  } catch (error) {
    const advice = "Name the permissions file with CURFEW_CONFIG or --config, or write a first one with init.";
    return problem(isMissing(error) ? `${file} does not exist. ${advice}` : `${cannotBeRead(file, error)}. ${advice}`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function problem(text: string): Problems {
  return { kind: "problems", problems: [text] };
}
