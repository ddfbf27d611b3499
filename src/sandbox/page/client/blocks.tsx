import { useId } from "preact/hooks";
import { objectAt, objectsIn, plainText, stringAt } from "../../workspace/json-object.ts";
import { drawEmoji } from "../../workspace/render/emoji.ts";
import type { Json } from "../wire.ts";
import { Element } from "./elements.tsx";
import { type Surface, SurfaceProvider, useSurface } from "./session.ts";
import { RichText, Text } from "./text.tsx";

/** Shows Slack's blocks like Slack. */
export function Blocks({ blocks, surface }: { readonly blocks: readonly Json[]; readonly surface: Surface }) {
  const isMessage = typeof surface.on !== "string";
  return (
    <SurfaceProvider value={surface}>
      <div class="blocks">
        {blocks.map((block, index) => (
          <Block key={isMessage ? lastingKey(blocks, index) : `${block.type} ${block.block_id}`} block={block} />
        ))}
      </div>
    </SurfaceProvider>
  );
}

/** Slack's ids are new whenever a message is redrawn, which must not take the focus or close a menu. */
function lastingKey(blocks: readonly Json[], index: number): string {
  const type = blocks[index]?.type;
  return `${type} ${blocks.slice(0, index).filter((block) => block.type === type).length}`;
}

function Block({ block }: { readonly block: Json }) {
  switch (block.type) {
    case "header":
      return <h3 class="block-header">{drawEmoji(plainText(block.text))}</h3>;
    case "divider":
      return <hr />;
    case "section":
      return <Section block={block} />;
    case "context":
      return (
        <div class="block-context">
          {objectsIn(block.elements).map((item, index) => (
            <span key={index}>
              <Text text={item} />
            </span>
          ))}
        </div>
      );
    case "actions":
      return (
        <div class="block-actions">
          {objectsIn(block.elements).map((element, index) => (
            <Element key={keyOf(element, index)} block={block} element={element} label="" />
          ))}
        </div>
      );
    case "input":
      return <InputBlock block={block} />;
    case "rich_text":
      return <RichText block={block} />;
    default:
      return <p class="remark">[the sandbox does not render blocks of type {stringAt(block.type)}]</p>;
  }
}

/** A button with the same text in the same place is the same one, though its action id names what it was drawn for. */
function keyOf({ type, text, action_id }: Json, index: number): string {
  return type === "button" ? `button ${index} ${plainText(text)}` : `${type} ${action_id}`;
}

function Section({ block }: { readonly block: Json }) {
  const fields = objectsIn(block.fields);
  return (
    <div class="block-section">
      <div class="section-text">
        <Text text={block.text} />
        {fields.length > 0 && (
          <div class="fields">
            {fields.map((field, index) => (
              <div key={index}>
                <Text text={field} />
              </div>
            ))}
          </div>
        )}
      </div>
      {block.accessory !== undefined && (
        <div class="accessory">
          <Element block={block} element={objectAt(block.accessory)} label={plainText(block.text)} />
        </div>
      )}
    </div>
  );
}

const groups: readonly unknown[] = ["checkboxes", "radio_buttons", "timepicker", "datetimepicker"];

/** A labeled input with its hint and error. */
function InputBlock({ block }: { readonly block: Json }) {
  const id = useId();
  const { errors } = useSurface();
  const [label, hint] = [block.label, block.hint].map((text) => drawEmoji(plainText(text)));
  const error = errors[stringAt(block.block_id) ?? ""] ?? "";
  const element = objectAt(block.element);
  const described = [...(hint ? [`${id}-hint`] : []), ...(error ? [`${id}-error`] : [])].join(" ");
  const optional = block.optional === true && <span class="optional"> (optional)</span>;
  const labelProps = { label: label ?? "", id, describedBy: described || undefined, isWrong: error !== "" };
  return (
    <div class={error ? "block-input wrong" : "block-input"}>
      {groups.includes(element.type) ? (
        <span class="label" id={`${id}-label`}>
          {label}
          {optional}
        </span>
      ) : (
        <label class="label" for={id}>
          {label}
          {optional}
        </label>
      )}
      <Element block={block} element={element} {...labelProps} />
      {error !== "" && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
