import { useId } from "preact/hooks";
import type { DrawnSelect } from "../../wire.ts";
import type { LabelProps } from "./label-props.ts";
import { OptionList } from "./option-list.tsx";
import { useSelect } from "./use-select.ts";

/** A searchable menu with one or several choices. */
export function Select({ element, label, id, describedBy, isWrong }: { readonly element: DrawnSelect } & LabelProps) {
  const list = useId();
  const { input, query, isOpen, isFull, options, note, active, chosen, values, ...controls } = useSelect(element);
  const { isMultiple, placeholder, max, hasFocus } = element;
  const optionId = (index: number) => `${list}-${index}`;
  return (
    <div class="select">
      {isMultiple &&
        chosen.map(({ value, text }) => (
          <span key={value} class="chip">
            {text}
            <button type="button" aria-label={`Remove ${text}`} onClick={() => controls.remove(value)}>
              ×
            </button>
          </span>
        ))}
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        autoComplete="off"
        autofocus={hasFocus ?? false}
        aria-label={id ? undefined : label || placeholder}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen && options.length > 0 ? optionId(active) : undefined}
        aria-describedby={describedBy}
        aria-invalid={isWrong ?? false}
        placeholder={isFull ? `At most ${max}` : placeholder || "Choose…"}
        value={query ?? (isMultiple ? "" : (chosen[0]?.text ?? ""))}
        onClick={() => controls.search(query ?? "")}
        onInput={(event) => controls.search(event.currentTarget.value)}
        onKeyDown={controls.onKeyDown}
        onBlur={() => controls.search(undefined)}
      />
      {!isMultiple && chosen.length > 0 && (
        <button type="button" class="clear" aria-label={`Clear ${label}`} onClick={() => controls.remove(undefined)}>
          ×
        </button>
      )}
      {isOpen && (
        <OptionList
          {...{ optionId, options, note, active, isMultiple }}
          id={list}
          label={label || placeholder}
          chosen={values}
          onChoose={controls.choose}
        />
      )}
    </div>
  );
}
