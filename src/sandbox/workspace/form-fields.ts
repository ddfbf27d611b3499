import { heldBy, placedElements } from "./blocks.ts";
import { isJsonObject, type JsonObject, objectAt, objectsIn, plainText, stringAt } from "./json-object.ts";
import { blocksOf, type ViewRecord, type WorkspaceState } from "./state.ts";
import { type ShownOption, shownOptions } from "./surfaces.ts";

/** The unique address of an element on its surface. */
export interface ElementPlace {
  readonly blockId: string;
  readonly actionId: string;
}

/** An element that holds a value. */
export interface FormField extends ElementPlace {
  readonly element: JsonObject;
  /** The most likely name a person would use. */
  readonly label: string;
  readonly otherNames: readonly string[];
  readonly isInput: boolean;
  readonly isOptional: boolean;
  /** Whether a change is sent to the app (PLATFORM.md §6.3). */
  readonly dispatches: boolean;
}

/** A button or an entry of an overflow menu. */
export interface Pressable extends ElementPlace {
  readonly element: JsonObject;
  /** Set for an entry of an overflow menu. */
  readonly option?: JsonObject;
  readonly text: string;
  readonly value: string | undefined;
}

export function formFields(blocks: readonly JsonObject[]): readonly FormField[] {
  return blocks.flatMap((block) => placedElements(block).flatMap(({ element }) => formField(block, element)));
}

function formField(block: JsonObject, element: JsonObject): readonly FormField[] {
  if (heldBy(element) === undefined) return [];
  const isInput = block.type === "input";
  const place = placeOf(block, element);
  const { blockId, actionId } = place;
  const names = [plainText(isInput ? block.label : block.text), plainText(element.placeholder), actionId, blockId];
  const [label = "", ...otherNames] = names.filter((name) => name !== "");
  const isOptional = block.optional === true;
  const dispatches = !isInput || block.dispatch_action === true;
  return [{ ...place, element, label, otherNames, isInput, isOptional, dispatches }];
}

const placeOf = (block: JsonObject, element: JsonObject): ElementPlace => ({
  blockId: stringAt(block.block_id) ?? "",
  actionId: stringAt(element.action_id) ?? "",
});

/** Finds a field by label, placeholder or id. Throws with the labels there are. */
export function fieldNamed(blocks: readonly JsonObject[], name: string): FormField {
  const fields = formFields(blocks);
  const field = fields.find((each) => each.label === name) ?? fields.find((each) => each.otherNames.includes(name));
  if (field !== undefined) return field;
  const known = fields.map((each) => `"${each.label}"`).join(", ");
  throw new Error(`There is no field "${name}" here. Fields: ${known || "none"}.`);
}

/** The one at this place. Throws when it is gone. */
export function atPlace<T extends ElementPlace>(items: readonly T[], { blockId, actionId }: ElementPlace): T {
  const item = items.find((each) => each.blockId === blockId && each.actionId === actionId);
  if (item === undefined) throw new Error("The element is no longer there.");
  return item;
}

export function pressables(blocks: readonly JsonObject[]): readonly Pressable[] {
  return blocks.flatMap((block) =>
    placedElements(block).flatMap(({ element }): readonly Pressable[] => {
      const base = { ...placeOf(block, element), element };
      if (element.type === "button")
        return [{ ...base, text: plainText(element.text), value: stringAt(element.value) }];
      if (element.type !== "overflow") return [];
      const options = objectsIn(element.options);
      return options.map((option) => ({
        ...base,
        option,
        text: plainText(option.text),
        value: stringAt(option.value),
      }));
    }),
  );
}

export interface ButtonHint {
  readonly actionId?: string;
  readonly value?: string;
}

/** The one button or overflow entry with this text. Throws when there is none, or several that the hint does not distinguish. */
export function findButton(blocks: readonly JsonObject[], text: string, { actionId, value }: ButtonHint): Pressable {
  const all = pressables(blocks);
  const matches = all.filter(
    (each) =>
      each.text === text &&
      (actionId === undefined || each.actionId === actionId) &&
      (value === undefined || each.value === value),
  );
  const [button] = matches;
  if (button !== undefined && matches.length === 1) return button;
  const shown = all.map((each) => `"${each.text}" (${each.actionId}, ${each.value ?? "no value"})`);
  const problem =
    button === undefined ? `There is no button "${text}"` : `There are ${matches.length} buttons "${text}"`;
  throw new Error(`${problem} among ${shown.join(", ") || "no buttons at all"}.`);
}

/** The client's own validation of an input (PLATFORM.md §7.4): a message when it is invalid. */
export function problemWith({ element, isOptional }: FormField, state: JsonObject | undefined): string | undefined {
  const value = state?.[heldBy(element)?.name ?? ""];
  const isEmpty = value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return isOptional ? undefined : "Please complete this required field.";
  if (typeof value !== "string") return undefined;
  switch (element.type) {
    case "plain_text_input":
      return problemWithLength(element, value);
    case "number_input":
      return problemWithNumber(element, value);
    case "email_text_input":
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : "Please enter a valid email address.";
    default:
      return undefined;
  }
}

function problemWithLength({ min_length = 0, max_length = 3000 }: JsonObject, text: string): string | undefined {
  if (text.length < Number(min_length)) return `Please use at least ${min_length} characters.`;
  return text.length > Number(max_length) ? `Please use at most ${max_length} characters.` : undefined;
}

function problemWithNumber({ is_decimal_allowed, min_value, max_value }: JsonObject, text: string): string | undefined {
  const isNumber = (is_decimal_allowed === true ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/).test(text);
  if (!isNumber) return is_decimal_allowed === true ? "Please enter a number." : "Please enter a whole number.";
  if (Number(text) < Number(min_value ?? text)) return `Please enter at least ${min_value}.`;
  return Number(text) > Number(max_value ?? text) ? `Please enter at most ${max_value}.` : undefined;
}

export type OpenView = ReturnType<typeof describeView>;

export function describeView({ id, hash, definition, state, errors }: ViewRecord) {
  const blocks = blocksOf(definition);
  const fields = formFields(blocks);
  const textOf = (text: unknown): string | null => (text === undefined ? null : plainText(text));
  return {
    id,
    callbackId: stringAt(definition.callback_id) ?? "",
    privateMetadata: stringAt(definition.private_metadata) ?? "",
    hash,
    title: plainText(definition.title),
    submit: textOf(definition.submit),
    close: textOf(definition.close),
    blocks,
    /** All text in the blocks, a line each. */
    text: shownText(blocks),
    fields: fields.map((field) => field.label),
    values: Object.fromEntries(
      fields.map(({ label, blockId, actionId }): readonly [string, JsonObject] => [
        label,
        objectAt(state[blockId]?.[actionId]),
      ]),
    ),
    /** Messages under inputs, by label. */
    errors: errorsByLabel(definition, errors),
    /** The same values and messages by block id. */
    state,
    blockErrors: errors,
  };
}

export function errorsByLabel(
  definition: JsonObject,
  errors: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const fields = formFields(blocksOf(definition));
  const label = (blockId: string): string => fields.find((field) => field.blockId === blockId)?.label ?? blockId;
  return Object.fromEntries(Object.entries(errors).map(([blockId, message]) => [label(blockId), message]));
}

/** Every text in blocks, a message or a view, in order, one per line. */
export function shownText(blocks: unknown): string {
  return textsIn(blocks).join("\n");
}

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "text" && typeof item === "string" ? [item] : textsIn(item),
  );
}

/** The input for a field: text, option texts, handles, `YYYY-MM-DD`, `HH:mm`; null clears it. */
export type Typed = string | readonly string[] | boolean | number | null;

interface TypedContext {
  readonly workspace: WorkspaceState;
  /** Loads the matching options of an external select. */
  readonly load: (query: string) => Promise<readonly ShownOption[]>;
  /** The options on the screen. When set, only these can be chosen, by value. */
  readonly offered?: readonly ShownOption[];
}

/** The state value that a client holds after this input (PLATFORM.md §7.6). */
export async function typedValue(element: JsonObject, typed: Typed, context: TypedContext): Promise<JsonObject> {
  const { type, timezone } = element;
  const { name = "value", untouched = null } = heldBy(element) ?? {};
  const zone = type === "timepicker" && timezone !== undefined ? { timezone } : {};
  if (name === "value" || name === "selected_time" || name === "selected_date_time")
    return { type, [name]: typed === null || typed === "" ? null : readers[name](typed), ...zone };
  const found = await Promise.all(wantedNames(element, typed).map((each) => choose(element, each, context)));
  if (untouched !== null) return { type, [name]: found };
  if (found.length > 1) throw new Error(`A ${type} takes one choice, not ${found.length}.`);
  return { type, [name]: found[0] ?? null };
}

const readers = {
  value: String,
  selected_time: (typed: Typed) => {
    if (typeof typed === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(typed)) return typed;
    throw notValid(typed);
  },
  selected_date_time: (typed: Typed) => {
    const seconds = typeof typed === "string" ? Date.parse(typed) / 1000 : Number(typed);
    if (Number.isInteger(seconds)) return seconds;
    throw notValid(typed);
  },
};

const notValid = (typed: Typed) => new Error(`${JSON.stringify(typed)} is not a valid date or time for this picker.`);

/** A boolean selects or clears every option. */
function wantedNames(element: JsonObject, typed: Typed): readonly string[] {
  if (typed === null || typed === "" || typed === false) return [];
  if (typed === true) return shownOptions(element).map((option) => option.text);
  const wanted = Array.isArray(typed) ? typed : [String(typed)];
  const max = element.max_selected_items;
  if (typeof max === "number" && wanted.length > max) throw new Error(`No more than ${max} can be chosen.`);
  return wanted;
}

async function choose(element: JsonObject, name: string, { workspace, load, offered }: TypedContext): Promise<unknown> {
  if (element.type === "users_select") return workspace.people.named(name).id;
  const isSearched = stringAt(element.type)?.endsWith("external_select") === true;
  const options = offered ?? (isSearched ? await searched(name, load) : shownOptions(element));
  const named = offered === undefined ? options.find((each) => each.text === name) : undefined;
  const option = named ?? options.find((each) => each.value === name);
  if (option !== undefined) return option.option;
  const shown = options.map((each) => `"${each.text}"`).join(", ");
  throw new Error(`There is no option "${name}". Options: ${shown || "none"}.`);
}

/** Searches by name, then without a query when that finds nothing. */
async function searched(name: string, load: TypedContext["load"]): Promise<readonly ShownOption[]> {
  const found = await load(name);
  return found.some((each) => each.text === name || each.value === name) ? found : load("");
}
