import { z } from "zod";
import type { EmailField } from "../../../commands/field.ts";
import { cut, limits } from "../../messages/message.ts";
import { type FieldKind, inputActionId, missing, problem, type Reading, value } from "../field-kind.ts";

export const emailKind: FieldKind<EmailField> = {
  usage: () => "<address>",
  example: () => "bob@example.com",
  fromLine: async (_field, words) => read(words.map((word) => word.value).join(" ")),
  draw: async (_field, { value: address, typed }) => {
    const text = (typeof address === "string" ? address : (typed ?? "")).trim();
    if (text === "" || isAddress(text))
      return {
        type: "email_text_input",
        action_id: inputActionId,
        ...(text ? { initial_value: text } : {}),
      };
    // Slack refuses a form whose e-mail input starts with something else than an address.
    return { type: "plain_text_input", action_id: inputActionId, initial_value: cut(text, limits.inputText) };
  },
  fromState: async (_field, state) => read(state.value ?? ""),
};

const isAddress = (text: string): boolean => z.email().max(limits.inputText).safeParse(text).success;

/** Slack sends a typed address as a link (PLATFORM.md §3.3). */
function read(text: string): Reading {
  const address = text.trim().replace(/^<mailto:([^|>]+)(?:\|[^>]*)?>$/, "$1");
  if (address === "") return missing;
  return isAddress(address) ? value(address) : problem(`“${address}” is not an e-mail address.`);
}
