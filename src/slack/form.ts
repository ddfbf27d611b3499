import type { KnownBlock, ModalView } from "@slack/types";
import { z } from "zod";
import type { Command, CommandContext } from "../commands/command.ts";
import type { Field } from "../commands/field.ts";
import { clip } from "./blocks/clip.ts";
import { limits } from "./blocks/limits.ts";
import { escapeMrkdwn, mrkdwn } from "./blocks/mrkdwn.ts";
import { plainText } from "./fields/field-kind.ts";
import { kindOf } from "./fields/field-kinds.ts";
import type { FieldsRead } from "./line/read-fields.ts";

export const formCallback = "command-form";

/** What a form must know when it comes back: whose form it is, and where its result goes. */
export const formMeta = z.strictObject({
  words: z.string(),
  channelId: z.string().nullable(),
  responseUrl: z.url().optional(),
});
export type FormMeta = z.infer<typeof formMeta>;

/** The form of a command: an input per field, block ids being the fields' names, filled with what is known and marked where it was wrong. */
export async function drawForm(
  command: Command,
  read: Pick<FieldsRead, "input" | "problems" | "typed">,
  meta: FormMeta,
  context: CommandContext,
): Promise<ModalView> {
  const proposed = command.kind === "change" ? await command.propose?.(read.input, context) : undefined;
  const input = { ...proposed, ...read.input };
  const blocks: KnownBlock[] = [];
  if (command.kind === "change" && command.confirms) {
    blocks.push({ type: "section", text: mrkdwn(`:warning: ${escapeMrkdwn(command.confirms)}`) });
  }
  for (const [name, field] of Object.entries<Field>(command.fields)) {
    const problem = read.problems[name];
    if (problem)
      blocks.push({
        type: "section",
        text: mrkdwn(`:warning: *${escapeMrkdwn(field.label)}*: ${escapeMrkdwn(clip(problem, 1000))}`),
      });
    blocks.push(await drawInput(name, field, { value: input[name], typed: read.typed[name] }, context));
  }
  return {
    type: "modal",
    callback_id: formCallback,
    title: plainText(command.title),
    submit: plainText(command.title),
    close: plainText("Cancel"),
    private_metadata: JSON.stringify(meta),
    blocks,
  };
}

async function drawInput(
  name: string,
  field: Field,
  shown: { readonly value: unknown; readonly typed: string | undefined },
  context: CommandContext,
): Promise<KnownBlock> {
  const hint = field.hint ?? zoneHint(field, context);
  return {
    type: "input",
    block_id: name,
    label: plainText(field.label),
    optional: field.optional ?? false,
    element: await kindOf(field).draw(field, shown, context),
    ...(hint ? { hint: plainText(hint) } : {}),
  };
}

/** Slack draws the picker in the person's own zone; this says which that is. */
function zoneHint(field: Field, { actor }: CommandContext): string | undefined {
  return field.kind === "moment" || field.kind === "extension" ? `In your time zone, ${actor.timeZone}` : undefined;
}

/** A view with no inputs: shown while a form is made ready, or in its place. */
export function noticeView(title: string, text: string): ModalView {
  return {
    type: "modal",
    title: plainText(clip(title, limits.viewTitle)),
    close: plainText("Close"),
    blocks: [{ type: "section", text: mrkdwn(clip(text, limits.sectionText)) }],
  };
}
