import { parseArgs } from "node:util";
import { z } from "zod";
import { namesPostgresDatabase } from "../config/variables.ts";
import { type DirectoryListName, directoryListNames } from "../directory/config-entities.ts";
import type { Head } from "../store/history/verify-history.ts";
import { type Question, readQuestion } from "./read-question.ts";

/** An operator's command, given instead of running the bot. */
export type OperatorCommand =
  | { readonly name: "check"; readonly configFile: string | undefined }
  | { readonly name: "can"; readonly configFile: string | undefined; readonly question: Question }
  | { readonly name: "doctor"; readonly configFile: string | undefined; readonly isJson: boolean }
  | { readonly name: "audit verify"; readonly expect: Head | undefined }
  | { readonly name: "database move"; readonly to: string }
  | { readonly name: "audit export"; readonly since: number | undefined; readonly format: "jsonl" | "csv" }
  | { readonly name: "directory import"; readonly file: string; readonly list: DirectoryListName | undefined }
  | {
      readonly name: "directory export";
      readonly list: DirectoryListName | undefined;
      readonly format: "json" | "csv";
    };

export type Arguments =
  | { readonly kind: "run"; readonly configFile: string | undefined }
  | { readonly kind: "command"; readonly command: OperatorCommand }
  | { readonly kind: "help" }
  /** The arguments are invalid. `heading` says what Curfew therefore does not do. */
  | { readonly kind: "problems"; readonly problems: readonly string[]; readonly heading: string };

export const usage = `Usage: npm start -- [--config <file>]
       npm start -- <command> …, or node dist/main.js <command> …

  --config <file>   permissions and settings, instead of what CURFEW_CONFIG names
  --help            prints this

Commands, for those who run Curfew:

  check [file]      lists every error in the config, with line and column, and every setting without effect. A setting
                    without effect that may be intended is a warning
  can <user id> <operation> [--channel C…] [--project <id>] [--type <resource type>] [--length 8h] [--hours 38h]
      [--own] [--groups S…,S…] [--config <file>]
                    prints what the config alone decides for a full member, and by which rule. Slack is not asked:
                    --groups gives the person's user groups, --hours how long they kept the resource running this week.
                    Exit code 0 for allowed, 3 for denied
  doctor [--config <file>] [--json]
                    checks everything that Curfew needs, from the variables to Slack, the service and the database, and
                    prints what is wrong and what to do. Exit code 0 when nothing failed
  audit verify [--expect <count>:<hash>]
                    checks the history in the database; Curfew may keep running. It prints the head: keep it elsewhere,
                    and with --expect a later check finds what was cut from or changed in the history before it
  audit export [--since 2026-11-01] [--format jsonl|csv]
                    writes the history to standard output, oldest first. A date begins at midnight UTC
  database move --to postgres://<user>@<host>/<database>
                    copies the SQLite database of DATABASE_URL, on which no Curfew may run, into an empty PostgreSQL
                    database, and compares the two. PGPASSWORD keeps the password out of the command line
  directory import <file> [--kind ${directoryListNames.join("|")}]
                    adds what a CSV or JSON file names to the directory; Curfew may keep running. The kind is known from
                    a file name such as users.csv. With a problem in the file nothing is imported
  directory export [--kind users] [--format json|csv]
                    writes what Curfew knows to standard output, as import reads it. CSV needs --kind

Each ends with exit code 1 when something is wrong. Everything else is set by environment variables or a .env file: see
.env.example. With none of the SLACK_… and SCHEDULER_… variables set, Curfew runs in its sandbox.
`;

/** Reads the command line, without the program's name. */
export function readArguments(args: readonly string[]): Arguments {
  const [command = "", ...rest] = args;
  const isRun = command === "" || command.startsWith("-");
  const read = isRun ? attempt(() => readRun(args)) : attempt(() => readCommand(command, rest));
  if (read.kind !== "problems") return read;
  return { ...read, heading: isRun ? "Curfew cannot start:" : (headings.get(command) ?? "Curfew cannot do this:") };
}

/** Headings by the first word of the command line. */
const headings: ReadonlyMap<string, string> = new Map([
  ["check", "Curfew cannot check this:"],
  ["can", "Curfew cannot answer this:"],
  ["doctor", "Curfew cannot examine this:"],
  ["audit", "Curfew cannot look at the history:"],
  ["database", "Curfew cannot move the database:"],
  ["directory", "Curfew cannot do this with the directory:"],
]);

type Read = Exclude<Arguments, { kind: "problems" }> | Omit<Extract<Arguments, { kind: "problems" }>, "heading">;

function attempt(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
}

function readCommand(command: string, args: readonly string[]): Read {
  if (command === "check") return readCheck(args);
  if (command === "can") return readCan(args);
  if (command === "doctor") return readDoctor(args);
  if (command === "audit") return readAudit(args);
  if (command === "database") return readDatabaseCommand(args);
  if (command === "directory") return readDirectory(args);
  return problem(`there is no command "${command}"; --help lists the commands`);
}

const help = { type: "boolean", short: "h" } as const;
const text = { type: "string" } as const;

function readRun(args: readonly string[]): Read {
  const { values } = parseArgs({ args: [...args], options: { config: text, help } });
  if (values.help) return { kind: "help" };
  return values.config === "" ? namesNoFile : { kind: "run", configFile: values.config };
}

function readCheck(args: readonly string[]): Read {
  const options = { config: text, help };
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (values.help) return { kind: "help" };
  const files = [...positionals, ...(values.config === undefined ? [] : [values.config])];
  if (files.length > 1) return problem("check takes one file");
  return files[0] === "" ? namesNoFile : asked({ name: "check", configFile: files[0] });
}

function readCan(args: readonly string[]): Read {
  const asks = {
    channel: text,
    project: text,
    type: text,
    length: text,
    hours: text,
    groups: text,
    own: { type: "boolean" },
  } as const;
  const options = { ...asks, config: text, help };
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const { help: isHelp, config: configFile, ...facts } = values;
  if (isHelp) return { kind: "help" };
  if (configFile === "") return namesNoFile;
  const read = readQuestion(positionals, facts);
  return read.kind === "problems" ? read : asked({ name: "can", configFile, question: read.question });
}

function readDoctor(args: readonly string[]): Read {
  const options = { config: text, json: { type: "boolean" }, help } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) return { kind: "help" };
  if (values.config === "") return namesNoFile;
  return asked({ name: "doctor", configFile: values.config, isJson: values.json === true });
}

const since = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], "must be a date such as 2026-11-01, or 2026-11-01T08:00:00Z")
  .transform((moment) => Date.parse(moment));

const exportOptions = z.object({
  since: since.optional(),
  format: z.enum(["jsonl", "csv"], "must be jsonl or csv").default("jsonl"),
});

const verifyOptions = z.object({
  expect: z
    .string()
    .regex(/^(0|[1-9]\d{0,14}):[0-9a-f]{64}$/, "must be <count>:<hash>, as audit verify prints the head")
    .transform((head): Head => ({ length: Number.parseInt(head, 10), hash: head.slice(head.indexOf(":") + 1) }))
    .optional(),
});

function readAudit([subcommand, ...args]: readonly string[]): Read {
  if (subcommand === "--help" || subcommand === "-h") return { kind: "help" };
  if (subcommand !== "verify" && subcommand !== "export") return problem("audit takes verify or export");
  const options = subcommand === "verify" ? { help, expect: text } : { help, since: text, format: text };
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) return { kind: "help" };
  if (subcommand === "verify") {
    const read = verifyOptions.safeParse(values);
    return read.success ? asked({ name: "audit verify", expect: read.data.expect }) : wrongOptions(read.error);
  }
  const read = exportOptions.safeParse(values);
  if (read.success) return asked({ name: "audit export", since: read.data.since, format: read.data.format });
  return wrongOptions(read.error);
}

const wrongOptions = ({ issues }: z.ZodError): Read => ({
  kind: "problems",
  problems: issues.map(({ path, message }) => `--${path.join(".")} ${message}`),
});

function readDatabaseCommand([subcommand, ...args]: readonly string[]): Read {
  if (subcommand === "--help" || subcommand === "-h") return { kind: "help" };
  if (subcommand !== "move") return problem("database takes move");
  const { values } = parseArgs({ args: [...args], options: { help, to: text } });
  if (values.help) return { kind: "help" };
  if (values.to === undefined || !namesPostgresDatabase(values.to))
    return problem("--to must be postgres://<user>@<host>/<database>");
  return asked({ name: "database move", to: values.to });
}

const list = z.enum(directoryListNames, `must be one of ${directoryListNames.join(", ")}`).optional();

const directoryOptions = z.object({
  kind: list,
  format: z.enum(["json", "csv"], "must be json or csv").default("json"),
});

function readDirectory([subcommand, ...args]: readonly string[]): Read {
  if (subcommand === "--help" || subcommand === "-h") return { kind: "help" };
  if (subcommand !== "import" && subcommand !== "export") return problem("directory takes import or export");
  const isImport = subcommand === "import";
  const options = { help, kind: text, ...(isImport ? {} : { format: text }) };
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: isImport, options });
  if (values.help) return { kind: "help" };
  const read = directoryOptions.safeParse(values);
  if (!read.success) return wrongOptions(read.error);
  const { kind, format } = read.data;
  const [file, ...others] = positionals;
  if (isImport && (!file || others.length > 0)) return problem("directory import takes one file");
  if (!isImport && format === "csv" && kind === undefined) return problem("--format csv needs --kind: one list a file");
  return asked(
    file ? { name: "directory import", file, list: kind } : { name: "directory export", list: kind, format },
  );
}

const asked = (command: OperatorCommand): Read => ({ kind: "command", command });
const problem = (text: string): Read => ({ kind: "problems", problems: [text] });
const namesNoFile = problem("--config names no file");
