import type { TargetedKeyboardEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import type { DrawnOption, DrawnSelect } from "../../wire.ts";
import { useSurface } from "../surface.ts";
import { useOptimisticValue } from "./use-optimistic-value.ts";
import { useOptions } from "./use-options.ts";

/** The behavior of a menu: open, search, move and choose. */
export function useSelect(element: DrawnSelect) {
  const { on, act, ask } = useSurface();
  const [query, setQuery] = useState<string | undefined>();
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const { blockId, actionId, isMultiple, max, confirm } = element;
  const [chosen, setChosen] = useOptimisticValue(element.chosen);
  const isOpen = query !== undefined;
  const isFull = isMultiple && max !== undefined && chosen.length >= max;
  const { options, note } = useOptions(element, query ?? "", isOpen);
  const values = chosen.map(({ value }) => value);

  const search = (text: string | undefined) => {
    setQuery(isFull ? undefined : text);
    setActive(0);
  };
  const set = async (next: readonly DrawnOption[]) => {
    if (!(await ask(confirm))) return;
    const all = next.map(({ value }) => value);
    await setChosen(next, () =>
      act({ kind: "set", on, blockId, actionId, value: isMultiple ? all : (all[0] ?? null) }),
    );
  };
  const remove = (value: string | undefined) => {
    void set(isMultiple ? chosen.filter((each) => each.value !== value) : []);
    input.current?.focus();
  };
  const choose = (option: DrawnOption) => {
    search(undefined);
    if (isMultiple && values.includes(option.value)) return remove(option.value);
    void set(isMultiple ? [...chosen, option] : [option]);
    input.current?.focus();
  };
  const keys: Readonly<Record<string, () => boolean>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => {
      const option = options[active];
      if (isOpen && option) choose(option);
      else search(isOpen ? undefined : "");
      return true;
    },
    Escape: () => {
      search(undefined);
      return isOpen;
    },
    Backspace: () => {
      if (!isMultiple || query || values.length === 0) return false;
      remove(values.at(-1));
      return true;
    },
  };
  const move = (step: number): boolean => {
    if (isOpen) setActive((active + step + options.length) % Math.max(options.length, 1));
    else search("");
    return true;
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (!keys[event.key]?.()) return;
    // Escape must close only the menu, not the form around it. Enter must not submit the form.
    event.preventDefault();
    event.stopPropagation();
  };
  return { input, query, isOpen, isFull, options, note, active, chosen, values, search, choose, remove, onKeyDown };
}
