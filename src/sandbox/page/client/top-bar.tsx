import { useId } from "preact/hooks";
import type { PersonShown } from "../wire.ts";
import { dayAndTime } from "./format-time.ts";
import { useNow } from "./hooks/use-now.ts";

interface TopBarProps {
  readonly viewer: PersonShown;
  readonly people: readonly PersonShown[];
  readonly aheadMs: number;
  readonly isMenuOpen: boolean;
  /** There are unseen messages in another conversation. */
  readonly hasUnseen: boolean;
  readonly isPanelOpen: boolean;
  readonly onMenu: () => void;
  readonly onPanel: () => void;
  /** Called with a handle. */
  readonly onSwitchPerson: (person: string) => void;
}

export function TopBar(props: TopBarProps) {
  const { viewer, people, aheadMs, isMenuOpen, hasUnseen, isPanelOpen, onMenu, onPanel, onSwitchPerson } = props;
  const id = useId();
  const now = useNow(aheadMs);
  return (
    <header class="top-bar">
      <button
        type="button"
        class={`button icon menu-toggle${hasUnseen ? " has-unseen" : ""}`}
        aria-label={hasUnseen ? "Conversations, new messages" : "Conversations"}
        aria-expanded={isMenuOpen}
        onClick={onMenu}
      >
        ☰
      </button>
      <p class="product">
        Curfew <span>sandbox</span>
      </p>
      <label for={id}>Act as</label>
      <select id={id} value={viewer.handle} onChange={(event) => onSwitchPerson(event.currentTarget.value)}>
        {people.map(({ handle, name, remarks }) => (
          <option key={handle} value={handle}>
            {[name, ...remarks].join(" · ")}
          </option>
        ))}
      </select>
      <time class={aheadMs > 0 ? "ahead" : ""} dateTime={new Date(now).toISOString()} title={viewer.zone}>
        {dayAndTime(now, viewer.zone)}
      </time>
      <button type="button" class="button plain" aria-expanded={isPanelOpen} onClick={onPanel}>
        Behind the scenes
      </button>
    </header>
  );
}
