import type { ActionsBlock, Button, Overflow, PlainTextOption } from "@slack/types";
import type { CommandButton, CommandSelect } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { plainText } from "../fields/field-kind.ts";
import type { Message } from "./message.ts";
import { asValue, clip, limits } from "./text.ts";

/** The action id says what a press does: open a command's form, or run the command. */
export const formAction = "form";
export const runAction = "run";
/** Asks others to allow the command. */
export const askAction = "ask";
/** Opens an address in the reader's Slack or browser; a press of it is only acknowledged. */
export const linkAction = "link";
/** No field has this name. */
export const typedKey = "";
/** In a menu each entry says it for itself. In a select the block's id holds the input that the choice completes. */
export const menuAction = "menu";
export const choiceAction = "choice";

/** A button for a command, with a confirmation where the command has one. Undefined when its input does not fit into a button. */
export function commandButton(button: CommandButton): Button | undefined {
  const { label, words, input, typed, version } = button;
  const all = asValue(typed && Object.keys(typed).length > 0 ? { ...input, [typedKey]: typed } : input);
  const value = all.length > limits.buttonValue ? asValue(input) : all;
  if (value.length > limits.buttonValue) return undefined;
  const question = questionOf(button);
  return {
    type: "button",
    action_id: `${actionName(button)}:${words}:${clip(label, limits.buttonText).toLowerCase()}${version === undefined ? "" : `:${version}`}`,
    text: plainText(clip(label, limits.buttonText)),
    value,
    ...(question === undefined ? {} : { ...styleOf(words), confirm: confirmation(label, question) }),
  };
}

/** An undo can be undone. */
function styleOf(words: string): Pick<Button, "style"> {
  if (words === "undo") return {};
  return { style: words === "approve" ? "primary" : "danger" };
}

/** "run", or "run@C0OPS" in the name of that channel. */
const actionName = ({ opens, isAsking, channelId }: Pick<CommandButton, "opens" | "isAsking" | "channelId">): string =>
  `${isAsking ? askAction : opens === "form" ? formAction : runAction}${channelId === undefined ? "" : `@${channelId}`}`;

export interface ButtonAction {
  readonly opens: "form" | "result";
  /** Others are asked to allow it. */
  readonly isAsking: boolean;
  readonly words: string;
  /** The channel in whose name it is pressed; null without one. */
  readonly channelId: string | null;
}

/** What a press does, by its action id; undefined if it is none of ours. */
export function readAction(actionId: string): ButtonAction | undefined {
  const [, opens, channelId = null, words] = /^(form|run|ask)(?:@(\w+))?:([^:]*)/.exec(actionId) ?? [];
  if (opens === undefined || words === undefined) return undefined;
  return { opens: opens === formAction ? "form" : "result", isAsking: opens === askAction, words, channelId };
}

/** The action ids of everything that is pressed or chosen in a message or on the Home tab. */
export const anyAction = new RegExp(
  `^(?:${[formAction, runAction, askAction, menuAction, choiceAction].join("|")})(?:@\\w+)?:`,
);

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

/** An entry of a menu or select; none when it does not fit. */
export function menuOption(button: CommandButton): readonly PlainTextOption[] {
  // An entry of a menu cannot ask whether its reader is sure, so it opens the form, and sending that is the yes.
  const isSure = questionOf(button) === undefined;
  const { label, words, input } = button;
  const value = `${actionName(isSure ? button : { ...button, opens: "form" })}:${words}:${asValue(input)}`;
  if (value.length > limits.optionValue) return [];
  return [{ text: plainText(clip(`${label}${isSure ? "" : "…"}`, limits.buttonText)), value }];
}

/** What is pressed in a menu, as on a button; undefined if it is none of ours. */
export function readMenuValue(value: string): { readonly actionId: string; readonly value: string } | undefined {
  const [, actionId, input] = /^([\w@]+:[^:]+):(.*)$/s.exec(value) ?? [];
  return actionId === undefined || input === undefined ? undefined : { actionId, value: input };
}

/** What its reader must confirm before the command runs. */
function questionOf({ words, opens, isAsking, isSure, about }: CommandButton): string | undefined {
  const command = commandOf(words);
  if (isAsking || isSure || opens === "form" || command?.kind === "query" || !command?.confirms) return undefined;
  return about === undefined ? command.confirms : `${clip(about, 230)} ${command.confirms}`;
}

/** Undefined when the input or an answer does not fit. */
export function selectRow({
  words,
  field,
  input,
  options,
  placeholder = "Choose…",
}: CommandSelect): ActionsBlock | undefined {
  const blockId = asValue(input);
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

/** Opens a channel. Its name is not known, so the text beside it mentions the channel. */
export function channelButton(teamId: string, channelId: string): Button {
  const url = `https://slack.com/app_redirect?team=${encodeURIComponent(teamId)}&channel=${encodeURIComponent(channelId)}`;
  return { type: "button", action_id: `${linkAction}:${channelId}`, text: plainText("Open the channel"), url };
}

/** In a direct message, buttons count in the channel where the change was asked for, while their reader is in it. */
export const inNameOfChannel = (
  { channelId }: { readonly channelId: string | null },
  buttons: readonly CommandButton[],
): readonly CommandButton[] =>
  channelId === null || isDirect(channelId) ? buttons : buttons.map((button) => ({ ...button, channelId }));

/** The conversation of a person with Curfew (PLATFORM.md §3.1). */
export const isDirect = (channelId: string): boolean => channelId.startsWith("D");

/** The message with these buttons before those that it ends with. */
export function withButtons({ text, blocks }: Message, buttons: readonly CommandButton[]): Message {
  const [row] = buttonRow(buttons);
  const last = blocks.at(-1);
  if (!row) return { text, blocks };
  if (last?.type !== "actions") return { text, blocks: [...blocks, row] };
  return { text, blocks: [...blocks.slice(0, -1), { ...last, elements: [...row.elements, ...last.elements] }] };
}

export function buttonRow(buttons: readonly CommandButton[], ...links: readonly Button[]) {
  const elements = [...buttons.map(commandButton).filter((button) => button !== undefined), ...links];
  return elements.length ? [{ type: "actions", elements } as const] : [];
}
