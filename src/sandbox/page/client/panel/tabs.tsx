import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

interface TabsProps<T extends string> {
  /** Titles, in order. */
  readonly tabs: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (tab: T) => void;
  /** The content of the chosen tab. */
  readonly children: ComponentChildren;
}

/** Tabs with arrow key navigation. */
export function Tabs<T extends string>({ tabs, chosen, onChoose, children }: TabsProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // Object.keys loses the key type.
  const names = Object.keys(tabs) as T[];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = names.at((names.indexOf(chosen) + step) % names.length);
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next}`)}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" ref={list} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
