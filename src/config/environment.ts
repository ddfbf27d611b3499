import { parseEnv } from "node:util";
import { z } from "zod";

const token = (prefix: string) =>
  z
    .string()
    .regex(
      /^(?!xoxe[.-])/,
      "is a rotating token (xoxe), which expires within hours: use an app that has no token rotation",
    )
    .regex(new RegExp(`^(?:${prefix}|xoxe[.-])\\S+$`), `must start with ${prefix}`);
const oneWord = z.string().regex(/^[\x21-\x7e]+$/, "must be one word, without spaces or control characters");
const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a number from 0 to 65535")
  .transform(Number)
  .refine((number) => number <= 65535, "must be a number from 0 to 65535");
const seconds = z
  .string()
  .regex(/^(?:\d|10)$/, "must be a number from 0 to 10")
  .transform(Number);
export const httpUrl = z
  .string()
  .refine(isPlainHttpUrl, "must be an http:// or https:// URL without user name, query or fragment")
  .transform((url) => url.replace(/\/+$/, ""));

/**
 * Every environment variable, declared once (REFERENCE.md, "Variables"). The checks at start and `.env.example` follow from it. The
 * message of a check continues the variable's name.
 */
export const variables = z.object({
  SLACK_BOT_TOKEN: token("xoxb-").optional().meta({ description: "Bot token", secret: true }),
  SLACK_SIGNING_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]+(?:\s+[\x21-\x7e]+)?$/, "must be one word, or the new and the old one with a space between")
    .optional()
    .meta({
      description: "HTTP mode: requests at POST /slack/events are verified with it, or with one of two",
      secret: true,
    }),
  SLACK_APP_TOKEN: token("xapp-")
    .optional()
    .meta({ description: "Socket Mode: app-level token, instead of the signing secret", secret: true }),
  SLACK_API_URL: httpUrl.optional().meta({ description: "Other base of Slack's Web API; default Slack's own" }),
  SCHEDULER_BASE_URL: httpUrl.optional().meta({ description: "Where the scheduling service is, without /api" }),
  SCHEDULER_API_KEY: oneWord.optional().meta({
    description: "Access key of the scheduling service; that of a further account is SCHEDULER_API_KEY_<ACCOUNT>",
    secret: true,
  }),
  CURFEW_CONFIG: z.string().default("curfew.yaml").meta({ description: "Permissions and settings file" }),
  CURFEW_SECRETS_DIR: z.string().optional().meta({
    description: "Folder of key files that credential changes may name, each as <credential id>/<file>; default none",
  }),
  CURFEW_COMMAND: z
    .string()
    .regex(/^\/[a-z0-9_-]{1,31}$/, "must be / and up to 31 lower-case letters, digits, - or _")
    .default("/curfew")
    .meta({ description: "Name of the slash command, as in the app's manifest" }),
  DATABASE_URL: z
    .string()
    .refine(
      (url) => /^sqlite:(?!\/\/)./.test(url) || namesPostgresDatabase(url),
      "must be sqlite:<path>, such as sqlite:data/curfew.db, or postgres://<user>:<password>@<host>/<database>",
    )
    .default("sqlite:data/curfew.db")
    .meta({ description: "Database: sqlite:<path>, or postgres://<user>:<password>@<host>:<port>/<database>" }),
  HOST: z
    .string()
    .default("0.0.0.0")
    .meta({ description: "Address to listen on: Slack (HTTP mode), /healthz, /readyz, /metrics" }),
  PORT: port.prefault("3000").meta({ description: "Port to listen on; 0 for any that is free" }),
  DRAIN_SECONDS: seconds.prefault("5").meta({
    description: "How long requests are still served after SIGTERM, while /readyz already says 503; 0 to 10",
  }),
  METRICS_PORT: port.optional().meta({
    description: "Port for /metrics alone; without it they are on PORT, for this machine or with METRICS_TOKEN",
  }),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}(?:\s+[\x21-\x7e]{16,})?$/, "must be one word of at least 16 characters, or two of them")
    .optional()
    .meta({ description: "Bearer token, or one of two, without which nobody reads /metrics", secret: true }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .meta({ description: "Where traces are sent: an OpenTelemetry collector, OTLP over HTTP; default nowhere" }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[\w-]+=[^,]*(?:,[\w-]+=[^,]*)*$/, "must be name=value, and commas between several")
    .optional()
    .meta({
      description: "What is sent along with the traces, such as api-key=…, commas between several",
      secret: true,
    }),
  LOG_LEVEL: z
    .enum(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "must be trace, debug, info, warn, error, fatal or silent",
    )
    .default("info")
    .meta({ description: "How much is logged: trace, debug, info, warn, error, fatal or silent" }),
});

type VariableName = keyof typeof variables.shape;
export const variableNames = variables.keyof().options;
const secretNames = variableNames.filter((name) => variables.shape[name].meta()?.secret === true);
/** A database's URL holds its password. */
const renewableNames = [...secretNames, "DATABASE_URL"] as const;

/** The key of a further account of the service: `SCHEDULER_API_KEY_US_EAST` is that of `us-east`. */
export type AccountKeyName = `SCHEDULER_API_KEY_${string}`;
export const accountKeyName = (account: string): AccountKeyName =>
  `SCHEDULER_API_KEY_${account.toUpperCase().replaceAll("-", "_")}`;

const schemaOf = (name: VariableName | AccountKeyName): z.ZodType =>
  isVariable(name) ? variables.shape[name] : oneWord;
const isVariable = (name: string): name is VariableName => Object.hasOwn(variables.shape, name);
export const isAccountKey = (name: string): name is AccountKeyName =>
  name.startsWith(accountKeyName("")) && !isVariable(name);

/** The URL must name the database: the driver would otherwise use the user's name. */
export function namesPostgresDatabase(text: string): boolean {
  return /^postgres(?:ql)?:\/\/[^/]*\/[^/?#]/.test(text) && URL.canParse(text);
}

function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === "";
}

/** A raw environment: the process's own, or one read from a `.env` file. */
export type RawEnvironment = Readonly<Record<string, string | undefined>>;

type Common = Readonly<ReturnType<typeof commonOf>>;

/** No Slack or service variable is set, so Curfew runs on its embedded service and workspace. Unset values are undefined. */
export interface SandboxEnvironment extends Common {
  readonly kind: "sandbox";
  readonly configFile: string | undefined;
  readonly database: string | undefined;
}

export interface SlackEnvironment extends Common {
  readonly kind: "slack";
  readonly configFile: string;
  /** The path of a SQLite file, or the URL of a PostgreSQL database. */
  readonly database: string;
  readonly slack: { readonly botToken: string; readonly apiUrl: string | undefined; readonly receiver: Receiver };
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  /** The keys of further accounts of the service, by the names of their variables. */
  readonly accountKeys?: Readonly<Record<AccountKeyName, string>>;
}

export type Receiver =
  | { readonly kind: "socket"; readonly appToken: string }
  | { readonly kind: "http"; readonly signingSecret: string };

export type Environment =
  | SandboxEnvironment
  | SlackEnvironment
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/**
 * Reads every variable, directly or from the file that `NAME_FILE` names, or reports everything missing or wrong together. `accounts`:
 * the names of further accounts of the service, which each have a key.
 */
export function readEnvironment(
  env: RawEnvironment,
  readFile: (path: string) => string,
  accounts: readonly string[] = [],
): Environment {
  const given = [...variableNames, ...accounts.map(accountKeyName)].flatMap((name) =>
    readVariable(name, env, readFile),
  );
  const isSandbox = env.NODE_ENV !== "production" && !given.some(({ name }) => /^(SLACK|SCHEDULER)_/.test(name));
  return isSandbox ? readSandbox(given) : readSlack(given);
}

/** Reads one variable, for commands that need few others; empty where it is not set and has no default. */
export function readOne(
  name: VariableName,
  env: RawEnvironment,
  readFile: (path: string) => string,
): { readonly kind: "value"; readonly value: string } | Extract<Environment, { kind: "problems" }> {
  const given = readVariable(name, env, readFile);
  const result = variables.shape[name].safeParse(valuesOf(given)[name]);
  const problems = given.flatMap((one) => ("problem" in one ? [one.problem] : []));
  if (result.success && problems.length === 0) return { kind: "value", value: `${result.data ?? ""}` };
  return {
    kind: "problems",
    problems: [...problems, ...(result.error?.issues ?? []).map((each) => `${name} ${each.message}`)],
  };
}

/** Adds the variables of a `.env` file; a variable that is set already wins. */
export const loadDotEnv = (text: string, env: RawEnvironment): RawEnvironment => ({ ...parseEnv(text), ...env });

export type Given = { readonly name: VariableName | AccountKeyName } & (
  | { readonly value: string }
  | { readonly problem: string }
);

/** Reads the secrets that are in files once more, since these may change while Curfew runs. */
export function readSecretFiles(
  env: RawEnvironment,
  readFile: (path: string) => string,
  accounts: readonly string[] = [],
): readonly Given[] {
  const given = [...renewableNames, ...accounts.map(accountKeyName)].flatMap((name) =>
    env[`${name}_FILE`]?.trim() ? readVariable(name, env, readFile) : [],
  );
  return given.map((one) => {
    const issue = "value" in one ? schemaOf(one.name).safeParse(one.value).error?.issues[0] : undefined;
    return issue === undefined ? one : { name: one.name, problem: `${one.name} ${issue.message}` };
  });
}

/** Everything secret in these values, for redaction in the log. */
export function secretsIn(given: readonly Given[]): readonly string[] {
  const values = valuesOf(given);
  const listed = secretNames.flatMap((name) => values[name] ?? []);
  const { OTEL_EXPORTER_OTLP_HEADERS = "", DATABASE_URL = "sqlite:" } = values;
  return [
    ...new Set([...listed, ...listed.flatMap((value) => value.split(/\s+/)), ...Object.values(accountKeysIn(given))]),
    ...Object.values(headersIn(OTEL_EXPORTER_OTLP_HEADERS)),
    ...passwordsIn(DATABASE_URL),
  ];
}

/** More than any value needs. Regular expressions fail on very long texts. */
const maxLength = 65_536;

/** One entry when the variable is set, else none. Empty counts as not set, so that an unedited `.env.example` works. */
function readVariable(
  name: VariableName | AccountKeyName,
  env: RawEnvironment,
  readFile: (path: string) => string,
): Given[] {
  const value = env[name]?.trim();
  const path = env[`${name}_FILE`]?.trim();
  if (!path) return value ? [{ name, value }] : [];
  if (value) return [{ name, problem: `${name} and ${name}_FILE are both set: keep one of them` }];
  try {
    const content = readFile(path).trim();
    if (content.length > maxLength) return [{ name, problem: `${name}_FILE names a file that is too large, ${path}` }];
    return [content ? { name, value: content } : { name, problem: `${name}_FILE names an empty file, ${path}` }];
  } catch (error) {
    return [{ name, problem: `${name}_FILE cannot be read: ${error instanceof Error ? error.message : error}` }];
  }
}

function readSandbox(given: readonly Given[]): Environment {
  const values = valuesOf(given);
  const result = variables.safeParse(values);
  const problems = problemsOf(given, result.error);
  if (!result.success || problems.length > 0) return { kind: "problems", problems };
  return {
    ...commonOf(result.data, given),
    kind: "sandbox",
    host: "127.0.0.1",
    drainMs: 0,
    // The log shares the terminal with the prompt.
    logLevel: values.LOG_LEVEL ? result.data.LOG_LEVEL : "warn",
    configFile: values.CURFEW_CONFIG && result.data.CURFEW_CONFIG,
    database: values.DATABASE_URL && databaseOf(result.data),
  };
}

const slackVariables = variables.required({ SLACK_BOT_TOKEN: true, SCHEDULER_BASE_URL: true, SCHEDULER_API_KEY: true });

function readSlack(given: readonly Given[]): Environment {
  const values = valuesOf(given);
  const result = slackVariables.safeParse(values, {
    error: (issue) => (issue.input === undefined ? "is missing" : undefined),
  });
  const receiver = receiverOf(values);
  const problems = [...problemsOf(given, result.error), ...("problem" in receiver ? [receiver.problem] : [])];
  if (!result.success || "problem" in receiver || problems.length > 0) return { kind: "problems", problems };
  const { SLACK_BOT_TOKEN, SLACK_API_URL, SCHEDULER_BASE_URL, SCHEDULER_API_KEY, CURFEW_CONFIG } = result.data;
  return {
    ...commonOf(result.data, given),
    kind: "slack",
    configFile: CURFEW_CONFIG,
    database: databaseOf(result.data),
    slack: { botToken: SLACK_BOT_TOKEN, apiUrl: SLACK_API_URL, receiver },
    service: { baseUrl: SCHEDULER_BASE_URL, apiKey: SCHEDULER_API_KEY },
    accountKeys: accountKeysIn(given),
  };
}

/** By the names of their variables. */
const accountKeysIn = (given: readonly Given[]): Readonly<Record<AccountKeyName, string>> =>
  Object.fromEntries(
    given.flatMap((one) => ("value" in one && isAccountKey(one.name) ? [[one.name, one.value] as const] : [])),
  );

type Values = Partial<Record<VariableName, string>>;

const valuesOf = (given: readonly Given[]): Values =>
  Object.fromEntries(given.flatMap((one) => ("value" in one ? [[one.name, one.value]] : [])));

/** Unreadable variables, then invalid ones; each variable is named once. */
function problemsOf(given: readonly Given[], error: z.ZodError | undefined): string[] {
  const unread = new Map<PropertyKey | undefined, string>();
  for (const one of given) if ("problem" in one) unread.set(one.name, one.problem);
  for (const [name, value] of Object.entries(accountKeysIn(given))) {
    const [issue] = oneWord.safeParse(value).error?.issues ?? [];
    if (issue) unread.set(name, `${name} ${issue.message}`);
  }
  const wrong = (error?.issues ?? []).filter(({ path }) => !unread.has(path[0]));
  return [...unread.values(), ...wrong.map(({ path, message }) => `${path.join(".")} ${message}`)];
}

/** Socket Mode and HTTP mode exclude each other, so exactly one of their secrets must be set. */
function receiverOf({ SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }: Values): Receiver | { readonly problem: string } {
  const either = "SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode)";
  if (SLACK_APP_TOKEN && SLACK_SIGNING_SECRET) return { problem: `set only one of ${either}; both are set` };
  if (SLACK_APP_TOKEN) return { kind: "socket", appToken: SLACK_APP_TOKEN };
  if (SLACK_SIGNING_SECRET) return { kind: "http", signingSecret: SLACK_SIGNING_SECRET };
  return { problem: `${either} is missing` };
}

type Parsed = z.output<typeof variables>;

function commonOf(parsed: Parsed, given: readonly Given[]) {
  return {
    secretsDir: parsed.CURFEW_SECRETS_DIR,
    command: parsed.CURFEW_COMMAND,
    host: parsed.HOST,
    port: parsed.PORT,
    /** How long a stopping Curfew still serves requests. */
    drainMs: parsed.DRAIN_SECONDS * 1000,
    logLevel: parsed.LOG_LEVEL,
    /** A port for the metrics alone, and the token that a reader must present. */
    metrics: { port: parsed.METRICS_PORT, token: parsed.METRICS_TOKEN },
    tracing: tracingOf(parsed),
    secrets: secretsIn(given),
  };
}

/** Undefined when traces are not sent. */
function tracingOf(
  parsed: Parsed,
): { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> } | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = "" } = parsed;
  return endpoint === undefined ? undefined : { endpoint, headers: headersIn(headers) };
}

export function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/([^=,]+)=([^,]*)/g)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decoded(value)]));
}

/** The path of a SQLite file, or the whole URL of a PostgreSQL database. */
export const databaseOf = ({ DATABASE_URL }: Pick<Parsed, "DATABASE_URL">): string =>
  DATABASE_URL.startsWith("sqlite:") ? DATABASE_URL.slice("sqlite:".length) : DATABASE_URL;

/** Both as written in the URL and decoded. */
function passwordsIn(url: string): readonly string[] {
  if (url.startsWith("sqlite:")) return [];
  const { password, searchParams } = new URL(url);
  return [...new Set([password, decoded(password), searchParams.get("password") ?? ""])].filter(Boolean);
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
