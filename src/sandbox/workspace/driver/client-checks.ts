import type { JsonObject } from "../json-object.ts";
import { blocksOf, type ViewRecord } from "../state/views.ts";
import { type FormField, formFields } from "./form-fields.ts";

/** The client's own form validation (PLATFORM.md §7.4): a message by block id for each invalid input. */
export function clientChecks(view: ViewRecord): Readonly<Record<string, string>> {
  const problems = formFields(blocksOf(view.definition))
    .filter((field) => field.isInput)
    .flatMap((field) => {
      const problem = problemWith(field, view.state[field.blockId]?.[field.actionId]);
      return problem === undefined ? [] : [[field.blockId, problem] as const];
    });
  return Object.fromEntries(problems);
}

function problemWith({ element, isOptional }: FormField, state: JsonObject | undefined): string | undefined {
  const { type: _type, timezone: _timezone, ...values } = state ?? {};
  const [value] = Object.values(values);
  const isEmpty = value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return isOptional ? undefined : "Please complete this required field.";
  return typeof value === "string" ? problemWithText(element, value) : undefined;
}

function problemWithText(element: JsonObject, text: string): string | undefined {
  switch (element.type) {
    case "plain_text_input":
      return problemWithLength(element, text);
    case "number_input":
      return problemWithNumber(element, text);
    case "email_text_input":
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? undefined : "Please enter a valid email address.";
    case "url_text_input":
      return URL.canParse(text) ? undefined : "Please enter a valid URL.";
    default:
      return undefined;
  }
}

function problemWithLength({ min_length, max_length }: JsonObject, text: string): string | undefined {
  if (typeof min_length === "number" && text.length < min_length)
    return `Please use at least ${min_length} characters.`;
  const max = typeof max_length === "number" ? max_length : 3000;
  return text.length > max ? `Please use at most ${max} characters.` : undefined;
}

function problemWithNumber({ is_decimal_allowed, min_value, max_value }: JsonObject, text: string): string | undefined {
  const isNumber = (is_decimal_allowed === true ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/).test(text);
  if (!isNumber) return is_decimal_allowed === true ? "Please enter a number." : "Please enter a whole number.";
  if (typeof min_value === "string" && Number(text) < Number(min_value)) return `Please enter at least ${min_value}.`;
  return typeof max_value === "string" && Number(text) > Number(max_value)
    ? `Please enter at most ${max_value}.`
    : undefined;
}
