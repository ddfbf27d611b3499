import { type JsonObject, objectAt, objectsIn, plainText, stringAt } from "../../workspace/json-object.ts";
import { drawEmoji } from "../../workspace/render/emoji.ts";
import type { DrawnBlock, DrawnElement, Rich } from "../wire.ts";
import type { DrawContext } from "./draw-context.ts";
import { drawElement, drawImage } from "./draw-element.ts";
import { drawMrkdwn, drawText, plainLine } from "./draw-mrkdwn.ts";
import { drawRichText } from "./draw-rich-text.ts";

export function drawBlocks(blocks: readonly JsonObject[], context: DrawContext): readonly DrawnBlock[] {
  return blocks.map((block, index) => ({
    ...drawBlock(block, context),
    id: stringAt(block.block_id) ?? `block-${index}`,
  }));
}

type Body<B = DrawnBlock> = B extends DrawnBlock ? Omit<B, "id"> : never;

function drawBlock(block: JsonObject, context: DrawContext): Body {
  const element = (value: unknown): DrawnElement => drawElement(objectAt(value), block, context);
  switch (block.type) {
    case "header":
      return { kind: "header", text: drawEmoji(plainText(block.text)) };
    case "divider":
      return { kind: "divider" };
    case "section": {
      const fields = objectsIn(block.fields).map((field) => drawText(field, context.viewer));
      const text = block.text === undefined ? [] : drawText(block.text, context.viewer);
      const accessory = block.accessory === undefined ? {} : { accessory: element(block.accessory) };
      return { kind: "section", text, fields, ...accessory };
    }
    case "context":
      return { kind: "context", items: objectsIn(block.elements).map((each) => contextItem(each, context)) };
    case "actions":
      return { kind: "actions", elements: objectsIn(block.elements).map(element) };
    case "input":
      return {
        kind: "input",
        label: drawEmoji(plainText(block.label)),
        hint: drawEmoji(plainText(block.hint)),
        error: context.errors[stringAt(block.block_id) ?? ""] ?? "",
        isOptional: block.optional === true,
        element: element(block.element),
      };
    case "image":
      return { kind: "image", image: drawImage(block) };
    case "rich_text":
      return { kind: "rich", text: drawRichText(block, context.viewer) };
    case "markdown":
      return { kind: "rich", text: drawMrkdwn(stringAt(block.text) ?? "", context.viewer) };
    case "table":
      return { kind: "table", rows: tableRows(block, context) };
    default:
      return { kind: "unknown", type: stringAt(block.type) ?? "block" };
  }
}

function contextItem(element: JsonObject, context: DrawContext) {
  return element.type === "image"
    ? drawImage(element)
    : { kind: "rich" as const, text: drawText(element, context.viewer) };
}

function tableRows({ rows }: JsonObject, { viewer }: DrawContext): readonly (readonly Rich[])[] {
  return (Array.isArray(rows) ? rows : []).map((row: unknown) =>
    objectsIn(row).map((cell) =>
      cell.type === "rich_text" ? drawRichText(cell, viewer) : plainLine(plainText(cell.text)),
    ),
  );
}
