import { useId } from "preact/hooks";
import type { DrawnBlock } from "../../wire.ts";
import { Element } from "./element.tsx";

/** A labeled input with its hint and error. */
export function InputBlock({ block }: { readonly block: Extract<DrawnBlock, { kind: "input" }> }) {
  const id = useId();
  const { label, hint, error, isOptional, element } = block;
  if (element.kind === "image") return null;
  const isGroup = element.kind === "checkboxes" || element.kind === "radios" || element.kind === "moment";
  const described = [...(hint ? [`${id}-hint`] : []), ...(error ? [`${id}-error`] : [])].join(" ");
  const optional = isOptional && <span class="optional"> (optional)</span>;
  return (
    <div class={error ? "block-input wrong" : "block-input"}>
      {isGroup ? (
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
      <Element element={element} label={label} id={id} describedBy={described || undefined} isWrong={error !== ""} />
      {error !== "" && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint !== "" && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
