import { isProblem, type Problem } from "../../commands/answer.ts";
import { catalogue } from "../../commands/catalogue.ts";
import { type Command, missingFields } from "../../commands/command.ts";
import { type Input, inputSchema } from "../../commands/field.ts";
import { splitLine } from "../../language/split-line.ts";
import { type FieldsRead, readParts } from "../fields/read-fields.ts";
import { formFor, metaFor } from "../forms/form.ts";
import { openForm } from "../forms/open-form.ts";
import type { Message } from "../messages/message.ts";
import { noticeMessage, problemMessage, refusalMessage } from "../messages/outcome-message.ts";
import { usageOf } from "../messages/usage.ts";
import {
  answer,
  contextFor,
  type Desk,
  type DeskContext,
  type Origin,
  offeredCommands,
  purposeOf,
  refusalOfForm,
  refusalToSay,
  responderFor,
  runCommand,
} from "./desk.ts";
import { refusalOfOutsider } from "./refusal-of-outsider.ts";

export interface Line extends Origin {
  readonly text: string;
  readonly triggerId: string;
}

/** A typed line: performed at once when it is complete, else its form is opened with what was given (design.md, "Slack"). */
export async function handleLine(desk: Desk, line: Line): Promise<void> {
  const responder = responderFor(desk, line);
  const context = await contextFor(desk, line);
  const outsider = refusalOfOutsider(desk, context);
  if (outsider) {
    await responder.send(refusalMessage(outsider));
    return;
  }
  const split = splitLine(line.text.trim() || "help", catalogue, () => offeredCommands(desk, context));
  if (split.kind === "unclear") {
    await responder.send(noticeMessage(":warning:", split.problem));
    return;
  }
  const { command } = split;
  // Only what names a change is read before it is clear whether the command may be used.
  const said = command.kind === "decision" ? (await readParts(command, split.parts, context)).input : {};
  const refusal = await refusalToSay(desk, command, said, context);
  if (refusal) {
    await responder.send(refusal);
    return;
  }
  const read = await withTheRest(command, await readParts(command, split.parts, context), context);
  if (isProblem(read)) {
    await responder.send(problemMessage(read));
    return;
  }
  if (split.problems.length > 0) await responder.send(lineProblems(desk, command, split.problems, read));
  else if (needsForm(command, read)) {
    const refused = await refusalOfForm(desk, command, read.input, context);
    if (refused) return void (await responder.send(refused));
    await openForm(desk, line, command.title, () =>
      formFor(command, { ...read, isFromLine: split.parts.size > 0 }, metaFor(command, line), context),
    );
  } else {
    await answer(desk, line, await runCommand(desk, command, read.input, context, `command:${line.triggerId}`));
  }
}

function needsForm(command: Command, { missing, problems }: FieldsRead): boolean {
  const mustConfirm = command.kind === "change" && command.confirms !== undefined;
  return missing.length > 0 || Object.keys(problems).length > 0 || mustConfirm;
}

/** A line that edits something leaves the rest as it is; one that only names the thing opens its form. */
async function withTheRest(command: Command, read: FieldsRead, context: DeskContext): Promise<FieldsRead | Problem> {
  if (command.kind !== "change" || !command.fill) return read;
  const isEdit = Object.keys(read.input).some((name) => command.fields[name]?.positional === undefined);
  const filled = isEdit ? await command.fill(read.input, context) : undefined;
  if (!filled) return read;
  if (isProblem(filled)) return filled;
  const input = { ...filled, ...read.input };
  return { ...read, input, missing: missingFields(command.fields, input).filter((name) => !(name in read.problems)) };
}

/** Words that belong nowhere: said, with the right form of the line, and a form that keeps what could be read. */
function lineProblems(desk: Desk, command: Command, problems: readonly string[], { input }: FieldsRead): Message {
  const { usage } = usageOf(desk.slashCommand, command);
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
