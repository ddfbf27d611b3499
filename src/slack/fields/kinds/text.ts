import type { TextField } from "../../../commands/field.ts";
import { ticketWords } from "../../../commands/required-fields.ts";
import { type TicketForm, ticketIn } from "../../../permissions/requirements.ts";
import { cut } from "../../messages/message.ts";
import { type FieldKind, inputActionId, missing, problem, type Reading, value } from "../field-kind.ts";
import { asTyped } from "../plain-letters.ts";

export const textKind: FieldKind<TextField> = {
  usage: ({ label, positional }) => `<${label.toLowerCase()}${positional === "rest" ? "…" : ""}>`,
  example: ({ label, positional }) => (positional === "rest" ? label.toLowerCase() : quoted(label.toLowerCase())),
  fromLine: async (field, words, { nameOf }) =>
    read(field, await asTyped(words.map((word) => word.value).join(" "), nameOf, field.keepsMentions)),
  draw: async (field, { value: text, typed }) => ({
    type: "plain_text_input",
    action_id: inputActionId,
    max_length: field.maxLength,
    multiline: field.multiline ?? false,
    ...initial(text ?? typed, field),
  }),
  fromState: async (field, state) => read(field, state.value ?? ""),
};

const quoted = (text: string): string => (text.includes(" ") ? `"${text}"` : text);

function read({ maxLength, ticket }: TextField, text: string): Reading {
  const trimmed = text.trim();
  if (trimmed === "") return missing;
  if (ticket) return readTicket(ticket, trimmed);
  if (trimmed.length <= maxLength) return value(trimmed);
  return problem(`That is ${lengthWords(trimmed)}; at most ${maxLength} are allowed.`);
}

function readTicket(form: TicketForm, text: string): Reading {
  const ticket = ticketIn(form, text);
  return ticket === undefined ? problem(`This needs ${ticketWords(form.pattern)}.`) : value(ticket);
}

/** Counts characters as a person sees them, and says which count twice toward the limit (surrogate pairs). */
function lengthWords(text: string): string {
  const visible = [...text].length;
  const double = text.length - visible;
  return `${visible} characters${double > 0 ? `, of which ${double} ${double === 1 ? "counts" : "count"} twice` : ""}`;
}

function initial(text: unknown, { maxLength }: TextField): { initial_value?: string } {
  return typeof text === "string" && text !== "" ? { initial_value: cut(text, maxLength) } : {};
}
