import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

interface MenuButtonProps {
  readonly label: string;
  readonly items: readonly { readonly text: string; readonly run: () => void | Promise<void> }[];
  readonly sign?: string;
}

/** A button that opens a menu. Arrows, Home and End move in it, Escape closes it, and the focus returns to the button. */
export function MenuButton({ label, items, sign = "⋯" }: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  // Before the next key press, which must go to the menu.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    if (menu.current && box.current) moveIntoFrame(menu.current, box.current);
    // At the end of a list, scroll until the whole menu is visible.
    menu.current?.scrollIntoView({ block: "nearest" });
    entriesIn(box.current)[0]?.focus();
    const close = ({ target }: Event) => {
      if (!(target instanceof Node && box.current?.contains(target))) setIsOpen(false);
    };
    document.addEventListener("pointerdown", close);
    return () => document.removeEventListener("pointerdown", close);
  }, [isOpen]);
  const closeMenu = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!["Escape", "Tab", "ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) return;
    if (event.key === "Tab") return setIsOpen(false);
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") closeMenu();
    else moveFocus(entriesIn(box.current), event.key);
  };
  return (
    <div class="menu-button" ref={box}>
      <button
        type="button"
        ref={button}
        class="button icon"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {sign}
      </button>
      {isOpen && (
        <div class="menu" ref={menu} role="menu" id={id} aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {items.map(({ text, run }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                closeMenu();
                void run();
              }}
            >
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const edgePx = 4;

/** A menu ends where its button does. If that cuts off its beginning, it begins where its button does, as far as there is room. */
function moveIntoFrame(menu: HTMLElement, box: HTMLElement): void {
  const frame = frameOf(menu);
  const { left, right } = menu.getBoundingClientRect();
  const frameLeft = frame.getBoundingClientRect().left + edgePx;
  if (left >= frameLeft) return;
  const room = frameLeft + frame.clientWidth - 2 * edgePx - right;
  menu.style.translate = `${Math.min(box.getBoundingClientRect().left - left, room)}px`;
}

function frameOf({ parentElement: parent }: HTMLElement): HTMLElement {
  if (parent === null) return document.documentElement;
  return getComputedStyle(parent).overflowX === "visible" ? frameOf(parent) : parent;
}

function entriesIn(box: HTMLElement | null): readonly HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

function moveFocus(entries: readonly HTMLElement[], key: string): void {
  const at = entries.findIndex((entry) => entry.matches(":focus"));
  const step = key === "ArrowUp" ? -1 : 1;
  const next = key === "Home" ? 0 : key === "End" ? entries.length - 1 : at + step;
  entries.at(next % entries.length)?.focus();
}
