import { type JsonObject, objectAt, objectsIn, stringAt } from "../json-object.ts";
import { formatDate } from "./format-date.ts";
import type { Viewer } from "./viewer.ts";

/** Renders a `rich_text` block as lines (PLATFORM.md §8.5). */
export function richTextToText(block: JsonObject, viewer: Viewer): string {
  return objectsIn(block.elements)
    .map((element) => partToText(element, viewer))
    .join("\n");
}

function partToText(part: JsonObject, viewer: Viewer): string {
  const inline = (element: JsonObject): string =>
    objectsIn(element.elements)
      .map((each) => inlineToText(each, viewer))
      .join("");
  switch (part.type) {
    case "rich_text_preformatted":
      return prefixLines(inline(part), "    ");
    case "rich_text_quote":
      return prefixLines(inline(part), "> ");
    case "rich_text_list":
      return objectsIn(part.elements)
        .map((item, index) => `${bullet(part, index)} ${inline(item)}`)
        .join("\n");
    default:
      return inline(part).replace(/\n$/, "");
  }
}

function bullet({ style, indent, offset }: JsonObject, index: number): string {
  const start = typeof offset === "number" ? offset : 0;
  const margin = "  ".repeat(Math.min(typeof indent === "number" ? indent : 0, 8));
  return margin + (style === "ordered" ? `${start + index + 1}.` : "•");
}

function prefixLines(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => prefix + line)
    .join("\n");
}

function inlineToText(element: JsonObject, viewer: Viewer): string {
  const name = (key: string): string => viewer.nameOf(stringAt(element[key]) ?? "");
  switch (element.type) {
    case "text":
      return styled(stringAt(element.text) ?? "", objectAt(element.style));
    case "link":
      return linkToText(stringAt(element.url) ?? "", stringAt(element.text));
    case "emoji":
      return `:${stringAt(element.name) ?? ""}:`;
    case "user":
      return `@${name("user_id")}`;
    case "usergroup":
      return `@${name("usergroup_id")}`;
    case "channel":
      return `#${name("channel_id")}`;
    case "team":
      return name("team_id");
    case "broadcast":
      return `@${stringAt(element.range) ?? ""}`;
    case "date":
      return dateToText(element, viewer);
    default:
      return stringAt(element.value) ?? "";
  }
}

function styled(text: string, style: JsonObject): string {
  const marks = [
    ["code", "`"],
    ["strike", "~"],
    ["italic", "_"],
    ["bold", "*"],
  ] as const;
  return marks.reduce((marked, [name, mark]) => (style[name] === true ? mark + marked + mark : marked), text);
}

function linkToText(url: string, text: string | undefined): string {
  return text === undefined || text === "" || text === url ? url : `${text} (${url})`;
}

function dateToText({ timestamp, format, fallback }: JsonObject, viewer: Viewer): string {
  const seconds = typeof timestamp === "number" ? timestamp : Number.NaN;
  return formatDate(seconds, stringAt(format) ?? "", viewer, "rich_text") ?? stringAt(fallback) ?? "";
}
