import type { Button } from "@slack/types";
import type { CommandButton } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { plainText } from "../fields/field-kind.ts";
import { clip, limits } from "./message.ts";

/** The action id says what a press does: open a command's form, or run the command. */
export const formAction = "form";
export const runAction = "run";

/** A button for a command, with a confirmation where the command has one. Undefined when its input does not fit into a button. */
export function commandButton({ label, words, opens, input }: CommandButton): Button | undefined {
  const value = JSON.stringify(input);
  if (value.length > limits.buttonValue) return undefined;
  const command = commandOf(words);
  const warning = command?.kind === "query" ? undefined : command?.confirms;
  return {
    type: "button",
    action_id: `${opens === "form" ? formAction : runAction}:${words}:${label.toLowerCase()}`,
    text: plainText(clip(label, limits.buttonText)),
    value,
    ...(opens === "result" && warning
      ? { style: words === "approve" ? "primary" : "danger", confirm: confirmation(label, warning) }
      : {}),
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

export function buttonRow(buttons: readonly CommandButton[]) {
  const elements = buttons.map(commandButton).filter((button) => button !== undefined);
  return elements.length ? [{ type: "actions", elements } as const] : [];
}
