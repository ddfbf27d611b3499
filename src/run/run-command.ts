import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { databaseName } from "../store/open-database.ts";
import { type History, openHistory } from "../store/open-history.ts";
import type { HistoryCheck } from "../store/verify-history.ts";
import { historyLines } from "./history-lines.ts";
import type { OperatorCommand } from "./read-arguments.ts";
import { readConfigAlone, readDatabase } from "./read-setup.ts";
import type { Surroundings } from "./run.ts";
import { tellDecision } from "./tell-decision.ts";

type Around = Pick<Surroundings, "env" | "readFile" | "output" | "errorOutput" | "stopAsked">;

/** As shells have it for a program that was interrupted. */
const interrupted = 130;
const deniedCode = 3;

/** Does what an operator asks for, beside a Curfew that may be running, and gives the exit code. */
export async function runCommand(command: OperatorCommand, around: Around): Promise<number> {
  switch (command.name) {
    case "check":
    case "can":
      return answerFromConfig(command, around);
    case "audit verify":
      return withHistory(around, async (history) => tellCheck(await history.verify(), around));
    case "audit export": {
      const { since, format } = command;
      return withHistory(around, (history) => write(historyLines(history.entries(since), format), around));
    }
  }
}

function answerFromConfig(command: Extract<OperatorCommand, { name: "check" | "can" }>, around: Around): number {
  const read = readConfigAlone({ ...around, configFile: command.configFile });
  if (read.kind === "problems") return tell(read.problems, around.errorOutput, 1);
  if (command.name === "check") return tell([`${read.configFile} is fine.`], around.output, 0);
  const { isAllowed, lines } = tellDecision(read.settings.policy, command.question);
  return tell(lines, around.output, isAllowed ? 0 : deniedCode);
}

async function withHistory(around: Around, use: (history: History) => Promise<number>): Promise<number> {
  const database = readDatabase(around);
  if (typeof database !== "string") return tell(database.problems, around.errorOutput, 1);
  try {
    const history = await openHistory(database);
    return await Promise.race([use(history).finally(() => history.close()), around.stopAsked.then(() => interrupted)]);
  } catch (error) {
    return tell(
      [`The history in ${databaseName(database)} cannot be read: ${messageOf(error)}`],
      around.errorOutput,
      1,
    );
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function tellCheck(check: HistoryCheck, { output, errorOutput }: Around): number {
  if (check.kind === "intact") {
    const { length, hash } = check;
    return tell([`${length} transition${length === 1 ? "" : "s"}, chain intact`, `last hash ${hash}`], output, 0);
  }
  const { sequence, changeId, reason } = check;
  const place = sequence === null ? "at its end" : `at transition ${sequence}`;
  const change = changeId === null ? "" : ` (change ${changeId})`;
  return tell([`The history is broken ${place}${change}: ${reason}.`], errorOutput, 1);
}

/** Whoever reads may stop reading before the end, as `head` does. */
async function write(lines: AsyncIterable<string>, { output }: Around): Promise<number> {
  try {
    await pipeline(Readable.from(lines), output, { end: false });
    return 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return 0;
    throw error;
  }
}

function tell(lines: readonly string[], to: NodeJS.WritableStream, code: number): number {
  to.write([...lines, ""].join("\n"));
  return code;
}
