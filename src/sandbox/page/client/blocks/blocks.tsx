import type { DrawnBlock, DrawnElement, DrawnImage } from "../../wire.ts";
import { Element } from "../elements/element.tsx";
import { InputBlock } from "../elements/input-block.tsx";
import { RichText } from "./rich-text.tsx";

/** Renders blocks like Slack. */
export function Blocks({ blocks }: { readonly blocks: readonly DrawnBlock[] }) {
  return (
    <div class="blocks">
      {blocks.map((block) => (
        <Block key={`${block.kind} ${block.id}`} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { readonly block: DrawnBlock }) {
  switch (block.kind) {
    case "header":
      return <h3 class="block-header">{block.text}</h3>;
    case "divider":
      return <hr />;
    case "section":
      return <Section block={block} />;
    case "context":
      return (
        <div class="block-context">
          {block.items.map((item, index) => (
            <span key={index}>{item.kind === "image" ? <Image image={item} /> : <RichText text={item.text} />}</span>
          ))}
        </div>
      );
    case "actions":
      return (
        <div class="block-actions">
          {block.elements.map((element, index) => (
            <AnyElement key={keyOf(element, index)} element={element} label="" />
          ))}
        </div>
      );
    case "input":
      return <InputBlock block={block} />;
    case "image":
      return <Image image={block.image} />;
    case "rich":
      return <RichText text={block.text} />;
    case "table":
      return <Table rows={block.rows} />;
    case "unknown":
      return <p class="remark">[the sandbox does not render blocks of type {block.type}]</p>;
    default:
      return block satisfies never;
  }
}

function Section({ block }: { readonly block: Extract<DrawnBlock, { kind: "section" }> }) {
  const { text, fields, accessory } = block;
  const label = text.flatMap((paragraph) =>
    paragraph.kind === "list" ? [] : paragraph.parts.map((part) => part.text),
  );
  return (
    <div class="block-section">
      <div class="section-text">
        <RichText text={text} />
        {fields.length > 0 && (
          <div class="fields">
            {fields.map((field, index) => (
              <div key={index}>
                <RichText text={field} />
              </div>
            ))}
          </div>
        )}
      </div>
      {accessory && (
        <div class="accessory">
          <AnyElement element={accessory} label={label.join("")} />
        </div>
      )}
    </div>
  );
}

function AnyElement({ element, label }: { readonly element: DrawnElement; readonly label: string }) {
  return element.kind === "image" ? <Image image={element} /> : <Element element={element} label={label} />;
}

/** A button with the same text in the same place is the same one, though its action id names what it was drawn for. */
function keyOf(element: DrawnElement, index: number): string | number {
  if (element.kind === "button") return `button ${index} ${element.text}`;
  return "actionId" in element ? `${element.kind} ${element.actionId}` : index;
}

/** The page loads nothing from other hosts, so an image from there shows as its text and a link. */
function Image({ image: { alt, title, url } }: { readonly image: DrawnImage }) {
  const text = alt || title || "picture";
  return (
    <figure class="image">
      {title !== "" && <figcaption>{title}</figcaption>}
      {url === undefined ? (
        <span>🖼 {text}</span>
      ) : (
        <a href={url} target="_blank" rel="noopener noreferrer">
          🖼 {text}
        </a>
      )}
    </figure>
  );
}

function Table({ rows }: { readonly rows: Extract<DrawnBlock, { kind: "table" }>["rows"] }) {
  return (
    <div class="scrolls">
      <table>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, column) => (
                <td key={column}>
                  <RichText text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
