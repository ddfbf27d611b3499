import { elementState } from "./blocks.ts";
import { type JsonObject, objectAt, objectsIn, plainText, type StateValues, stringAt } from "./json-object.ts";
import { formatDate, mrkdwnToText, stripControls, type Viewer } from "./mrkdwn.ts";

interface Drawing extends Viewer {
  readonly width: number;
  readonly state: StateValues;
  /** By block id. */
  readonly errors: Readonly<Record<string, string>>;
}

/** Renders the blocks for a terminal, or the text when there are none. */
export function messageToText(
  { text = "", blocks = [] }: { readonly text?: string | undefined; readonly blocks?: readonly unknown[] | undefined },
  viewer: Viewer & { readonly width?: number },
): string {
  const drawing: Drawing = { width: 80, ...viewer, state: {}, errors: {} };
  if (blocks.length === 0) return mrkdwnToText(text, drawing);
  return stripControls(lines(...objectsIn(blocks).map((block) => blockToText(block, drawing))));
}

interface ShownView extends Pick<Drawing, "state" | "errors"> {
  readonly title: string;
  readonly submit: string | null;
  readonly close: string | null;
  readonly blocks: readonly JsonObject[];
}

/** Renders a modal as a framed form: label, value or placeholder, hint and error of each input. */
export function viewToText(
  { title, submit, close, blocks, state, errors }: ShownView,
  { width = 80, ...viewer }: Viewer & { readonly width?: number },
): string {
  const drawing: Drawing = { ...viewer, width: width - 2, state, errors };
  const body = blocks.map((block) => stripControls(blockToText(block, drawing))).join("\n\n");
  const rows = body.split("\n").flatMap((line) => wrap(line, width - 2));
  const buttons = [close ?? "Cancel", ...(submit === null ? [] : [submit])].map((label) => `[ ${oneLine(label)} ]`);
  const frame = [
    rule("┌", oneLine(title), width),
    ...rows.map((row) => `│ ${row}`.trimEnd()),
    rule("└", buttons.join(" "), width),
  ];
  return stripControls(frame.join("\n"));
}

function rule(corner: string, text: string, width: number): string {
  return `${corner}─ ${text} `.padEnd(width, "─");
}

/** Lines of at most `width` characters, broken between words where possible. */
function wrap(line: string, width: number): readonly string[] {
  const characters = Array.from(line);
  if (characters.length <= width) return [line];
  const space = characters.slice(0, width + 1).lastIndexOf(" ");
  const end = space > 0 ? space : width;
  const rest = characters.slice(space > 0 ? end + 1 : end).join("");
  return [characters.slice(0, end).join(""), ...wrap(rest, width)];
}

function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join("\n");
}

const oneLine = (text: unknown): string => stripControls(plainText(text).replaceAll(/\s*\n\s*/g, " "));

function blockToText(block: JsonObject, drawing: Drawing): string {
  const draw = (element: unknown): string => elementToText(objectAt(element), block, drawing);
  switch (block.type) {
    case "header":
      return `*${oneLine(block.text)}*`;
    case "divider":
      return "─".repeat(drawing.width);
    case "section":
      return lines(
        block.text === undefined ? undefined : textToText(block.text, drawing),
        ...objectsIn(block.fields).map((field) => textToText(field, drawing)),
        block.accessory === undefined ? undefined : draw(block.accessory),
      );
    case "context":
      return objectsIn(block.elements)
        .map((each) => `· ${textToText(each, drawing)}`)
        .join("  ");
    case "actions":
      return objectsIn(block.elements).map(draw).join(" ");
    case "input": {
      const error = own(drawing.errors, block.block_id);
      return lines(
        oneLine(block.label) + (block.optional === true ? " (optional)" : ""),
        draw(block.element),
        block.hint === undefined ? undefined : plainText(block.hint),
        error === undefined ? undefined : `! ${error}`,
      );
    }
    case "rich_text":
      return objectsIn(block.elements)
        .flatMap(({ elements }) => objectsIn(elements))
        .map((element) => plainText(element).replaceAll(/^/gm, "    "))
        .join("\n");
    default:
      return `[${stringAt(block.type) ?? "block"}]`;
  }
}

function own<T>(record: Readonly<Record<string, T>>, id: unknown): T | undefined {
  return typeof id === "string" && Object.hasOwn(record, id) ? record[id] : undefined;
}

/** Renders a `plain_text` or `mrkdwn` object. */
function textToText(text: unknown, viewer: Viewer): string {
  return objectAt(text).type === "mrkdwn" ? mrkdwnToText(plainText(text), viewer) : plainText(text);
}

/** Renders a button, menu or input with its value (PLATFORM.md §7.6). */
function elementToText(element: JsonObject, block: JsonObject, drawing: Drawing): string {
  const type = stringAt(element.type) ?? "";
  const ofBlock = own(drawing.state, block.block_id) ?? {};
  const state = own(ofBlock, element.action_id) ?? elementState(element) ?? {};
  const value = heldValue(state, drawing);
  switch (type) {
    case "button":
      return `[ ${oneLine(element.text)} ]`;
    case "overflow":
      return `[ ⋯ ${objectsIn(element.options)
        .map(({ text }) => oneLine(text))
        .join(" / ")} ]`;
    case "checkboxes":
      return ticks(element, objectsIn(state.selected_options), ["[x]", "[ ]"], drawing);
    case "radio_buttons":
      return ticks(element, [objectAt(state.selected_option)], ["(•)", "( )"], drawing);
    default:
      if (!type.endsWith("_input")) return `[ ${oneLine(value) || oneLine(element.placeholder) || "Choose…"} ▾ ]`;
      if (value !== "") return `[ ${value} ]`;
      return element.placeholder === undefined ? "[ ]" : `[ ‹${oneLine(element.placeholder)}› ]`;
  }
}

function ticks(
  element: JsonObject,
  chosen: readonly JsonObject[],
  [on, off]: readonly [string, string],
  viewer: Viewer,
): string {
  const values = new Set(chosen.map(({ value }) => value));
  const options = objectsIn(element.options).map(({ text, value, description }) => {
    const more = description === undefined ? "" : ` — ${textToText(description, viewer)}`;
    return oneLine(`${values.has(value) ? on : off} ${textToText(text, viewer)}${more}`);
  });
  return options.join("\n");
}

function heldValue(state: JsonObject, viewer: Viewer): string {
  const { value, selected_option, selected_options, selected_user, selected_time, selected_date_time } = state;
  const options = objectsIn(selected_options ?? [selected_option]).map(({ text }) => oneLine(text));
  if (options.length > 0) return options.join(", ");
  if (typeof selected_user === "string") return `@${viewer.nameOf(selected_user)}`;
  if (typeof selected_date_time === "number") return formatDate(selected_date_time, "{date_num} {time}", viewer) ?? "";
  return stringAt(value) ?? stringAt(selected_time) ?? "";
}
