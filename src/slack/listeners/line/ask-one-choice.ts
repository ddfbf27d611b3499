import type { CommandButton } from "../../../commands/answer.ts";
import type { ChangeCommand, Command } from "../../../commands/command.ts";
import { resourceWords } from "../../../commands/exclusion/exclusion-body.ts";
import type { Field, Input } from "../../../commands/field.ts";
import { directoryFor } from "../../fields/kinds/reference.ts";
import type { FieldsRead } from "../../fields/read-fields.ts";
import { clip, type Message } from "../../messages/message.ts";
import { noticeMessage } from "../../messages/outcome-message.ts";
import type { Access } from "../access.ts";
import type { RequestContext } from "../request-context.ts";

/** More choices than this are easier to make in the form. */
const maxButtons = 4;

/**
 * One question with a button for each answer, when a single choice is missing and few answers are allowed. The command is done when
 * one is pressed. Undefined when there is nothing to ask, or the form asks better.
 */
export async function questionFor(
  { access }: { readonly access: Access },
  command: Command,
  { input, missing, problems }: FieldsRead,
  context: RequestContext,
): Promise<Message | undefined> {
  const [name, ...others] = missing;
  const field = name === undefined ? undefined : command.fields[name];
  if (name === undefined || !field || others.length > 0 || Object.keys(problems).length > 0) return undefined;
  if (command.kind === "change" && (command.confirms !== undefined || opensEdit(command, input))) return undefined;
  const buttons: CommandButton[] = [];
  for (const { label, value } of await choicesOf(field, input, context)) {
    const full = { ...input, [name]: value };
    if (!(await access.mayRun(command, full, context))) continue;
    buttons.push({ label: clip(label, 75), words: command.words, opens: "result", input: full });
    if (buttons.length > maxButtons) return undefined;
  }
  if (buttons.length === 0) return undefined;
  const other: CommandButton = { label: "Other…", words: command.words, opens: "form", input };
  return noticeMessage(
    ":question:",
    `${command.title}: ${questionAbout(name, field, input)} Nothing was changed yet.`,
    [...buttons, other],
  );
}

/** Whether the input only names the thing to edit, so that the form of its values is asked for. */
export function opensEdit({ fill, fields }: ChangeCommand, input: Input): boolean {
  return fill !== undefined && Object.keys(input).every((name) => fields[name]?.positional !== undefined);
}

interface Choice {
  readonly label: string;
  readonly value: string;
}

async function choicesOf(field: Field, input: Input, context: RequestContext): Promise<readonly Choice[]> {
  if (field.kind === "choice" && !field.multiple && field.options.length <= maxButtons) return field.options;
  // What a command acts on is chosen in the form: one press must not disable a neighbour in a list of names.
  if (field.kind !== "reference" || field.multiple || field.positional) return [];
  const found = await directoryFor(field, input, context.directory).search(field.to, "", maxSearched);
  const isShared = (name: string) => found.filter((each) => each.name === name).length > 1;
  return found.map(({ id, name }) => ({
    label: name === null ? id : isShared(name) ? `${name} (${id})` : name,
    value: id,
  }));
}

/** How many entities are judged; with more of them the form asks better anyway. */
const maxSearched = 50;

function questionAbout(name: string, { label }: Field, { resourceIds }: Input): string {
  if (name === "project" && Array.isArray(resourceIds))
    return `Which project ${resourceIds.length === 1 ? "is" : "are"} ${resourceWords(resourceIds.map(String))} in?`;
  return `Which ${label.toLowerCase()}?`;
}
