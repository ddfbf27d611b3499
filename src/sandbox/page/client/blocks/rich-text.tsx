import type { ComponentChildren, JSX } from "preact";
import type { Inline, Paragraph, Rich, TextStyle } from "../../wire.ts";

export function RichText({ text }: { readonly text: Rich }) {
  return (
    <>
      {text.map((paragraph, index) => (
        <ParagraphText key={index} paragraph={paragraph} />
      ))}
    </>
  );
}

function ParagraphText({ paragraph }: { readonly paragraph: Paragraph }) {
  if (paragraph.kind === "list") return <List list={paragraph} />;
  const parts = <Inlines parts={paragraph.parts} />;
  if (paragraph.kind === "quote") return <blockquote>{parts}</blockquote>;
  if (paragraph.kind === "preformatted") return <pre>{parts}</pre>;
  return <p class="lines">{parts}</p>;
}

function List({ list }: { readonly list: Extract<Paragraph, { kind: "list" }> }) {
  const items = list.items.map((parts, index) => (
    <li key={index}>
      <Inlines parts={parts} />
    </li>
  ));
  const level = `level-${Math.min(list.indent, 8)}`;
  return list.isOrdered ? (
    <ol class={level} start={list.start}>
      {items}
    </ol>
  ) : (
    <ul class={level}>{items}</ul>
  );
}

function Inlines({ parts }: { readonly parts: readonly Inline[] }) {
  return (
    <>
      {parts.map((part, index) => (
        <Styled key={index} styles={part.styles}>
          <InlineText part={part} />
        </Styled>
      ))}
    </>
  );
}

const tags: Readonly<Record<TextStyle, keyof JSX.IntrinsicElements>> = {
  bold: "strong",
  italic: "em",
  strike: "s",
  code: "code",
  underline: "u",
};

function Styled({ styles, children }: { readonly styles: readonly TextStyle[]; readonly children: ComponentChildren }) {
  return (
    <>
      {styles.reduceRight<ComponentChildren>((inner, style) => {
        const Tag = tags[style];
        return <Tag>{inner}</Tag>;
      }, children)}
    </>
  );
}

function InlineText({ part: { kind, text, url, name } }: { readonly part: Inline }) {
  if (url !== undefined) {
    return (
      <a href={url} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    );
  }
  if (kind === "emoji") {
    return (
      <span role="img" aria-label={name?.replaceAll("_", " ")} title={`:${name}:`}>
        {text}
      </span>
    );
  }
  if (kind === "mention") return <span class="mention">{text}</span>;
  if (kind === "date") return <span class="date">{text}</span>;
  return <>{text}</>;
}
