import { z } from "zod";
import type { EmailField } from "../../commands/field.ts";
import { cut } from "../blocks/clip.ts";
import { type FieldKind, inputActionId, missing, problem, type Reading, value } from "./field-kind.ts";

export const emailKind: FieldKind<EmailField> = {
  usage: () => "<address>",
  example: () => "bob@example.com",
  fromLine: async (_field, words) => read(words.map((word) => word.value).join(" ")),
  draw: async (_field, { value: address, typed }) => ({
    type: "email_text_input",
    action_id: inputActionId,
    ...(typeof address === "string" || typed ? { initial_value: cut(String(address ?? typed), 3000) } : {}),
  }),
  fromState: async (_field, state) => read(state.value ?? ""),
};

/** Slack sends a typed address as a link to it (platform.md §3.3). */
function read(text: string): Reading {
  const address = text.trim().replace(/^<mailto:([^|>]+)(?:\|[^>]*)?>$/, "$1");
  if (address === "") return missing;
  return z.email().safeParse(address).success ? value(address) : problem(`“${address}” is not an e-mail address.`);
}
