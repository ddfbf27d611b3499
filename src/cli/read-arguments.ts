import { parseArgs } from "node:util";
import { z } from "zod";
import { namesPostgresDatabase } from "../config/environment.ts";
import { type DirectoryListName, directoryListNames } from "../directory/config-entities.ts";
import { channelId, durationMs, knownName, placedId } from "../permissions/config-values.ts";
import { operationNames } from "../service/operations.ts";
import { resourceTypes } from "../service/resources.ts";
import type { Head } from "../store/history/verify-history.ts";

/** An operator's command, given instead of running the bot. */
export type OperatorCommand =
  | { readonly name: "init"; readonly file: string | undefined; given: FirstAnswers; readonly isAsked: boolean }
  | { readonly name: "check"; readonly configFile: string | undefined }
  | { readonly name: "can"; readonly configFile: string | undefined; readonly question: Question }
  | { readonly name: "doctor"; readonly configFile: string | undefined; readonly isJson: boolean }
  | { readonly name: "audit verify"; readonly expect: readonly Head[] }
  | { readonly name: "database move"; readonly to: string }
  | { readonly name: "audit export"; readonly since: number | undefined; readonly format: "jsonl" | "csv" }
  | { readonly name: "audit export"; readonly after: number }
  | { readonly name: "person forget"; readonly given: readonly string[]; readonly isTrial: boolean }
  | {
      readonly name: "directory import";
      readonly file: string;
      readonly list: DirectoryListName | undefined;
      readonly isComplete: boolean;
      /** Also where it forgets most machines of its projects. */
      readonly isSure: boolean;
    }
  | {
      readonly name: "directory export";
      readonly list: DirectoryListName | undefined;
      readonly format: "json" | "csv";
    };

export type Arguments =
  | { readonly kind: "run"; readonly configFile: string | undefined; readonly isCompany: boolean }
  | { readonly kind: "command"; readonly command: OperatorCommand }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  /** The arguments are invalid. `heading` says what Curfew therefore does not do. */
  | { readonly kind: "problems"; readonly problems: readonly string[]; readonly heading: string };

export const usage = `Usage: npm start -- [--config <file> | --company]
       npm start -- <command> …, or node dist/main.js <command> …

  --config <file>   permissions and settings, instead of what CURFEW_CONFIG names
  --company         the sandbox with a company of 3,000 people, in place of six
  --help            prints this
  --version         prints the version and the commit that it was built from

Commands, for those who run Curfew:

  init [file] [--admin <e-mail or id>] [--members <groups>] [--channel <channel>] [--admins <channel>]
      [--projects <ids>] [--longest 24h] [--yes]
                    asks six questions and writes a first config, never over a file. With SLACK_BOT_TOKEN it knows user
                    groups and channels, with SCHEDULER_API_KEY projects. --yes takes what is offered
  check [file]      lists every error in the config, with line and column, and every setting without effect. A setting
                    without effect that may be intended is a warning
  can <user id> <operation> [--channel C…] [--account <name>] [--project <id>] [--type <resource type>]
      [--machines i-0a1,…] [--length 8h] [--hours 38h] [--own] [--groups S…,S…] [--config <file>]
                    prints what the config decides for a full member, with the machines in the database that were
                    imported for its groups, and by which rule. Slack is not asked: --groups gives the person's user groups, --hours how
                    long they kept the resource running this week, --account where there is no project. Exit code
                    0 for allowed, 3 for denied
  doctor [--config <file>] [--json]
                    checks everything that Curfew needs, from the variables to Slack, the service and the database, and
                    prints what is wrong and what to do. Exit code 0 when nothing failed
  audit verify [--expect <count>:<hash>] …
                    checks the history in the database; Curfew may keep running. It prints the head: keep it elsewhere,
                    and with --expect a later check finds what was cut from or changed in the history before it. What
                    was pruned or forgotten since then must be expected too
  audit export [--since 2026-11-01] [--format jsonl|csv]
                    writes the history to standard output, oldest first. A date begins at midnight UTC
  audit export --after <cursor>
                    writes the audit events after this one, as the log has them. 0 for all
  database move --to postgres://<user>@<host>/<database>
                    copies the SQLite database of DATABASE_URL, on which no Curfew may run, into an empty PostgreSQL
                    database, and compares the two. PGPASSWORD keeps the password out of the command line
  directory import <file> [--kind ${directoryListNames.join("|")}] [--complete] [--yes]
                    adds what a CSV or JSON file names to the directory; Curfew may keep running. The kind is known from
                    a file name such as users.csv. With a problem in the file nothing is imported. --complete: the file
                    lists all machines of its projects, so others of these projects are forgotten: more than half of
                    them only with --yes. The file - is standard input
  directory export [--kind users] [--format json|csv]
                    writes what Curfew knows to standard output, as import reads it. CSV needs --kind

  person forget <Slack id, account id, address or name> … [--yes]
                    makes the names, addresses, reasons and notes of one person unreadable in the database, also in the
                    history, which stays proven. Stop Curfew first where the database is a SQLite file. Name every id
                    and nickname of the person. Without --yes it only says what it would do

Each ends with exit code 1 when something is wrong. Everything else is set by environment variables or a .env file: see
.env.example. With none of the SLACK_… and SCHEDULER_… variables set, Curfew runs in its sandbox.
`;

/** Reads the command line, without the program's name. */
export function readArguments(args: readonly string[]): Arguments {
  const [first = "", ...rest] = args;
  const isRun = first === "" || first.startsWith("-");
  const read = attempt(() => (isRun ? readRun(args) : readCommand(first, rest)));
  if (read.kind !== "problems") return read;
  return { ...read, heading: isRun ? "Curfew cannot start:" : (headings.get(first) ?? "Curfew cannot do this:") };
}

/** Headings by the first word of the command line. */
const headings: ReadonlyMap<string, string> = new Map([
  ["init", "Curfew cannot write a first config:"],
  ["check", "Curfew cannot check this:"],
  ["can", "Curfew cannot answer this:"],
  ["doctor", "Curfew cannot examine this:"],
  ["audit", "Curfew cannot look at the history:"],
  ["database", "Curfew cannot move the database:"],
  ["directory", "Curfew cannot do this with the directory:"],
  ["person", "Curfew cannot forget this person:"],
]);

type Read = Exclude<Arguments, { kind: "problems" }> | Omit<Extract<Arguments, { kind: "problems" }>, "heading">;

function attempt(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
}

const wrong = (...problems: readonly string[]): Read => ({ kind: "problems", problems });

function readCommand(first: string, rest: readonly string[]): Read {
  const whole = commands[first];
  if (whole) return whole(rest);
  const seconds = Object.keys(commands).flatMap((name) =>
    name.startsWith(`${first} `) ? name.split(" ").slice(1) : [],
  );
  const [second = "", ...args] = rest;
  if (seconds.length === 0) return wrong(`there is no command "${first}"; --help lists the commands`);
  if (second === "--help" || second === "-h") return { kind: "help" };
  return commands[`${first} ${second}`]?.(args) ?? wrong(`${first} takes ${seconds.join(" or ")}`);
}

/** Options that take no value. */
const flags: ReadonlySet<string> = new Set(["company", "complete", "help", "json", "own", "version", "yes"]);
/** Options that may be given again and again. */
const lists: ReadonlySet<string> = new Set(["expect"]);

/** Reads options by their schemas, and the words beside them where the command takes some. `toRead` gives texts for what is wrong. */
function reads<S extends z.ZodRawShape>(
  shape: S,
  toRead: (values: z.output<z.ZodObject<S>>, words: readonly string[]) => Read,
  takesWords = false,
) {
  return (args: readonly string[]): Read => {
    const options = Object.fromEntries(
      Object.keys(shape).map((name) => {
        const type = flags.has(name) ? ("boolean" as const) : ("string" as const);
        return [name, { type, multiple: lists.has(name) }];
      }),
    );
    const help = { type: "boolean", short: "h" } as const;
    const parsed = parseArgs({ args: [...args], allowPositionals: takesWords, options: { ...options, help } });
    if (parsed.values.help) return { kind: "help" };
    const read = z.object(shape).safeParse(parsed.values);
    if (read.success) return toRead(read.data, parsed.positionals);
    return wrong(...read.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`));
  };
}

const asked = (command: OperatorCommand): Read => ({ kind: "command", command });

const config = z.string().min(1, "names no file").optional();
const text = z.string().optional();
const since = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], "must be a date such as 2026-11-01, or 2026-11-01T08:00:00Z")
  .transform((moment) => Date.parse(moment));
const head = z
  .string()
  .regex(/^(0|[1-9]\d{0,14}):[0-9a-f]{64}$/, "must be <count>:<hash>, as audit verify prints the head")
  .transform((words): Head => ({ length: Number.parseInt(words, 10), hash: words.slice(words.indexOf(":") + 1) }));
const cursor = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/, "must be a number: the cursor of the last event that you have, or 0")
  .transform(Number)
  .optional();
const postgres = "must be postgres://<user>@<host>/<database>";
const kind = z.enum(directoryListNames, `must be one of ${directoryListNames.join(", ")}`).optional();

/** What a first config needs to know. */
const firstAnswers = { admin: text, members: text, channel: text, admins: text, projects: text, longest: text };
export type FirstAnswers = z.output<z.ZodObject<typeof firstAnswers>>;

const readRun = reads(
  { config, company: z.boolean().default(false), version: z.boolean().optional() },
  ({ config: configFile, company: isCompany, version }) => {
    if (version) return { kind: "version" };
    if (isCompany && configFile !== undefined) return wrong("--company goes without --config: it has its own");
    return { kind: "run", configFile, isCompany };
  },
);

/** Every command by its words. */
const commands: Readonly<Record<string, (args: readonly string[]) => Read>> = {
  init: reads(
    {
      ...firstAnswers,
      yes: z.boolean().default(false),
    },
    ({ yes, ...given }, [file, ...others]) =>
      others.length > 0 ? wrong("init takes one file") : asked({ name: "init", file, given, isAsked: !yes }),
    true,
  ),
  check: reads(
    { config },
    ({ config: named }, words) => {
      const [file, ...others] = [...words, ...(named === undefined ? [] : [named])];
      if (others.length > 0) return wrong("check takes one file");
      return file === "" ? wrong("--config names no file") : asked({ name: "check", configFile: file });
    },
    true,
  ),
  can: reads(
    {
      config,
      channel: text,
      account: text,
      project: text,
      type: text,
      machines: text,
      length: text,
      hours: text,
      groups: text,
      own: z.boolean().optional(),
    },
    ({ config: configFile, ...facts }, [user, operation, ...more]) => {
      if (user === undefined || operation === undefined || more.length > 0)
        return wrong("can takes a user id and an operation: can U01ALICE CreateActionExclusion");
      const read = questionSchema.safeParse({ user, operation, ...facts });
      if (read.success) return asked({ name: "can", configFile, question: read.data });
      const nameOf = (key: string) => (key === "user" || key === "operation" ? `the ${key}` : `--${key}`);
      return wrong(...read.error.issues.map(({ path, message }) => `${nameOf(String(path[0]))}: ${message}`));
    },
    true,
  ),
  doctor: reads({ config, json: z.boolean().default(false) }, ({ config: configFile, json: isJson }) =>
    asked({ name: "doctor", configFile, isJson }),
  ),
  "audit verify": reads({ expect: z.array(head).default([]) }, ({ expect }) => asked({ name: "audit verify", expect })),
  "audit export": reads(
    { since: since.optional(), format: z.enum(["jsonl", "csv"], "must be jsonl or csv").optional(), after: cursor },
    ({ since: from, format, after }) => {
      if (after === undefined) return asked({ name: "audit export", since: from, format: format ?? "jsonl" });
      if (from !== undefined || format !== undefined) return wrong("--after goes without --since and --format");
      return asked({ name: "audit export", after });
    },
  ),
  "database move": reads({ to: z.string(postgres).refine(namesPostgresDatabase, postgres) }, ({ to }) =>
    asked({ name: "database move", to }),
  ),
  "directory import": reads(
    { kind, complete: z.boolean().default(false), yes: z.boolean().default(false) },
    ({ kind: list, complete: isComplete, yes: isSure }, [file, ...others]) =>
      file && others.length === 0
        ? asked({ name: "directory import", file, list, isComplete, isSure })
        : wrong("directory import takes one file"),
    true,
  ),
  "person forget": reads(
    { yes: z.boolean().default(false) },
    ({ yes }, given) =>
      given.length === 0
        ? wrong("person forget takes ids, addresses and names of one person")
        : asked({ name: "person forget", given, isTrial: !yes }),
    true,
  ),
  "directory export": reads(
    { kind, format: z.enum(["json", "csv"], "must be json or csv").default("json") },
    ({ kind: list, format }) =>
      format === "csv" && list === undefined
        ? wrong("--format csv needs --kind: one list a file")
        : asked({ name: "directory export", list, format }),
  ),
};

/** A permission question: a user, an operation, and the facts that permissions depend on. */
export type Question = Readonly<z.output<typeof questionSchema>>;

const questionSchema = z.object({
  user: z
    .string()
    .regex(/^(?:[UW][A-Z0-9]+|caller:[a-z0-9-]+)$/, "must be a user id (U… or W…), or caller: and a name"),
  operation: knownName("operation", operationNames),
  channel: channelId.optional(),
  account: z.string().optional(),
  project: placedId.optional(),
  type: knownName("resource type", resourceTypes).optional(),
  machines: z
    .string()
    .transform((ids) => ids.split(/[\s,]+/).filter((id) => id !== ""))
    .pipe(z.array(placedId))
    .optional(),
  length: durationMs.optional(),
  /** Those of this week that count already. */
  hours: z.union([z.literal("0").transform(() => 0), durationMs]).optional(),
  own: z.boolean().default(false),
  groups: z
    .string()
    .transform((ids) => ids.split(",").map((id) => id.trim()))
    .pipe(z.array(z.string().regex(/^S[A-Z0-9]+$/, "must be user group ids (S…), with commas between them")))
    .optional(),
});
