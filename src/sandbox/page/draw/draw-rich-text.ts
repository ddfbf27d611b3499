import { type JsonObject, objectAt, objectsIn, stringAt } from "../../workspace/json-object.ts";
import { formatDate } from "../../workspace/render/format-date.ts";
import type { Viewer } from "../../workspace/render/viewer.ts";
import type { Inline, Paragraph, Rich, TextStyle } from "../wire.ts";
import { emojiOf, inline } from "./draw-mrkdwn.ts";

/** Draws a `rich_text` block (PLATFORM.md §8.5). */
export function drawRichText(block: JsonObject, viewer: Viewer): Rich {
  return objectsIn(block.elements).map((part) => paragraphOf(part, viewer));
}

function paragraphOf(part: JsonObject, viewer: Viewer): Paragraph {
  const parts = objectsIn(part.elements);
  switch (part.type) {
    case "rich_text_preformatted":
      return { kind: "preformatted", parts: inlines(parts, viewer) };
    case "rich_text_quote":
      return { kind: "quote", parts: inlines(parts, viewer) };
    case "rich_text_list":
      return {
        kind: "list",
        isOrdered: part.style === "ordered",
        indent: numberAt(part.indent),
        start: numberAt(part.offset) + 1,
        items: parts.map((item) => inlines(objectsIn(item.elements), viewer)),
      };
    default:
      return { kind: "lines", parts: inlines(parts, viewer) };
  }
}

function inlines(elements: readonly JsonObject[], viewer: Viewer): readonly Inline[] {
  return elements.map((element) => inlineOf(element, stylesOf(objectAt(element.style)), viewer));
}

function inlineOf(element: JsonObject, styles: readonly TextStyle[], viewer: Viewer): Inline {
  const text = (key: string): string => stringAt(element[key]) ?? "";
  switch (element.type) {
    case "text":
      return inline("text", text("text"), styles);
    case "link":
      return linked(inline("link", text("text") || text("url"), styles), text("url"));
    case "emoji":
      return emojiOf(`:${text("name")}:`, text("name"), styles);
    case "user":
      return inline("mention", `@${viewer.nameOf(text("user_id"))}`, styles);
    case "usergroup":
      return inline("mention", `@${viewer.nameOf(text("usergroup_id"))}`, styles);
    case "channel":
      return inline("mention", `#${viewer.nameOf(text("channel_id"))}`, styles);
    case "broadcast":
      return inline("mention", `@${text("range")}`, styles);
    case "date": {
      const shown = formatDate(numberAt(element.timestamp, Number.NaN), text("format"), viewer, "rich_text");
      return linked(inline("date", shown ?? text("fallback"), styles), text("url"));
    }
    default:
      return inline("text", text("value") || viewer.nameOf(text("team_id")), styles);
  }
}

/** A URL with any other scheme stays text, so that the page never links to it. */
function linked(drawn: Inline, url: string): Inline {
  if (/^(?:https?:\/\/|mailto:|tel:)/i.test(url)) return { ...drawn, url };
  return drawn.kind === "link" ? { ...drawn, kind: "text" } : drawn;
}

const styleNames = ["bold", "italic", "strike", "code", "underline"] as const;

function stylesOf(style: JsonObject): readonly TextStyle[] {
  return styleNames.filter((name) => style[name] === true);
}

function numberAt(value: unknown, fallback = 0): number {
  return typeof value === "number" ? value : fallback;
}
