import { z } from "zod";
import type { EmailField } from "../../../commands/field.ts";
import { clip, limits } from "../../messages/message.ts";
import { type FieldKind, inputActionId, missing, plainText, problem, type Reading, value } from "../field-kind.ts";

export const emailKind: FieldKind<EmailField> = {
  usage: () => "<address>",
  example: () => "bob@example.com",
  fromLine: async (_field, words) => read(words.map((word) => word.value).join(" ")),
  draw: async (_field, { value: address, typed }) => ({
    type: "email_text_input",
    action_id: inputActionId,
    ...start(typeof address === "string" ? address : (typed ?? "")),
  }),
  fromState: async (_field, state) => read(state.value ?? ""),
};

/** Slack refuses a form whose e-mail input starts with something else than an address, so that stands in the placeholder. */
function start(text: string): { initial_value?: string; placeholder?: ReturnType<typeof plainText> } {
  if (text.trim() === "") return {};
  return isAddress(text) ? { initial_value: text } : { placeholder: plainText(clip(text.trim(), maxPlaceholder)) };
}

const maxPlaceholder = 150;
const isAddress = (text: string): boolean => z.email().max(limits.inputText).safeParse(text).success;

/** Slack sends a typed address as a link (PLATFORM.md §3.3). */
function read(text: string): Reading {
  const address = text.trim().replace(/^<mailto:([^|>]+)(?:\|[^>]*)?>$/, "$1");
  if (address === "") return missing;
  return isAddress(address) ? value(address) : problem(`“${address}” is not an e-mail address.`);
}
