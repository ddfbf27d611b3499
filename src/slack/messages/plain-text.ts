import type { Button, KnownBlock } from "@slack/types";
import { z } from "zod";
import { asTyped } from "../fields/plain-letters.ts";
import { readAction } from "./button.ts";
import type { Message } from "./message.ts";
import { withoutLookalikes } from "./text.ts";

/** A message as text for somebody without Slack. People are named by `nameOf`, times as the message says them in words. */
export async function plainText(
  { blocks }: Message,
  nameOf: (slackUserId: string) => Promise<string | undefined>,
): Promise<string> {
  const lines = await Promise.all(
    blocks.flatMap(textsIn).map(async (text) => withoutMarks(await asTyped(text, nameOf))),
  );
  return lines.filter(Boolean).join("\n");
}

/** The texts in a block, with their marks. */
export function textsIn(block: KnownBlock): readonly string[] {
  switch (block.type) {
    case "section":
      return [...(block.text ? [block.text] : []), ...(block.fields ?? [])].map(({ text }) => text);
    case "context":
      return [block.elements.flatMap((each) => ("text" in each ? [each.text] : [])).join(" ")];
    case "header":
      return [block.text.text];
    case "rich_text":
      return [richText(block.elements)];
    default:
      return [];
  }
}

const withText = z.object({ text: z.string() });
const withElements = z.object({ elements: z.array(z.unknown()) });

/** The text at any depth. */
function richText(part: unknown): string {
  if (Array.isArray(part)) return part.map(richText).join("");
  const { data: inner } = withElements.safeParse(part);
  return withText.safeParse(part).data?.text ?? (inner ? richText(inner.elements) : "");
}

/** Dates as their fallback; signs, bold, escapes and look-alikes left out. */
export const withoutMarks = (text: string): string =>
  withoutLookalikes(
    text
      .replace(/<!date\^[^|>]*\|([^>]*)>/g, "$1")
      .replace(/<!subteam\^([A-Z0-9]+)[^>]*>/g, "@$1")
      .replace(/^:[a-z0-9_+-]+: ?/gm, "")
      .replace(/(^|[^\w*])\*([^*\n]+)\*(?!\w)/g, "$1$2")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&amp;/g, "&"),
  );

/** What a press of a button in a message does. */
export interface ShownChoice {
  readonly label: string;
  readonly command: string;
  readonly input: Record<string, unknown>;
}

/** What the buttons of a message run at once; forms are left out. */
export function choicesOn({ blocks }: Message): readonly ShownChoice[] {
  return blocks.flatMap((block) => {
    if (block.type !== "actions") return [];
    return block.elements.flatMap((each) => (each.type === "button" ? choiceOf(each) : []));
  });
}

const input = z.record(z.string(), z.unknown());

function choiceOf({ action_id, value = "{}", text }: Button): readonly ShownChoice[] {
  const action = readAction(action_id ?? "");
  if (action?.opens !== "result" || action.isAsking) return [];
  return [{ label: text.text, command: action.words, input: input.parse(JSON.parse(value)) }];
}
