import { type Node, NodeType, parse } from "slack-message-parser";
import { objectAt, plainText } from "../../workspace/json-object.ts";
import { drawEmoji } from "../../workspace/render/emoji.ts";
import { formatDate } from "../../workspace/render/format-date.ts";
import { parseMrkdwn, type Segment } from "../../workspace/render/mrkdwn.ts";
import type { Viewer } from "../../workspace/render/viewer.ts";
import type { Inline, Paragraph, Rich, TextStyle } from "../wire.ts";

type Styles = readonly TextStyle[];

/** The library parses formatting, quotes and code; the workspace's own parser reads the tags (PLATFORM.md §10). */
export function drawMrkdwn(text: string, viewer: Viewer): Rich {
  const paragraphs: Paragraph[] = [];
  let line: Inline[] = [];
  const endLine = (): void => {
    if (line.length > 0) paragraphs.push({ kind: "lines", parts: line });
    line = [];
  };
  for (const node of parse(text).children) {
    if (node.type === NodeType.Quote || node.type === NodeType.PreText) {
      endLine();
      paragraphs.push(blockOf(node, viewer));
    } else {
      line.push(...inlinesOf(node, [], viewer));
    }
  }
  endLine();
  return paragraphs;
}

/** Draws a `plain_text` or `mrkdwn` object. */
export function drawText(text: unknown, viewer: Viewer): Rich {
  const isFormatted = objectAt(text).type === "mrkdwn";
  return isFormatted ? drawMrkdwn(plainText(text), viewer) : plainLine(drawEmoji(plainText(text)));
}

/** Text without formatting. */
export function plainLine(text: string): Rich {
  return text === "" ? [] : [{ kind: "lines", parts: [inline("text", text)] }];
}

export function inline(kind: Inline["kind"], text: string, styles: Styles = []): Inline {
  return { kind, text, styles };
}

function blockOf(node: Node, viewer: Viewer): Paragraph {
  if (node.type === NodeType.PreText) return { kind: "preformatted", parts: tagged(node.text, [], viewer) };
  const children = "children" in node ? node.children : [];
  return { kind: "quote", parts: children.flatMap((child) => inlinesOf(child, [], viewer)) };
}

function inlinesOf(node: Node, styles: Styles, viewer: Viewer): readonly Inline[] {
  switch (node.type) {
    case NodeType.Bold:
      return node.children.flatMap((child) => inlinesOf(child, [...styles, "bold"], viewer));
    case NodeType.Italic:
      return node.children.flatMap((child) => inlinesOf(child, [...styles, "italic"], viewer));
    case NodeType.Strike:
      return node.children.flatMap((child) => inlinesOf(child, [...styles, "strike"], viewer));
    case NodeType.Code:
    case NodeType.PreText:
      return tagged(node.text, [...styles, "code"], viewer);
    case NodeType.Quote:
    case NodeType.Root:
      return node.children.flatMap((child) => inlinesOf(child, styles, viewer));
    case NodeType.Emoji:
      return [emojiOf(node.source, node.name, styles)];
    default:
      return tagged(node.source, styles, viewer);
  }
}

/** An unknown emoji stays text. */
export function emojiOf(source: string, name: string, styles: Styles): Inline {
  const drawn = drawEmoji(source);
  return drawn === source ? inline("text", source, styles) : { ...inline("emoji", drawn, styles), name };
}

function tagged(text: string, styles: Styles, viewer: Viewer): readonly Inline[] {
  return parseMrkdwn(text).map((segment) => segmentOf(segment, styles, viewer));
}

function segmentOf(segment: Segment, styles: Styles, viewer: Viewer): Inline {
  switch (segment.kind) {
    case "text":
      return inline("text", segment.text, styles);
    case "user":
    case "usergroup":
      return inline("mention", `@${viewer.nameOf(segment.id)}`, styles);
    case "channel":
      return inline("mention", `#${viewer.nameOf(segment.id)}`, styles);
    case "special":
      return inline("mention", `@${segment.range}`, styles);
    case "date": {
      const shown = formatDate(segment.seconds, segment.format, viewer, "mrkdwn") ?? segment.fallback;
      const date = inline("date", shown, styles);
      return segment.url === undefined ? date : { ...date, url: segment.url };
    }
    case "link":
      return {
        ...inline("link", segment.label ?? segment.url.replace(/^(?:mailto|tel):/, ""), styles),
        url: segment.url,
      };
    default:
      return segment satisfies never;
  }
}
