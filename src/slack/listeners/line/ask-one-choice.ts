import type { CommandButton } from "../../../commands/answer.ts";
import type { ChangeCommand, Command } from "../../../commands/command.ts";
import { resourceWords } from "../../../commands/exclusion/exclusion-body.ts";
import type { Field, Input } from "../../../commands/field.ts";
import { flagOf } from "../../../language/flag.ts";
import { directoryFor, ownExclusions } from "../../fields/kinds/reference.ts";
import { complete, type FieldsRead } from "../../fields/read-fields.ts";
import { selectRow } from "../../messages/button.ts";
import type { Message } from "../../messages/message.ts";
import { noticeMessage } from "../../messages/notices.ts";
import { asValue, clip, limits } from "../../messages/text.ts";
import type { Deps } from "../deps.ts";
import type { ReplyDetail, RequestContext } from "../request-context.ts";

/** With more answers they are in a select. */
const maxButtons = 4;

/**
 * One question with the answers that this person may give, when a single choice is missing: as buttons, or in a select. The command
 * is done when one is chosen. Undefined when there is nothing to ask, or the answers do not fit.
 */
export async function questionFor(
  { access }: Pick<Deps, "access">,
  command: Command,
  { input, missing, problems }: FieldsRead,
  context: RequestContext,
): Promise<Message | undefined> {
  const [name, ...others] = missing;
  const field = name === undefined ? undefined : command.fields[name];
  if (name === undefined || !field || others.length > 0 || Object.keys(problems).length > 0) return undefined;
  if (command.kind === "change" && (command.confirms !== undefined || opensEdit(command, input))) return undefined;
  const all = await choicesOf(field, input, context);
  // Judging each takes its time, and a form must open while its trigger lasts.
  if (all.length > limits.selectOptions) return undefined;
  if (all.length > maxButtons && asValue(input).length > limits.blockId) return undefined;
  const choices: Choice[] = [];
  for (const each of all)
    if (await access.mayRun(command, { ...input, [name]: each.value }, context)) choices.push(each);
  if (choices.length === 0) return undefined;
  const { words, title } = command;
  const other: CommandButton = { label: "Other…", words, opens: "form", input };
  const ask = `${title}: ${questionAbout(name, field, input)} Nothing was changed yet.`;
  if (choices.length <= maxButtons) {
    const answers = choices.map(
      ({ label, value }): CommandButton => ({
        label: clip(label, limits.buttonText),
        ...{ words, opens: "result", input: { ...input, [name]: value } },
      }),
    );
    return noticeMessage(":question:", ask, [...answers, other]);
  }
  const select = selectRow({ words, field: name, input, options: choices });
  return select && noticeMessage(":question:", ask, [other], select);
}

/** Whether the input only names the thing to edit, so that the form of its values is asked for. */
export function opensEdit({ fill, fields }: ChangeCommand, input: Input): boolean {
  const isAside = (name: string) => name === "ticket" || fields[name]?.positional !== undefined;
  return fill !== undefined && Object.keys(input).every(isAside);
}

interface Choice {
  readonly label: string;
  readonly value: string;
}

async function choicesOf(field: Field, input: Input, context: RequestContext): Promise<readonly Choice[]> {
  if (field.kind === "choice" && !field.multiple) return field.options;
  if (field.kind === "reference" && field.to === "exclusion") return ownChoices(context);
  // What a command acts on is chosen in the form: one press must not disable a neighbour in a list of names.
  if (field.kind !== "reference" || field.multiple || field.positional) return [];
  const found = await directoryFor(field, input, context.directory).search(field.to, "", limits.selectOptions + 1);
  // Slack refuses two buttons with one action id, and that is made from the label in lower case.
  const isShared = (name: string) => found.filter((each) => each.name?.toLowerCase() === name.toLowerCase()).length > 1;
  return found.map(({ id, name }) => ({
    label: !name ? id : isShared(name) ? `${name} (${id})` : name,
    value: id,
  }));
}

/** One's own exclusions are few, and moving the end of the wrong one can be undone. */
async function ownChoices(context: RequestContext): Promise<readonly Choice[]> {
  return (await ownExclusions(context)).map(({ id, name }) => ({ label: name ? `${name} (${id})` : id, value: id }));
}

function questionAbout(name: string, { label }: Field, { resourceIds }: Input): string {
  if (name === "project" && Array.isArray(resourceIds))
    return `Which project ${resourceIds.length === 1 ? "is" : "are"} ${resourceWords(resourceIds.map(String))} in?`;
  return name === "exclusion" ? "Which one?" : `Which ${label.toLowerCase()}?`;
}

/** The answer to a question that only asks whether what was typed is really meant, such as an id that Curfew has not seen. */
function confirmable({ choices, typed }: FieldsRead) {
  return Object.entries(choices).flatMap(([field, { options }]) => {
    const same = options.find(({ value }) => value === typed[field]);
    return same ? [{ field, ...same }] : [];
  });
}

/** The fields with everything confirmed that can be. A guess of another name is not taken: the line must say it. */
export async function withConfirmed(command: Command, read: FieldsRead, context: RequestContext): Promise<FieldsRead> {
  const given = Object.fromEntries(confirmable(read).map(({ field, value }) => [field, value]));
  if (Object.keys(given).length === 0) return read;
  const choices = Object.fromEntries(Object.entries(read.choices).filter(([field]) => !(field in given)));
  const { problems, typed, input } = read;
  const completed = await complete(command, { problems, typed, choices, input: { ...input, ...given } }, context);
  return { ...read, ...completed };
}

/** What a question with ready answers says to a program. */
export function choiceDetail(read: FieldsRead): ReplyDetail {
  const labels = confirmable(read).map(({ label }) => label);
  return { kind: "question", confirm: labels.length > 0 ? labels.join("; ") : undefined };
}

/** What a person would do in a form: give what is missing, correct what is wrong, or confirm. */
export function questionToProgram(command: Command, { missing, problems }: FieldsRead): [Message, ReplyDetail] {
  const labels = missing.map((name) => `${command.fields[name]?.label ?? name} (--${flagOf(name)})`);
  const isComplete = missing.length === 0 && Object.keys(problems).length === 0;
  const confirm = isComplete && command.kind === "change" ? command.confirms : undefined;
  const sentences = [
    ...Object.values(problems),
    ...(labels.length > 0 ? [`${command.title} also needs: ${labels.join(", ")}. Add it to the line.`] : []),
    ...(confirm === undefined ? [] : [`${confirm} Send the line again with "confirm": true.`]),
  ];
  const text = `${sentences.join(" ")} Nothing was changed.`;
  return [noticeMessage(":question:", text), { kind: "question", missing, problems, confirm }];
}
