import type { ActionsBlock, KnownBlock } from "@slack/types";
import type { Denied } from "../../changes/authorize/decide-change.ts";
import type { Change } from "../../changes/change.ts";
import { type CommandButton, isProblem, type Problem } from "../../commands/answer.ts";
import type { Command, FillContext } from "../../commands/command.ts";
import { meantForPlan } from "../../commands/exclusion/planned/about-plan.ts";
import type { Input } from "../../commands/field.ts";
import { inputSchema } from "../../commands/field-values.ts";
import type { ChoiceOption } from "../fields/field-kind.ts";
import { complete, type FieldsRead } from "../fields/read-fields.ts";
import { buttonRow, channelButton, commandButton, selectRow } from "./button.ts";
import { holderMentions } from "./facts.ts";
import { contextBlock, type Message, message, section } from "./message.ts";
import { channel, clip, clipMrkdwn, code, type Icon, join, lines, literal, type Mrkdwn, md } from "./text.ts";

interface Refusal {
  readonly purpose?: "read" | "change";
  /** The next steps. */
  readonly buttons?: readonly CommandButton[];
  /** Who asked, and the line that they typed: where it is allowed in one channel only, the message leads there. */
  readonly teamId?: string | undefined;
  readonly typed?: string | undefined;
}

/** Why the reader may not do this, who could, and the next step. Mentions in a message that only one person sees notify nobody. */
export function refusalMessage(
  denied: Denied,
  { purpose = "change", buttons = [], teamId, typed }: Refusal = {},
): Message {
  const { couldDo, isToAsk, channels = [] } = denied;
  const who = couldDo.length > 0 ? holderMentions(couldDo) : "";
  const ask = who && md` Ask ${who}${isToAsk ? " to request it" : ""}.`;
  const why = refusalWords(denied);
  const there = typed && isPlain(typed) ? md`: ask there with ${code(typed)}.` : ": ask there.";
  const text =
    channels.length > 0
      ? md`${withChannels(clip(why.replace(/\.$/, ""), 1500), channels)}${there}`
      : literal(why, 1500);
  const [channel, ...others] = channels;
  const links = channel && teamId && others.length === 0 ? [channelButton(teamId, channel)] : [];
  const unchanged = purpose === "change" ? " Nothing was changed." : "";
  return message(`${why}${unchanged}`, [
    section(md`:no_entry: ${text}${unchanged}${ask}`),
    ...buttonRow(buttons, ...links),
  ]);
}

/** The words with their channels' ids as mentions. */
const withChannels = (words: string, [id, ...others]: readonly string[]): Mrkdwn =>
  id === undefined
    ? literal(words)
    : join(
        words.split(id).map((part) => withChannels(part, others)),
        channel(id),
      );

/** Above a form whose sender may not do it themselves. */
export function askingNotice(denied: Denied): readonly KnownBlock[] {
  const [why] = refusalMessage({ ...denied, couldDo: [] }, { purpose: "read" }).blocks;
  return why ? [why, contextBlock(md`Others may allow it: fill in the form and send it, and you can ask them.`)] : [];
}

/** Whether a line can be shown to be copied. Slack's marks around mentions and links would be shown as they are. */
const isPlain = (line: string): boolean => line.length <= 200 && literal(line) === line;

/** Why the reader may not do this, in words to them. */
export const refusalWords = ({ reason, toActor = reason }: Denied): string => toActor;

/** Why nothing was done, with buttons for the next step. */
export function problemMessage({ problem, buttons = [], select }: Problem): Message {
  if (select) return noticeMessage(":question:", problem, buttons, selectRow(select));
  return noticeMessage(":warning:", problem, buttons);
}

/** A notice of several lines, each of them literal. */
export const noticeOfLines = (icon: Icon, texts: readonly string[]): Message => ({
  text: clipMrkdwn(lines(texts), 1000),
  blocks: [section(md`${icon} ${lines(texts)}`)],
});

export function noticeMessage(
  icon: Icon,
  text: string,
  buttons: readonly CommandButton[] = [],
  select?: ActionsBlock,
): Message {
  return message(text, [section(md`${icon} ${literal(text)}`), ...(select ? [select] : []), ...buttonRow(buttons)]);
}

/** For those who run Curfew: what to fix, and which change it is about. */
export function reportMessage({ actor, id, words }: Change, note: string): Message {
  return noticeMessage(":wrench:", `Change ${id} (${words}, by ${actor.name}): ${note}`);
}

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
  const answers = await Promise.all(options.map((option) => answerButton(command, option, field, read, context)));
  const buttons = [...answers, takesId && idButton(command, field, read)].filter((button) => button !== undefined);
  // Slack refuses two buttons with one action id, and that is made from the label.
  const fits = buttons.filter((button) => commandButton(button) !== undefined);
  const fitting = new Map(fits.map((button) => [button.label.toLowerCase(), button] as const));
  if (fitting.size === 0) return undefined;
  const rest = [...others.map(([, choice]) => choice.text), ...Object.values(read.problems)];
  return noticeMessage(":question:", [text, ...rest].join(" "), [...fitting.values()]);
}

/** Opens the form with what was typed, where an id can be added. */
function idButton({ words, fields }: Command, field: string, { input, typed }: FieldsRead): CommandButton {
  const given: Input = inputSchema(fields, { partial: true }).safeParse(input).data ?? {};
  return { label: "Give the id…", words, opens: "form", input: given, typed: { [field]: typed[field] ?? "" } };
}

async function answerButton(
  command: Command,
  { label, value, also }: ChoiceOption,
  field: string,
  read: FieldsRead,
  context: FillContext,
): Promise<CommandButton | undefined> {
  const given = { input: { ...read.input, ...also, [field]: value }, problems: {}, typed: {} };
  const { input, missing } = await complete(command, given, context);
  const confirms = command.kind !== "query" && command.confirms !== undefined;
  const isOpen = Object.keys({ ...read.choices, ...read.problems }).length > 1;
  const opens = isOpen || confirms || missing.length > 0 ? "form" : "result";
  const plan = await meantForPlan({ words: command.words, input }, context);
  const whole = plan && isProblem(plan) ? plan.buttons?.at(-1) : plan;
  if (whole) return { ...whole, label };
  const checked = inputSchema(command.fields, { partial: opens === "form" }).safeParse(input);
  return checked.success ? { label, words: command.words, opens, input: checked.data } : undefined;
}
