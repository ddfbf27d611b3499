import type { ComponentChild, ComponentChildren, JSX } from "preact";
import { type Node, NodeType, parse } from "slack-message-parser";
import { objectAt, objectsIn, plainText, stringAt } from "../../workspace/json-object.ts";
import { drawEmoji, formatDate, parseMrkdwn, type Segment, type Viewer } from "../../workspace/mrkdwn.ts";
import type { Json } from "../wire.ts";
import { useSession } from "./session.ts";

/** A `plain_text` or `mrkdwn` object. */
export function Text({ text }: { readonly text: unknown }) {
  const plain = plainText(text);
  if (objectAt(text).type === "mrkdwn") return <Mrkdwn text={plain} />;
  return plain === "" ? null : <p class="lines">{drawEmoji(plain)}</p>;
}

/**
 * A line is one flat list without fragments or components: Preact loses its place when it moves those among text that changes.
 * The library parses formatting, quotes and code; the workspace's own parser reads the tags (PLATFORM.md §10).
 */
export function Mrkdwn({ text }: { readonly text: string }) {
  const { reader } = useSession();
  const shown: ComponentChild[] = [];
  let line: ComponentChild[] = [];
  const endLine = () => {
    if (line.length > 0) shown.push(<p class="lines">{line}</p>);
    line = [];
  };
  for (const node of parse(text).children) {
    if (node.type === NodeType.Quote || node.type === NodeType.PreText) {
      endLine();
      const isQuote = node.type === NodeType.Quote;
      shown.push(isQuote ? <blockquote>{inside(node, reader)}</blockquote> : <pre>{tagged(node.text, reader)}</pre>);
    } else {
      line.push(...nodeShown(node, reader));
    }
  }
  endLine();
  return <>{shown}</>;
}

function nodeShown(node: Node, reader: Viewer): readonly ComponentChild[] {
  switch (node.type) {
    case NodeType.Bold:
      return [<strong>{inside(node, reader)}</strong>];
    case NodeType.Italic:
      return [<em>{inside(node, reader)}</em>];
    case NodeType.Strike:
      return [<s>{inside(node, reader)}</s>];
    case NodeType.Code:
    case NodeType.PreText:
      return [<code>{tagged(node.text, reader)}</code>];
    case NodeType.Quote:
    case NodeType.Root:
      return inside(node, reader);
    case NodeType.Emoji:
      return [emojiShown(node.source, node.name)];
    default:
      return tagged(node.source, reader);
  }
}

const inside = ({ children }: { readonly children: readonly Node[] }, reader: Viewer): ComponentChild[] =>
  children.flatMap((child) => nodeShown(child, reader));

const tagged = (text: string, reader: Viewer): ComponentChild[] =>
  parseMrkdwn(text).map((segment) => segmentShown(segment, reader));

function segmentShown(segment: Segment, reader: Viewer): ComponentChild {
  switch (segment.kind) {
    case "text":
      return segment.text;
    case "user":
    case "usergroup":
      return mention(`@${reader.nameOf(segment.id)}`);
    case "channel":
      return mention(`#${reader.nameOf(segment.id)}`);
    case "special":
      return mention(`@${segment.range}`);
    case "date": {
      const { seconds, format, fallback, url } = segment;
      return dateShown(formatDate(seconds, format, reader, "mrkdwn") ?? fallback, url);
    }
    case "link":
      return linkShown(segment.url, segment.label ?? segment.url.replace(/^(?:mailto|tel):/, ""));
    default:
      return segment satisfies never;
  }
}

/** A `rich_text` block (PLATFORM.md §8.5). */
export function RichText({ block }: { readonly block: Json }) {
  const { reader } = useSession();
  return (
    <div>
      {objectsIn(block.elements).map((part) => {
        const elements = objectsIn(part.elements);
        if (part.type === "rich_text_list") return listShown(part, elements, reader);
        const inline = inlines(elements, reader);
        if (part.type === "rich_text_preformatted") return <pre>{inline}</pre>;
        return part.type === "rich_text_quote" ? <blockquote>{inline}</blockquote> : <p class="lines">{inline}</p>;
      })}
    </div>
  );
}

function listShown({ style, indent, offset }: Json, elements: readonly Json[], reader: Viewer): ComponentChild {
  const items = elements.map((item) => <li>{inlines(objectsIn(item.elements), reader)}</li>);
  const level = `level-${Math.min(numberAt(indent), 8)}`;
  if (style !== "ordered") return <ul class={level}>{items}</ul>;
  return (
    <ol class={level} start={numberAt(offset) + 1}>
      {items}
    </ol>
  );
}

const inlines = (elements: readonly Json[], reader: Viewer): ComponentChildren =>
  elements.map((element) => styled(inlineShown(element, reader), objectAt(element.style)));

function inlineShown(element: Json, reader: Viewer): ComponentChild {
  const text = (key: string): string => stringAt(element[key]) ?? "";
  switch (element.type) {
    case "text":
      return text("text");
    case "link":
      return linkShown(text("url"), text("text") || text("url"));
    case "emoji":
      return emojiShown(`:${text("name")}:`, text("name"));
    case "user":
      return mention(`@${reader.nameOf(text("user_id"))}`);
    case "usergroup":
      return mention(`@${reader.nameOf(text("usergroup_id"))}`);
    case "channel":
      return mention(`#${reader.nameOf(text("channel_id"))}`);
    case "broadcast":
      return mention(`@${text("range")}`);
    case "date": {
      const shown = formatDate(numberAt(element.timestamp, Number.NaN), text("format"), reader, "rich_text");
      return dateShown(shown ?? text("fallback"), text("url"));
    }
    default:
      return "";
  }
}

const tags = { bold: "strong", italic: "em", strike: "s", code: "code", underline: "u" } as const;

function styled(shown: ComponentChild, style: Json): ComponentChild {
  const chosen = Object.entries(tags).filter(([name]) => style[name] === true);
  return chosen.reduceRight<ComponentChild>((inner, [, name]) => {
    const Tag: keyof JSX.IntrinsicElements = name;
    return <Tag>{inner}</Tag>;
  }, shown);
}

const numberAt = (value: unknown, fallback = 0): number => (typeof value === "number" ? value : fallback);

const mention = (text: string) => <span class="mention">{text}</span>;

const dateShown = (text: string, url: string | undefined) =>
  url ? linkShown(url, text) : <span class="date">{text}</span>;

/** An address with another scheme stays text, so that the page never links to it. */
function linkShown(url: string, text: string): ComponentChild {
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(url)) return text;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

/** An unknown emoji stays text. */
function emojiShown(source: string, name: string): ComponentChild {
  const drawn = drawEmoji(source);
  if (drawn === source) return source;
  return (
    <span role="img" aria-label={name.replaceAll("_", " ")} title={`:${name}:`}>
      {drawn}
    </span>
  );
}
