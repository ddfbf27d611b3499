import type { TargetedFocusEvent, TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { objectsIn, plainText, stringAt } from "../../workspace/json-object.ts";
import { drawEmoji } from "../../workspace/mrkdwn.ts";
import type { Json } from "../wire.ts";
import { type ElementProps, useElement, useOptimisticValue, useSession } from "./session.ts";
import { Text } from "./text.tsx";

export interface Option {
  readonly value: string;
  readonly text: string;
  readonly description?: unknown;
  readonly group?: string;
}

/** A searchable menu with one or several choices. */
export function Select({ element, block, label, id, describedBy, isWrong }: ElementProps) {
  const list = useId();
  const { input, query, isOpen, isFull, options, note, active, chosen, ...controls } = useSelect({ element, block });
  const isMultiple = isMany(element);
  const placeholder = drawEmoji(plainText(element.placeholder));
  // Beside a choice there is no room for it.
  const hint = isMultiple && chosen.length > 0 ? "" : placeholder || "Choose…";
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
        aria-label={id ? undefined : label || placeholder}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen && options.length > 0 ? optionId(list, active) : undefined}
        aria-describedby={describedBy}
        aria-invalid={isWrong ?? false}
        placeholder={isFull ? `At most ${element.max_selected_items}` : hint}
        value={query ?? (isMultiple ? "" : (chosen[0]?.text ?? ""))}
        onClick={() => controls.search(query ?? "")}
        onInput={(event) => controls.search(event.currentTarget.value)}
        onKeyDown={controls.onKeyDown}
        onBlur={controls.leave}
      />
      {!isMultiple && chosen.length > 0 && (
        <button type="button" class="clear" aria-label={`Clear ${label}`} onClick={() => controls.remove(undefined)}>
          ×
        </button>
      )}
      {isOpen && (
        <OptionList
          {...{ options, note, active, isMultiple }}
          id={list}
          label={label || placeholder}
          chosen={chosen.map(({ value }) => value)}
          onChoose={controls.choose}
        />
      )}
    </div>
  );
}

const isMany = ({ type }: Json): boolean => stringAt(type)?.startsWith("multi_") === true;

/** The behavior of a menu: open, search, move and choose. */
function useSelect({ element, block }: Pick<ElementProps, "element" | "block">) {
  const { held, confirm, set: send } = useElement({ element, block });
  const users = useUsers();
  const [query, setQuery] = useState<string | undefined>();
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const isMultiple = isMany(element);
  const { selected_options, selected_option, selected_user } = held;
  const user = users.find(({ value }) => value === selected_user);
  const serverValue = user ? [user] : objectsIn(selected_options ?? [selected_option]).map((each) => optionOf(each));
  const [chosen, setChosen] = useOptimisticValue<readonly Option[]>(serverValue);
  const isFull = isMultiple && chosen.length >= Number(element.max_selected_items ?? Number.POSITIVE_INFINITY);
  const isOpen = query !== undefined && !isFull;
  const { options, note } = useOptions({ element, block }, query ?? "", isOpen);

  const search = (text: string | undefined) => {
    setQuery(text);
    setActive(0);
  };
  const leave = ({ relatedTarget }: TargetedFocusEvent<HTMLInputElement>) => {
    if (query) holdBack(relatedTarget, input.current);
    search(undefined);
  };
  const set = async (next: readonly Option[]) => {
    if (!(await confirm())) return;
    const all = next.map(({ value }) => value);
    await setChosen(next, () => send(isMultiple ? all : (all[0] ?? null)));
  };
  const remove = (value: string | undefined) => {
    void set(isMultiple ? chosen.filter((each) => each.value !== value) : []);
    input.current?.focus();
  };
  const choose = (option: Option) => {
    search(undefined);
    if (isMultiple && chosen.some(({ value }) => value === option.value)) return remove(option.value);
    void set(isMultiple ? [...chosen, option] : [option]);
    input.current?.focus();
  };
  const move = (step: number): boolean => {
    if (isOpen) setActive((active + step + options.length) % Math.max(options.length, 1));
    else search("");
    return true;
  };
  /** Each returns whether it used the key. */
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
      if (!isMultiple || query || chosen.length === 0) return false;
      remove(chosen.at(-1)?.value);
      return true;
    },
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (!keys[event.key]?.()) return;
    // Escape must close only the menu, not the form around it. Enter must not submit the form.
    event.preventDefault();
    event.stopPropagation();
  };
  return { input, query, isOpen, isFull, options, note, active, chosen, search, leave, choose, remove, onKeyDown };
}

/** A longer press has shown what is chosen before it ends. */
const pressMs = 500;

/** Keeps the press that takes typed text away from sending the form: what is chosen instead was not yet seen. */
function holdBack(pressed: EventTarget | null, input: HTMLElement | null): void {
  if (!(pressed instanceof HTMLButtonElement) || pressed.type !== "submit") return;
  const stay = (event: Event) => {
    event.preventDefault();
    input?.focus();
  };
  pressed.addEventListener("click", stay, { once: true, signal: AbortSignal.timeout(pressMs) });
}

const optionOf = ({ value, text, description }: Json, group?: Json): Option => ({
  value: stringAt(value) ?? "",
  text: drawEmoji(plainText(text)),
  description,
  ...(group ? { group: plainText(group.label) } : {}),
});

function useUsers(): readonly Option[] {
  const { viewer, people } = useSession();
  return people.map(({ id, name }) => ({ value: id, text: id === viewer.id ? `${name} (you)` : name }));
}

const debounceMs = 200;

/** The options for a query, and a note instead of them: the menu's own ones that match, or the app's search results. */
function useOptions({ element, block }: Pick<ElementProps, "element" | "block">, query: string, isOpen: boolean) {
  const users = useUsers();
  const { place, act } = useElement({ element, block });
  const [found, setFound] = useState<readonly Option[] | undefined>();
  const latest = useRef(0);
  const isExternal = stringAt(element.type)?.endsWith("external_select") === true;
  const minLength = Number(element.min_query_length ?? 3);
  const isSearched = isExternal && query.length >= minLength;
  useEffect(() => {
    if (!isOpen || !isSearched) return undefined;
    latest.current += 1;
    const request = latest.current;
    setFound(undefined);
    const load = async () => {
      const answer = await act({ kind: "search", ...place, query });
      if (request === latest.current) setFound(answer.ok ? (answer.options ?? []).map((each) => optionOf(each)) : []);
    };
    const timer = setTimeout(load, query === "" ? 0 : debounceMs);
    return () => clearTimeout(timer);
  }, [isOpen, isSearched, query, place.blockId, place.actionId]);

  if (!isExternal) {
    const own =
      element.type === "users_select"
        ? users
        : [...objectsIn(element.options).map((each) => optionOf(each)), ...groupedOptions(element)];
    return offered(own.filter(({ text }) => hasWords(text, query)));
  }
  if (!isSearched) return { options: [], note: `Type at least ${minLength} characters.` };
  return found === undefined ? { options: [], note: "Searching…" } : offered(found);
}

function groupedOptions({ option_groups }: Json): readonly Option[] {
  return objectsIn(option_groups).flatMap((group) => objectsIn(group.options).map((each) => optionOf(each, group)));
}

function offered(options: readonly Option[]) {
  return { options, note: options.length === 0 ? "No results." : "" };
}

function hasWords(text: string, query: string): boolean {
  const wanted = query.toLowerCase().split(/\s+/);
  return wanted.every((word) => text.toLowerCase().includes(word));
}

interface OptionListProps<T extends Option> {
  readonly id: string;
  readonly name?: "options" | "completions";
  readonly label: string;
  readonly options: readonly T[];
  readonly note?: string;
  readonly active: number;
  readonly chosen: readonly string[];
  readonly isMultiple?: boolean;
  readonly onChoose: (option: T) => void;
}

/** The id of an option in the list with this id. */
export const optionId = (list: string, index: number): string => `${list}-${index}`;

/** The open list of a combobox. The focus stays in the input. */
export function OptionList<T extends Option>(props: OptionListProps<T>) {
  const { id, name = "options", label, options, note = "", active, chosen, isMultiple = false, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.scrollIntoView({ block: "nearest" });
    list.current?.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }, [active, options]);
  return (
    <div class={name} ref={list}>
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
              id={optionId(id, index)}
              tabIndex={-1}
              class={index === active ? "option active" : "option"}
              aria-selected={chosen.includes(option.value)}
              // The input must keep the focus until the choice is made.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(option)}
            >
              {option.text}
              {option.description !== undefined && (
                <span class="hint">
                  <Text text={option.description} />
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
