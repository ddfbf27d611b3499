import { clean } from "../observability/log.ts";
import { csvLine, escapeUnsafe } from "../observability/unsafe-characters.ts";
import { databaseName, isPostgresUrl } from "../store/db/open-database.ts";
import type { AuditEvent } from "../store/history/audit-event.ts";
import {
  describeBreak,
  type History,
  type HistoryCheck,
  type HistoryEntry,
  openHistory,
} from "../store/history/verify-history.ts";
import { moveDatabase } from "../store/move-database.ts";
import { printDecision } from "./can.ts";
import { interrupted, onDatabase, withProgress } from "./database-work.ts";
import { type Around, print, write } from "./process-env.ts";
import type { OperatorCommand } from "./read-arguments.ts";
import { type Config, readConfigAlone, readEnvironmentAlone, sameAccounts } from "./read-setup.ts";

/** Runs an operator's command and returns the exit code. A Curfew may be running at the same time. */
export async function runOperatorCommand(command: OperatorCommand, around: Around): Promise<number> {
  switch (command.name) {
    case "init": {
      const { runInit } = await import("./init.ts");
      return runInit(command, around);
    }
    case "check":
    case "can":
      return answerFromConfig(command, around);
    case "doctor": {
      const { runDoctor } = await import("./doctor.ts");
      return Promise.race([runDoctor(command, around), around.stopAsked.then(() => interrupted)]);
    }
    case "audit verify":
      return withHistory(around, async (history) => {
        const check = await withProgress(around, (report) => history.verify(command.expect, report));
        return printCheck(check, around);
      });
    case "person forget": {
      const { runForget } = await import("./forget-command.ts");
      return runForget(command, around);
    }
    case "database move":
      return move(command.to, around);
    case "directory import":
    case "directory export": {
      const { runDirectoryCommand } = await import("./directory-command.ts");
      return runDirectoryCommand(command, around);
    }
    case "audit export": {
      if ("after" in command)
        return withHistory(around, (history) => write(eventLines(history.eventsAfter(command.after)), around));
      const { since, format } = command;
      // On a terminal the lines themselves are the progress.
      const isSeen = around.output.isTTY === true;
      return withHistory(around, (history) =>
        withProgress(around, (report) =>
          write(historyLines(history.entries(since, isSeen ? undefined : report), format), around),
        ),
      );
    }
  }
}

/** Reading calendars may take a while, so it is loaded and done only where there are some. */
async function unreadCalendars(read: Config): Promise<readonly string[]> {
  if (read.settings.calendars.length === 0) return [];
  return (await import("./doctor-here.ts")).calendarProblems(read);
}

async function answerFromConfig(
  command: Extract<OperatorCommand, { name: "check" | "can" }>,
  around: Around,
): Promise<number> {
  const read = readConfigAlone({ ...around, configFile: command.configFile });
  if (read.kind === "problems") return print(read.problems, around.errorOutput, 1);
  const isImported = Object.values(read.settings.resourceGroups).some(({ imported }) => imported);
  const directory = isImported ? await import("./directory-command.ts") : undefined;
  const known = await directory?.readImported(around);
  const imports = known && directory?.withoutMachines(read.settings, known.machines);
  if (command.name === "can") return printDecision(read, command.question, { isImported, known, imports }, around);
  const environment = readEnvironmentAlone(
    { ...around, configFile: command.configFile },
    Object.keys(read.settings.accounts),
  );
  const error = [...read.lint.error, ...sameAccounts(environment, read.settings)];
  const checked = { ...read, lint: { ...read.lint, error } };
  return printLint(checked, [...(await unreadCalendars(read)), ...(imports ?? [])], around);
}

/** Prints warnings too, but only errors are faults. */
function printLint({ configFile, lint }: Config, others: readonly string[], { output, errorOutput }: Around): number {
  const { error } = lint;
  const warning = [...lint.warning, ...others];
  const isFine = error.length === 0;
  if (warning.length > 0) print([isFine ? `${configFile} is fine, but see:` : "See also:", ...warning], output, 0);
  if (!isFine) return print(error, errorOutput, 1);
  return warning.length > 0 ? 0 : print([`${configFile} is fine.`], output, 0);
}

function withHistory(around: Around, use: (history: History) => Promise<number>): Promise<number> {
  const failed = (name: string) => `The history in ${name} cannot be read`;
  return onDatabase(around, failed, async (database) => {
    const history = await openHistory(database);
    return use(history).finally(() => history.close());
  });
}

function move(to: string, around: Around): Promise<number> {
  const failed = (from: string) => `${from} could not be moved to ${databaseName(to)}`;
  return onDatabase(around, failed, async (from) => {
    if (isPostgresUrl(from)) return print(["DATABASE_URL names no SQLite database."], around.errorOutput, 1);
    const { counts, history } = await withProgress(around, (report) => moveDatabase(from, to, report));
    const rows = Object.entries(counts).map(([table, count]) => `${table.padEnd(15)} ${count}`);
    const next = `${from} is as it was. Set DATABASE_URL to ${databaseName(to)}, and start Curfew.`;
    return print([...rows, ...linesOf(history), next], around.output, 0);
  });
}

function printCheck(check: HistoryCheck, { output, errorOutput }: Around): number {
  if (check.kind !== "intact") return print(linesOf(check), errorOutput, 1);
  const { unexpected = [] } = check;
  print(linesOf(check), output, 0);
  if (unexpected.length === 0) return 0;
  const lines = [
    "After the expected head something was deleted, and nothing kept elsewhere shows that Curfew did it.",
    "Find each of these in the log, with this hash, and verify with it as well:",
    ...unexpected.map(({ event, length, hash }) => `${event} --expect ${length}:${hash}`),
  ];
  return print(lines, errorOutput, 1);
}

function linesOf(check: HistoryCheck): readonly string[] {
  if (check.kind === "intact") {
    const { length, hash, anchor, forgotten, unproven } = check;
    const there = length - (anchor?.pruned ?? 0);
    const before = anchor
      ? [
          `${anchor.pruned} older pruned; ${anchor.kept} kept from before the anchor, as it says`,
          `anchor ${anchor.through}:${anchor.anchor}`,
        ]
      : [];
    const less = forgotten
      ? [`${forgotten} without some forgotten text; of ${unproven} the facts are proven only since then`]
      : [];
    return [`${there} transition${there === 1 ? "" : "s"}, chain intact`, ...before, ...less, `head ${length}:${hash}`];
  }
  return [describeBreak(check)];
}

/** As the log has them. */
async function* eventLines(events: AsyncIterable<AuditEvent>): AsyncGenerator<string> {
  for await (const event of events) yield escapeUnsafe(`${JSON.stringify(event, clean)}\n`);
}

type Format = "jsonl" | "csv";

/** The history as text, one line per entry. CSV starts with the column names. */
export async function* historyLines(entries: AsyncIterable<HistoryEntry>, format: Format): AsyncGenerator<string> {
  if (format === "csv") yield csvLine(Object.keys(columns));
  for await (const entry of entries) yield format === "csv" ? csvLine(cellsOf(entry)) : jsonLine(entry);
}

/**
 * Keeps the content as it was hashed, so that anyone can verify the hash. Unsafe characters are escaped; parsing the line and writing
 * it as JSON again undoes that.
 */
function jsonLine({ sequence, previousHash, hash, content, contentJson, textsJson }: HistoryEntry): string {
  const time = new Date(content.at).toISOString();
  const place = JSON.stringify({ sequence, time, previousHash, hash });
  const texts = textsJson === null ? "" : `,"texts":${escapeUnsafe(textsJson)}`;
  return `${place.slice(0, -1)}${texts},"content":${escapeUnsafe(contentJson)}}\n`;
}

const columns: Readonly<Record<string, (entry: HistoryEntry) => unknown>> = {
  sequence: ({ sequence }) => sequence,
  time: ({ content }) => new Date(content.at).toISOString(),
  change: ({ content }) => content.changeId,
  state: ({ content }) => content.state,
  words: ({ content }) => content.change?.words,
  operation: ({ content }) => content.change?.operation,
  actor: ({ content }) => content.change?.actor,
  channel: ({ content }) => content.change?.channelId,
  reason: ({ content }) => content.change?.reason,
  role: ({ content }) => content.change?.role,
  rule: ({ content }) => content.change?.rule,
  undoes: ({ content }) => content.change?.undoes,
  parent: ({ content }) => content.change?.parent,
  approval: ({ content }) => content.change?.approval,
  request: ({ content }) => content.change?.request,
  before: ({ content }) => content.change?.before,
  decision: ({ content }) => content.decision,
  notified: ({ content }) => content.notified,
  subject: ({ content }) => content.outcome?.subjectId,
  answer: ({ content }) => content.outcome?.answer,
  error: ({ content }) => content.outcome?.error,
  note: ({ content }) => content.outcome?.note,
  previousHash: ({ previousHash }) => previousHash,
  hash: ({ hash }) => hash,
  ticket: ({ content }) => ticketIn(content.change?.input),
  config: ({ content }) => content.config,
  event: ({ content }) => content.event,
};

/** The ticket that was given with a request. */
const ticketIn = (input: unknown): unknown =>
  typeof input === "object" && input !== null && "ticket" in input ? input.ticket : undefined;

const cellsOf = (entry: HistoryEntry): unknown[] => Object.values(columns).map((read) => read(entry));
