import type { ActionsBlock } from "@slack/types";
import type { CommandContext } from "../../commands/command.ts";
import type { MomentField } from "../../commands/field.ts";
import { plainText } from "../fields/field-kind.ts";
import { quickMoment } from "../fields/kinds/moment.ts";

/** Buttons in a form that only redraw it. The value of a ready answer is its words. */
export const moreAction = "more";
export const quickAction = "quick";

export const moreRow: ActionsBlock = {
  type: "actions",
  elements: [{ type: "button", action_id: moreAction, text: plainText("More…"), value: moreAction }],
};

/** The ready answers that are still ahead. */
export function quickRow(
  name: string,
  { quick = [] }: MomentField,
  context: Pick<CommandContext, "actor" | "channelId" | "settings" | "now">,
  start: number | undefined,
): readonly ActionsBlock[] {
  const ahead = quick.filter(({ words }) => (quickMoment(words, context, start) ?? 0) > context.now);
  const elements = ahead.map(({ label, words }, index) => ({
    ...({ type: "button", action_id: `${quickAction}:${name}:${index}`, value: words } as const),
    text: plainText(label),
  }));
  return elements.length > 0 ? [{ type: "actions", elements }] : [];
}
