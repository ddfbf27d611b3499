import { type ShownOption, shownOptions } from "../interactions/surfaces.ts";
import { type JsonObject, stringAt } from "../json-object.ts";
import type { WorkspaceState } from "../state/workspace-state.ts";
import { heldBy } from "../validate/state-values.ts";

/** The input for a field: text, option texts, handles, `YYYY-MM-DD`, `HH:mm`; null clears it. */
export type Typed = string | readonly string[] | boolean | number | null;

export interface TypedContext {
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
