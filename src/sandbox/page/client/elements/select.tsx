import { useId } from "preact/hooks";
import type { DrawnSelect } from "../../wire.ts";
import type { Labelled } from "./element.tsx";
import { OptionList } from "./option-list.tsx";
import { useSelect } from "./use-select.ts";

/** A menu of one or of several, searched by typing. */
export function Select({ element, label, id, describedBy, isWrong }: { readonly element: DrawnSelect } & Labelled) {
  const list = useId();
  const { input, query, isOpen, isFull, options, note, active, chosen, values, ...does } = useSelect(element);
  const { isMultiple, placeholder, most, hasFocus } = element;
  const optionId = (index: number) => `${list}-${index}`;
  return (
    <div class="select">
      {isMultiple &&
        chosen.map(({ value, text }) => (
          <span key={value} class="chip">
            {text}
            <button type="button" aria-label={`Remove ${text}`} onClick={() => does.remove(value)}>
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
        placeholder={isFull ? `No more than ${most}` : placeholder || "Choose…"}
        value={query ?? (isMultiple ? "" : (chosen[0]?.text ?? ""))}
        onClick={() => does.search(query ?? "")}
        onInput={(event) => does.search(event.currentTarget.value)}
        onKeyDown={does.onKeyDown}
        onBlur={() => does.search(undefined)}
      />
      {!isMultiple && chosen.length > 0 && (
        <button type="button" class="clear" aria-label={`Clear ${label}`} onClick={() => does.remove(undefined)}>
          ×
        </button>
      )}
      {isOpen && (
        <OptionList
          {...{ optionId, options, note, active, isMultiple }}
          id={list}
          label={label || placeholder}
          chosen={values}
          onChoose={does.choose}
        />
      )}
    </div>
  );
}
