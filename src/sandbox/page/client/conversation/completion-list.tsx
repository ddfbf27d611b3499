import type { Completion } from "./completions.ts";

interface CompletionListProps {
  readonly id: string;
  readonly label: string;
  readonly completions: readonly Completion[];
  readonly active: number;
  readonly onChoose: (completion: Completion) => void;
}

export function CompletionList({ id, label, completions, active, onChoose }: CompletionListProps) {
  return (
    <div class="completions" role="listbox" id={id} aria-label={`Completions: ${label}`}>
      {completions.map((completion, index) => (
        <button
          type="button"
          key={completion.text}
          role="option"
          id={`${id}-${index}`}
          tabIndex={-1}
          class={index === active ? "option active" : "option"}
          aria-selected={index === active}
          // Keeps the focus in the composer.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(completion)}
        >
          {completion.text}
          {completion.hint !== "" && <span class="hint">{completion.hint}</span>}
        </button>
      ))}
    </div>
  );
}
