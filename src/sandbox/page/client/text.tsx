import type { ComponentChild } from "preact";
import { type Node, NodeType, parse } from "slack-message-parser";
import { objectAt, objectsIn, plainText } from "../../workspace/json-object.ts";
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
      return dateShown(formatDate(seconds, format, reader) ?? fallback, url);
    }
    case "link":
      return linkShown(segment.url, segment.label ?? segment.url.replace(/^(?:mailto|tel):/, ""));
    default:
      return segment satisfies never;
  }
}

/** A `rich_text` block, which Curfew uses for what is shown exactly. */
export function RichText({ block }: { readonly block: Json }) {
  const texts = objectsIn(block.elements).flatMap(({ elements }) => objectsIn(elements));
  return (
    <div>
      {texts.map((element) => (
        <pre>{plainText(element)}</pre>
      ))}
    </div>
  );
}

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
