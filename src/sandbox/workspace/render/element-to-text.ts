import { type JsonObject, objectAt, objectsIn, plainText, stringAt, stringsIn } from "../json-object.ts";
import { formatDate } from "./format-date.ts";
import { mrkdwnToText } from "./mrkdwn.ts";
import { richTextToText } from "./rich-text-to-text.ts";
import { oneLine } from "./strip-controls.ts";
import type { Viewer } from "./viewer.ts";

/** Renders a button, menu or input with its value (PLATFORM.md §7.6). */
export function elementToText(element: JsonObject, state: JsonObject, viewer: Viewer): string {
  const type = stringAt(element.type) ?? "";
  switch (type) {
    case "button":
    case "workflow_button":
      return `[ ${label(element.text)} ]`;
    case "overflow":
      return `[ ⋯ ${objectsIn(element.options)
        .map(({ text }) => label(text))
        .join(" / ")} ]`;
    case "image":
      return `[image: ${label(element.alt_text)}]`;
    case "checkboxes":
      return ticks(element, objectsIn(state.selected_options), ["[x]", "[ ]"], viewer);
    case "radio_buttons":
      return ticks(element, [objectAt(state.selected_option)], ["(•)", "( )"], viewer);
    default:
      return type.endsWith("_input") ? typedInput(element, state, viewer) : menu(element, state, viewer);
  }
}

/** Renders a `plain_text` or `mrkdwn` object. */
export function textToText(text: unknown, viewer: Viewer): string {
  return objectAt(text).type === "mrkdwn" ? mrkdwnToText(plainText(text), viewer) : plainText(text);
}

function label(text: unknown): string {
  return oneLine(plainText(text));
}

function ticks(
  element: JsonObject,
  chosen: readonly JsonObject[],
  marks: readonly [string, string],
  viewer: Viewer,
): string {
  const values = new Set(chosen.map(({ value }) => value));
  const lines = objectsIn(element.options).map(({ text, value, description }) => {
    const more = description === undefined ? "" : ` — ${textToText(description, viewer)}`;
    return oneLine(`${values.has(value) ? marks[0] : marks[1]} ${textToText(text, viewer)}${more}`);
  });
  return lines.join("\n");
}

function typedInput(element: JsonObject, state: JsonObject, viewer: Viewer): string {
  const value = heldValue(state, viewer);
  if (value !== "") return `[ ${value} ]`;
  return element.placeholder === undefined ? "[ ]" : `[ ‹${label(element.placeholder)}› ]`;
}

function menu(element: JsonObject, state: JsonObject, viewer: Viewer): string {
  const value = oneLine(heldValue(state, viewer));
  return `[ ${value || label(element.placeholder) || "Choose…"} ▾ ]`;
}

function heldValue(state: JsonObject, viewer: Viewer): string {
  return Object.entries(state)
    .map(([name, value]) => readers.get(name)?.(value, viewer) ?? "")
    .filter((text) => text !== "")
    .join(" ");
}

type Reader = (value: unknown, viewer: Viewer) => string;

const readers = new Map<string, Reader>(
  Object.entries({
    value: (value) => stringAt(value) ?? "",
    rich_text_value: (value, viewer) => richTextToText(objectAt(value), viewer),
    selected_option: (option) => label(objectAt(option).text),
    selected_options: (options) =>
      objectsIn(options)
        .map(({ text }) => label(text))
        .join(", "),
    selected_user: named("@"),
    selected_users: named("@"),
    selected_conversation: named("#"),
    selected_conversations: named("#"),
    selected_channel: named("#"),
    selected_channels: named("#"),
    selected_date: (date) => stringAt(date) ?? "",
    selected_time: (time) => stringAt(time) ?? "",
    selected_date_time: (seconds, viewer) =>
      typeof seconds === "number" ? (formatDate(seconds, "{date_num} {time}", viewer, "mrkdwn") ?? "") : "",
    files: (files) =>
      objectsIn(files)
        .map(({ name }) => label(name))
        .join(", "),
  } satisfies Readonly<Record<string, Reader>>),
);

function named(sign: "@" | "#"): Reader {
  return (value, viewer) => {
    const ids = typeof value === "string" ? [value] : stringsIn(value);
    return ids.map((id) => sign + viewer.nameOf(id)).join(", ");
  };
}
