import { type ShownOption, shownOptions } from "../interactions/load-options.ts";
import { type JsonObject, stringAt } from "../json-object.ts";
import type { WorkspaceState } from "../state/workspace-state.ts";

/** The input for a field: text, option texts, handles, channel names, `YYYY-MM-DD`, `HH:mm`; null clears it. */
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
  const type = String(element.type);
  const isMany = type.startsWith("multi_") || type === "checkboxes";
  if (type.endsWith("_input") && type !== "rich_text_input")
    return { type, value: typed === null || typed === "" ? null : String(typed) };
  if (type === "rich_text_input") return { type, rich_text_value: richText(String(typed ?? "")) };
  if (type.endsWith("picker")) return { type, ...pickedTime(element, typed) };
  const wanted = wantedNames(element, typed);
  const found = await Promise.all(wanted.map((name) => choose(element, name, context)));
  if (isMany) return { type, [manyKeys[type] ?? "selected_options"]: found };
  if (found.length > 1) throw new Error(`A ${type} takes one choice, not ${found.length}.`);
  return { type, [singleKeys[type] ?? "selected_option"]: found[0] ?? null };
}

const singleKeys: Readonly<Record<string, string>> = {
  users_select: "selected_user",
  conversations_select: "selected_conversation",
  channels_select: "selected_channel",
};

const manyKeys: Readonly<Record<string, string>> = {
  multi_users_select: "selected_users",
  multi_conversations_select: "selected_conversations",
  multi_channels_select: "selected_channels",
};

/** A boolean selects or clears every option. */
function wantedNames(element: JsonObject, typed: Typed): readonly string[] {
  if (typed === null || typed === "" || typed === false) return [];
  if (typed === true) return shownOptions(element).map((option) => option.text);
  const wanted = Array.isArray(typed) ? typed : [String(typed)];
  const max = element.max_selected_items;
  if (typeof max === "number" && wanted.length > max) throw new Error(`No more than ${max} can be chosen.`);
  return wanted;
}

async function choose(element: JsonObject, name: string, context: TypedContext): Promise<unknown> {
  const { workspace, load, offered } = context;
  const kind = String(element.type).replace(/^multi_/, "");
  if (kind === "users_select") return workspace.people.named(name).id;
  if (kind === "conversations_select" || kind === "channels_select") return chooseChannel(kind, name, workspace);
  const options = offered ?? (kind === "external_select" ? await searched(name, load) : shownOptions(element));
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

function chooseChannel(kind: string, name: string, workspace: WorkspaceState): string {
  const channel = workspace.channels.named(name);
  if (kind === "channels_select" && channel.kind !== "public")
    throw new Error(`#${name} is not public, and this select offers only public channels.`);
  return channel.id;
}

function pickedTime(element: JsonObject, typed: Typed): JsonObject {
  if (element.type === "datetimepicker") return { selected_date_time: typed === null ? null : wholeSeconds(typed) };
  const zone = stringAt(element.timezone);
  if (element.type === "datepicker") return { selected_date: matching(typed, /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])$/) };
  const timezone = zone === undefined ? {} : { timezone: zone };
  return { selected_time: matching(typed, /^([01]\d|2[0-3]):[0-5]\d$/), ...timezone };
}

function matching(typed: Typed, shape: RegExp): string | null {
  if (typed === null || typed === "") return null;
  if (typeof typed !== "string" || !shape.test(typed))
    throw new Error(`${JSON.stringify(typed)} is not a valid date or time for this picker.`);
  return typed;
}

function wholeSeconds(typed: Typed): number {
  const seconds = typeof typed === "string" ? Date.parse(typed) / 1000 : Number(typed);
  if (!Number.isInteger(seconds))
    throw new Error(`${JSON.stringify(typed)} is not a valid date or time for this picker.`);
  return seconds;
}

function richText(text: string): JsonObject {
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements: [{ type: "text", text }] }] };
}
