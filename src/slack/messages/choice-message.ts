import { type CommandButton, isProblem } from "../../commands/answer.ts";
import type { Command, FillContext } from "../../commands/command.ts";
import { meantForPlan } from "../../commands/exclusion/planned/about-plan.ts";
import type { Input } from "../../commands/field.ts";
import { inputSchema } from "../../commands/field-values.ts";
import { complete, type FieldsRead } from "../fields/read-fields.ts";
import { commandButton } from "./button.ts";
import type { Message } from "./message.ts";
import { noticeMessage } from "./notices.ts";

/**
 * The question about the first field with ready answers, as buttons. Each runs the command with the rest of the input, or opens its form
 * if something else is open. Undefined if no field has a question or no answer fits into a button.
 */
export async function choiceMessage(
  command: Command,
  read: FieldsRead,
  context: FillContext,
): Promise<Message | undefined> {
  const [first, ...others] = Object.entries(read.choices);
  if (first === undefined) return undefined;
  const [field, { text, options, takesId }] = first;
  const isOpen = others.length > 0 || Object.keys(read.problems).length > 0;
  const answers = options.map(({ label, value, also = {} }) =>
    answerButton(command, { label, given: { ...also, [field]: value }, isOpen }, read, context),
  );
  const answered = (await Promise.all(answers)).filter((button) => button !== undefined);
  const buttons = takesId ? [...answered, idButton(command, field, read)] : answered;
  // Slack refuses two buttons with one action id, and that is made from the label.
  const fitting = new Map(
    buttons
      .filter((button) => commandButton(button) !== undefined)
      .map((button) => [button.label.toLowerCase(), button] as const),
  );
  if (fitting.size === 0) return undefined;
  const rest = [...others.map(([, choice]) => choice.text), ...Object.values(read.problems)];
  return noticeMessage(":question:", [text, ...rest].join(" "), [...fitting.values()]);
}

/** Opens the form with what was typed, where an id can be added. */
function idButton({ words, fields }: Command, field: string, { input, typed }: FieldsRead): CommandButton {
  const given: Input = inputSchema(fields, { partial: true }).safeParse(input).data ?? {};
  return { label: "Give the id…", words, opens: "form", input: given, typed: { [field]: typed[field] ?? "" } };
}

interface AnswerGiven {
  readonly label: string;
  readonly given: Input;
  /** Whether another field could not be read either. */
  readonly isOpen: boolean;
}

async function answerButton(
  command: Command,
  { label, given: answer, isOpen }: AnswerGiven,
  read: FieldsRead,
  context: FillContext,
): Promise<CommandButton | undefined> {
  const given = { input: { ...read.input, ...answer }, problems: {}, typed: {} };
  const { input, missing } = await complete(command, given, context);
  const confirms = command.kind !== "query" && command.confirms !== undefined;
  const opens = isOpen || confirms || missing.length > 0 ? "form" : "result";
  const plan = await meantForPlan({ words: command.words, input }, context);
  const whole = plan && isProblem(plan) ? plan.buttons?.at(-1) : plan;
  if (whole) return { ...whole, label };
  const checked = inputSchema(command.fields, { partial: opens === "form" }).safeParse(input);
  return checked.success ? { label, words: command.words, opens, input: checked.data } : undefined;
}
