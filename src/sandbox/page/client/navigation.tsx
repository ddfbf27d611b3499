import { useId } from "preact/hooks";
import type { PersonShown, Place } from "../wire.ts";
import { Count } from "./conversation.tsx";
import { addressOf, type Route } from "./route.ts";
import { dayAndTime, useNow } from "./session.ts";

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
      <button
        type="button"
        class="button plain"
        aria-label="Behind the scenes"
        aria-expanded={isPanelOpen}
        onClick={onPanel}
      >
        <span class="panel-sign">{"{ }"}</span>
        <span class="panel-name">Behind the scenes</span>
      </button>
    </header>
  );
}

interface SidebarProps {
  readonly places: readonly Place[];
  readonly route: Route;
  /** The number of unseen messages by place. */
  readonly unseen: Readonly<Record<string, number>>;
  readonly onGo: () => void;
}

const sections = [
  { title: "Channels", kinds: ["public", "private"] },
  { title: "Apps", kinds: ["app"] },
  { title: "Direct messages", kinds: ["person"] },
] as const;

export function Sidebar({ places, route, unseen, onGo }: SidebarProps) {
  return (
    <nav class="sidebar" aria-label="Conversations">
      {sections.map(({ title, kinds }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {places
              .filter(({ kind }) => kinds.some((each) => each === kind))
              .map((place) => (
                <PlaceLink key={place.where} place={place} route={route} count={unseen[place.where] ?? 0} onGo={onGo} />
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

interface PlaceLinkProps {
  readonly place: Place;
  readonly route: Route;
  readonly count: number;
  readonly onGo: () => void;
}

function PlaceLink({ place: { where, kind, name }, route, count, onGo }: PlaceLinkProps) {
  const isHere = where === route.where;
  const isNew = count > 0 && !isHere;
  return (
    <li>
      <a
        // In the app's place, unseen messages are on the Messages tab.
        href={addressOf({ ...route, where, tab: isNew ? "messages" : route.tab })}
        aria-current={isHere ? "page" : undefined}
        class={isNew ? "unseen" : ""}
        onClick={onGo}
      >
        <span aria-hidden="true">{signs[kind]}</span> {name}
        {isNew && <Count count={count} />}
      </a>
    </li>
  );
}

const signs: Readonly<Record<Place["kind"], string>> = { public: "#", private: "🔒", app: "☾", person: "●" };

interface MessageNoticeProps {
  readonly from: readonly Place[];
  readonly route: Route;
  readonly onDismiss: () => void;
}

/** Links to new direct messages, for example the answer to a shortcut, which belongs to no channel. */
export function MessageNotice({ from, route, onDismiss }: MessageNoticeProps) {
  return (
    <div class="news" role="status">
      {from.length > 0 && (
        <p>
          {from.map(({ where, name }) => (
            <span key={where}>
              {name} sent you a message. <a href={addressOf({ ...route, where, tab: "messages" })}>Read it</a>{" "}
            </span>
          ))}
          <button type="button" class="button icon" aria-label="Dismiss the notice" onClick={onDismiss}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}
