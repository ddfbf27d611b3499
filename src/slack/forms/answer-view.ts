import type { KnownBlock, ModalView } from "@slack/types";
import type { Command } from "../../commands/command.ts";
import { plainText } from "../fields/field-kind.ts";
import { clip, clipMrkdwn, limits, type Message, type Mrkdwn, mrkdwn } from "../messages/message.ts";
import type { FormMeta } from "./form-meta.ts";

/** An answer in a view: to a question on the Home tab, or to a button of a form. What is pressed in it has the same origin. */
export function answerView({ title }: Pick<Command, "title">, { blocks }: Message, meta: FormMeta): ModalView {
  return { ...plainView(title, blocks), private_metadata: JSON.stringify(meta) };
}

/** A view without inputs, shown while a form is prepared or instead of it. */
export function noticeView(title: string, text: Mrkdwn): ModalView {
  return plainView(title, [{ type: "section", text: mrkdwn(clipMrkdwn(text, limits.sectionText)) }]);
}

const plainView = (title: string, blocks: readonly KnownBlock[]): ModalView => ({
  type: "modal",
  title: plainText(clip(title, limits.viewTitle)),
  close: plainText("Close"),
  blocks: [...blocks],
});
