import type { ActionsBlock, Button, Overflow, PlainTextOption } from "@slack/types";
import type { CommandButton, CommandSelect } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { plainText } from "../fields/field-kind.ts";
import { clip, limits } from "./message.ts";

/** The action id says what a press does: open a command's form, or run the command. */
export const formAction = "form";
export const runAction = "run";
/** In a menu each entry says it for itself. In a select the block's id holds the input that the choice completes. */
export const menuAction = "menu";
export const choiceAction = "choice";

/** A button for a command, with a confirmation where the command has one. Undefined when its input does not fit into a button. */
export function commandButton(button: CommandButton): Button | undefined {
  const { label, words, opens, input, version } = button;
  const value = JSON.stringify(input);
  if (value.length > limits.buttonValue) return undefined;
  const question = questionOf(button);
  return {
    type: "button",
    action_id: `${opens === "form" ? formAction : runAction}:${words}:${label.toLowerCase()}${version === undefined ? "" : `:${version}`}`,
    text: plainText(clip(label, limits.buttonText)),
    value,
    ...(question === undefined
      ? {}
      : { style: words === "approve" ? "primary" : "danger", confirm: confirmation(label, question) }),
  };
}

function confirmation(label: string, warning: string) {
  return {
    title: plainText(`${clip(label, limits.confirmTitle - 1)}?`),
    text: plainText(clip(warning, 300)),
    confirm: plainText(clip(label, limits.confirmText)),
    deny: plainText("Cancel"),
  };
}

/** The rarer buttons of a card or list, behind "⋯". Undefined without one that fits; Slack takes five (PLATFORM.md §8). */
export function commandMenu(name: string, entries: readonly CommandButton[]): Overflow | undefined {
  const options = entries.flatMap(menuOption).slice(0, limits.menuOptions);
  return options.length === 0 ? undefined : { type: "overflow", action_id: `${menuAction}:${name}`, options };
}

function menuOption(button: CommandButton): readonly PlainTextOption[] {
  const { label, words, opens, input } = button;
  const value = `${opens === "form" ? formAction : runAction}:${words}:${JSON.stringify(input)}`;
  // An entry of a menu cannot ask whether its reader is sure.
  if (value.length > limits.optionValue || questionOf(button) !== undefined) return [];
  return [{ text: plainText(clip(label, limits.buttonText)), value }];
}

/** What is pressed in a menu, as on a button; undefined if it is none of ours. */
export function readMenuValue(value: string): { readonly actionId: string; readonly value: string } | undefined {
  const [, actionId, input] = /^(\w+:[^:]+):(.*)$/s.exec(value) ?? [];
  return actionId === undefined || input === undefined ? undefined : { actionId, value: input };
}

/** What its reader must confirm before the command runs. */
function questionOf({ words, opens }: CommandButton): string | undefined {
  const command = commandOf(words);
  return opens === "form" || command?.kind === "query" ? undefined : command?.confirms;
}

/** Undefined when the input or an answer does not fit. */
export function selectRow({
  words,
  field,
  input,
  options,
  placeholder = "Choose…",
}: CommandSelect): ActionsBlock | undefined {
  const blockId = JSON.stringify(input);
  const isTooMuch = options.length === 0 || options.length > limits.selectOptions || blockId.length > limits.blockId;
  if (isTooMuch || options.some(({ value }) => value.length > limits.optionValue)) return undefined;
  return {
    type: "actions",
    block_id: blockId,
    elements: [
      {
        type: "static_select",
        action_id: `${choiceAction}:${words}:${field}`,
        placeholder: plainText(placeholder),
        options: options.map(({ label, value }) => ({ text: plainText(clip(label, limits.buttonText)), value })),
      },
    ],
  };
}

/** The buttons of the card of a change, with the rarer ones in a menu. */
export function cardButtons(
  changeId: string,
  shown: readonly CommandButton[],
  menu: readonly CommandButton[] = [],
): readonly ActionsBlock[] {
  const details: CommandButton = { label: "Details", words: "history", opens: "result", input: { which: changeId } };
  const buttons = shown.map(commandButton).filter((button) => button !== undefined);
  const more = commandMenu(changeId, [details, ...menu]);
  return [{ type: "actions", elements: [...buttons, ...(more ? [more] : [])] }];
}

export function buttonRow(buttons: readonly CommandButton[]) {
  const elements = buttons.map(commandButton).filter((button) => button !== undefined);
  return elements.length ? [{ type: "actions", elements } as const] : [];
}
