import { catalogue } from "../commands/catalogue.ts";
import type { Command } from "../commands/command.ts";
import { type Input, inputSchema } from "../commands/field.ts";
import type { Message } from "./blocks/message.ts";
import { noticeMessage } from "./blocks/outcome-message.ts";
import {
  answer,
  contextFor,
  type Desk,
  type Origin,
  offeredCommands,
  refusalFor,
  replyTo,
  runCommand,
} from "./desk.ts";
import type { ReadingContext } from "./fields/field-kind.ts";
import { drawForm } from "./form.ts";
import { type FieldsRead, readParts } from "./line/read-fields.ts";
import { splitLine } from "./line/split-line.ts";
import { openForm } from "./open-form.ts";
import { usageOf } from "./usage.ts";

export interface Line extends Origin {
  readonly text: string;
  readonly triggerId: string;
}

/** A typed line: performed at once when it is complete, else its form is opened with what was given (design.md, "Slack"). */
export async function handleLine(desk: Desk, line: Line): Promise<void> {
  const reply = replyTo(desk, line);
  const context = await contextFor(desk, line);
  const split = splitLine(line.text.trim() || "help", catalogue, offeredCommands(desk, context));
  if (split.kind === "unclear") {
    await reply.tell(
      context.actor.standing === "member" ? noticeMessage(":warning:", split.problem) : strangerRefusal(desk, context),
    );
    return;
  }
  const { command } = split;
  const refusal = refusalFor(desk, command, context);
  if (refusal) {
    await reply.tell(refusal);
    return;
  }
  const read = await readParts(command, split.parts, context);
  if (split.problems.length > 0) await reply.tell(lineProblems(desk, command, split.problems, read));
  else if (needsForm(command, read))
    await openForm(desk, line, command.title, () => drawForm(command, read, metaFor(command, line), context));
  else await answer(desk, line, await runCommand(desk, command, read.input, context, `command:${line.triggerId}`));
}

function needsForm(command: Command, { missing, problems }: FieldsRead): boolean {
  const mustConfirm = command.kind === "change" && command.confirms !== undefined;
  return missing.length > 0 || Object.keys(problems).length > 0 || mustConfirm;
}

function metaFor(command: Command, { channelId, responseUrl }: Origin) {
  return { words: command.words, channelId, ...(responseUrl ? { responseUrl } : {}) };
}

/** Guests and others learn that they may not use Curfew, rather than which words it knows. */
function strangerRefusal(desk: Desk, context: ReadingContext): Message {
  const [command] = catalogue;
  const refusal = command && refusalFor(desk, command, context);
  return refusal ?? noticeMessage(":no_entry:", "You may not use Curfew.");
}

/** Words that belong nowhere: said, with the right form of the line, and a form that keeps what could be read. */
function lineProblems(desk: Desk, command: Command, problems: readonly string[], { input }: FieldsRead): Message {
  const { usage } = usageOf(desk.slashCommand, command);
  const text = `${problems.join(" ")} Nothing was changed. The line is: ${usage}`;
  const hasForm = Object.keys(command.fields).length > 0;
  const kept: Input = inputSchema(command.fields, { partial: true }).safeParse(input).data ?? {};
  return noticeMessage(
    ":warning:",
    text,
    hasForm ? [{ label: "Open the form", words: command.words, opens: "form", input: kept }] : [],
  );
}
