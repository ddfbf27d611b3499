import { type JsonObject, objectAt, objectsIn, plainText, stringAt } from "../json-object.ts";
import { elementState, type StateValues } from "../validate/state-values.ts";
import { lengthOf, padTo, sideBySide } from "./columns.ts";
import { elementToText, textToText } from "./element-to-text.ts";
import { mrkdwnToText } from "./mrkdwn.ts";
import { richTextToText } from "./rich-text-to-text.ts";
import { oneLine } from "./strip-controls.ts";
import type { Viewer } from "./viewer.ts";

/** The context for rendering a surface: viewer, width, state and errors. */
export interface Drawing extends Viewer {
  readonly width: number;
  readonly state: StateValues;
  readonly errors: Readonly<Record<string, string>>;
}

export function blockToText(block: JsonObject, drawing: Drawing): string {
  switch (block.type) {
    case "header":
      return `*${oneLine(plainText(block.text))}*`;
    case "divider":
      return "─".repeat(drawing.width);
    case "section":
      return lines(
        block.text === undefined ? undefined : textToText(block.text, drawing),
        ...fieldLines(block, drawing),
        block.accessory === undefined ? undefined : draw(objectAt(block.accessory), block, drawing),
      );
    case "context":
      return objectsIn(block.elements)
        .map((each) => `· ${contextItem(each, drawing)}`)
        .join("  ");
    case "actions":
      return objectsIn(block.elements)
        .map((each) => draw(each, block, drawing))
        .join(" ");
    case "input":
      return inputToText(block, drawing);
    case "image":
      return lines(`[image: ${oneLine(stringAt(block.alt_text) ?? "")}]`, plainText(block.title) || undefined);
    case "markdown":
      return mrkdwnToText(stringAt(block.text) ?? "", drawing);
    case "rich_text":
      return richTextToText(block, drawing);
    case "table":
      return tableToText(block, drawing);
    default:
      return `[${stringAt(block.type) ?? "block"}]`;
  }
}

function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join("\n");
}

function draw(element: JsonObject, block: JsonObject, drawing: Drawing): string {
  const held = own(own(drawing.state, block.block_id) ?? {}, element.action_id);
  return elementToText(element, held ?? elementState(element) ?? {}, drawing);
}

function own<T>(record: Readonly<Record<string, T>>, id: unknown): T | undefined {
  return typeof id === "string" && Object.hasOwn(record, id) ? record[id] : undefined;
}

function fieldLines(section: JsonObject, drawing: Drawing): readonly string[] {
  const texts = objectsIn(section.fields).map((field) => textToText(field, drawing));
  const lefts = texts.filter((_, index) => index % 2 === 0);
  return lefts.map((left, row) => sideBySide(left, texts[row * 2 + 1] ?? "", drawing.width));
}

function contextItem(element: JsonObject, drawing: Drawing): string {
  return element.type === "image" ? elementToText(element, {}, drawing) : textToText(element, drawing);
}

function inputToText(block: JsonObject, drawing: Drawing): string {
  const error = own(drawing.errors, block.block_id);
  return lines(
    oneLine(plainText(block.label)) + (block.optional === true ? " (optional)" : ""),
    draw(objectAt(block.element), block, drawing),
    block.hint === undefined ? undefined : plainText(block.hint),
    error === undefined ? undefined : `! ${error}`,
  );
}

function tableToText(block: JsonObject, drawing: Drawing): string {
  const rows = (Array.isArray(block.rows) ? block.rows : []).map((row: unknown) =>
    objectsIn(row).map((cell) =>
      oneLine(cell.type === "rich_text" ? richTextToText(cell, drawing) : plainText(cell.text)),
    ),
  );
  const widths = new Map<number, number>();
  for (const row of rows) {
    for (const [column, text] of row.entries()) widths.set(column, Math.max(widths.get(column) ?? 0, lengthOf(text)));
  }
  return rows
    .map((row) =>
      row
        .map((text, column) => padTo(text, widths.get(column) ?? 0))
        .join(" │ ")
        .trimEnd(),
    )
    .join("\n");
}
