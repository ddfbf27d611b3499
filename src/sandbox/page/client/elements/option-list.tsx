import { useEffect, useRef } from "preact/hooks";
import type { DrawnOption } from "../../wire.ts";
import { RichText } from "../blocks/rich-text.tsx";

interface OptionListProps {
  readonly id: string;
  readonly optionId: (index: number) => string;
  readonly label: string;
  readonly options: readonly DrawnOption[];
  /** Shown when there are no options. */
  readonly note: string;
  readonly active: number;
  /** The values of the chosen options. */
  readonly chosen: readonly string[];
  readonly isMultiple: boolean;
  readonly onChoose: (option: DrawnOption) => void;
}

/** The open list of a combobox. The focus stays in the input. */
export function OptionList(props: OptionListProps) {
  const { id, optionId, label, options, note, active, chosen, isMultiple, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }, [active, options]);
  return (
    <div class="options" ref={list}>
      <div role="listbox" id={id} aria-label={label} aria-multiselectable={isMultiple}>
        {options.map((option, index) => (
          <div key={option.value}>
            {option.group !== undefined && option.group !== options[index - 1]?.group && (
              <div class="group" role="presentation">
                {option.group}
              </div>
            )}
            <button
              type="button"
              role="option"
              id={optionId(index)}
              tabIndex={-1}
              class={index === active ? "option active" : "option"}
              aria-selected={chosen.includes(option.value)}
              // The input must keep the focus until the choice is made.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(option)}
            >
              {option.text}
              {option.description && (
                <span class="hint">
                  <RichText text={option.description} />
                </span>
              )}
            </button>
          </div>
        ))}
      </div>
      {note !== "" && <p class="note">{note}</p>}
    </div>
  );
}
