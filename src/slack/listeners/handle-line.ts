import type { WebClient } from "@slack/web-api";
import { isProblem, type Problem } from "../../commands/answer.ts";
import { catalogue } from "../../commands/catalogue.ts";
import { type Command, missingFields } from "../../commands/command.ts";
import { type Input, inputSchema } from "../../commands/field.ts";
import { splitLine } from "../../language/split-line.ts";
import type { Logger } from "../../observability/log.ts";
import { type FieldsRead, readParts } from "../fields/read-fields.ts";
import { formFor, metaFor } from "../forms/form.ts";
import { openForm } from "../forms/open-form.ts";
import type { Message } from "../messages/message.ts";
import { noticeMessage, problemMessage, refusalMessage } from "../messages/outcome-message.ts";
import { usageOf } from "../messages/usage.ts";
import { type Access, purposeOf } from "./access.ts";
import type { Replies } from "./replies.ts";
import type { ContextOf, Origin, RequestContext } from "./request-context.ts";
import type { RunCommand } from "./run-command.ts";

/** The ports of `handleLine`. */
export interface LinePorts {
  readonly contextOf: ContextOf;
  readonly access: Access;
  readonly runCommand: RunCommand;
  readonly replies: Replies;
  readonly client: WebClient;
  readonly slashCommand: string;
  readonly log: Logger;
}

export interface Line extends Origin {
  readonly text: string;
  readonly triggerId: string;
}

/** Handles a typed line: runs it if it is complete, else opens its form with the given values. */
export async function handleLine(ports: LinePorts, line: Line): Promise<void> {
  const { contextOf, access, runCommand, replies, client, log, slashCommand } = ports;
  const responder = replies.to(line);
  const context = await contextOf(line);
  const outsider = access.refusalOfOutsider(context);
  if (outsider) {
    await responder.send(refusalMessage(outsider));
    return;
  }
  const split = splitLine(line.text.trim() || "help", catalogue, () => access.offered(context));
  if (split.kind === "unclear") {
    await responder.send(noticeMessage(":warning:", split.problem));
    return;
  }
  const { command } = split;
  // Before the permission check, only the name of a change is read.
  const said = command.kind === "decision" ? (await readParts(command, split.parts, context)).input : {};
  const refusal = await access.refusalOf(command, said, context);
  if (refusal) {
    await responder.send(refusal);
    return;
  }
  const read = await withFilledFields(command, await readParts(command, split.parts, context), context);
  if (isProblem(read)) {
    await responder.send(problemMessage(read));
    return;
  }
  if (split.problems.length > 0) await responder.send(lineProblems(slashCommand, command, split.problems, read));
  else if (needsForm(command, read)) {
    const refused = await access.refusalOfForm(command, read.input, context);
    if (refused) return void (await responder.send(refused));
    await openForm({ client, log }, line, command.title, () =>
      formFor(command, { ...read, isFromLine: split.parts.size > 0 }, metaFor(command, line), context),
    );
  } else {
    await replies.answer(line, await runCommand(command, read.input, context, `command:${line.triggerId}`));
  }
}

function needsForm(command: Command, { missing, problems }: FieldsRead): boolean {
  const mustConfirm = command.kind === "change" && command.confirms !== undefined;
  return missing.length > 0 || Object.keys(problems).length > 0 || mustConfirm;
}

/** A line that edits an entity keeps its other fields; a line that only names it opens its form. */
async function withFilledFields(
  command: Command,
  read: FieldsRead,
  context: RequestContext,
): Promise<FieldsRead | Problem> {
  if (command.kind !== "change" || !command.fill) return read;
  const isEdit = Object.keys(read.input).some((name) => command.fields[name]?.positional === undefined);
  const filled = isEdit ? await command.fill(read.input, context) : undefined;
  if (!filled) return read;
  if (isProblem(filled)) return filled;
  const input = { ...filled, ...read.input };
  return { ...read, input, missing: missingFields(command.fields, input).filter((name) => !(name in read.problems)) };
}

/** Names the words that do not fit, with the usage, and offers a form with the readable values. */
function lineProblems(
  slashCommand: string,
  command: Command,
  problems: readonly string[],
  { input }: FieldsRead,
): Message {
  const { usage } = usageOf(slashCommand, command);
  const unchanged = purposeOf(command) === "change" ? " Nothing was changed." : "";
  const text = `${problems.join(" ")}${unchanged} The line is: ${usage}`;
  const hasForm = Object.keys(command.fields).length > 0;
  const kept: Input = inputSchema(command.fields, { partial: true }).safeParse(input).data ?? {};
  return noticeMessage(
    ":warning:",
    text,
    hasForm ? [{ label: "Open the form", words: command.words, opens: "form", input: kept }] : [],
  );
}
