import { useId, useState } from "preact/hooks";
import type { Place } from "../wire.ts";
import { Count } from "./conversation.tsx";
import { addressOf } from "./route.ts";
import { dayAndTime, useNow, useSession } from "./session.ts";

interface TopBarProps {
  readonly isMenuOpen: boolean;
  readonly isPanelOpen: boolean;
  readonly onMenu: () => void;
  readonly onPanel: () => void;
}

export function TopBar({ isMenuOpen, isPanelOpen, onMenu, onPanel }: TopBarProps) {
  const { viewer, people, places, clock, unseen, route, go } = useSession();
  const id = useId();
  const now = useNow();
  const hasUnseen = places.some(({ where }) => where !== route.where && (unseen[where] ?? 0) > 0);
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
      <select id={id} value={viewer.handle} onChange={(event) => go({ as: event.currentTarget.value })}>
        {people.map(({ handle, name, remarks }) => (
          <option key={handle} value={handle}>
            {handle === viewer.handle ? name : [name, ...remarks].join(" · ")}
          </option>
        ))}
      </select>
      <time class={clock.aheadMs > 0 ? "ahead" : ""} dateTime={new Date(now).toISOString()} title={viewer.zone}>
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

const sections = [
  { title: "Channels", kinds: ["public", "private"] },
  { title: "Apps", kinds: ["app"] },
  { title: "Direct messages", kinds: ["person"] },
] as const;

export function Sidebar({ onGo }: { readonly onGo: () => void }) {
  const { places } = useSession();
  return (
    <nav class="sidebar" aria-label="Conversations">
      {sections.map(({ title, kinds }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {places
              .filter(({ kind }) => kinds.some((each) => each === kind))
              .map((place) => (
                <PlaceLink key={place.where} place={place} onGo={onGo} />
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function PlaceLink({ place, onGo }: { readonly place: Place; readonly onGo: () => void }) {
  const { route, unseen } = useSession();
  const { where, kind, name } = place;
  const count = unseen[where] ?? 0;
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

/** Links to new direct messages, for example the answer to a shortcut, which belongs to no channel. */
export function MessageNotice() {
  const { places, conversations, unseen, route } = useSession();
  const direct = places.filter(({ kind }) => kind === "app" || kind === "person");
  const latest = Object.fromEntries(direct.map(({ where }) => [where, conversations[where]?.messages.at(-1)?.at ?? 0]));
  // As of when the page was opened or the notice dismissed, like Slack's notifications.
  const [dismissedAt, setDismissedAt] = useState(latest);
  const from = direct.filter(
    ({ where }) => (unseen[where] ?? 0) > 0 && (latest[where] ?? 0) > (dismissedAt[where] ?? 0),
  );
  return (
    <div class="news" role="status">
      {from.length > 0 && (
        <p>
          {from.map(({ where, name }) => (
            <span key={where}>
              {name} sent you a message. <a href={addressOf({ ...route, where, tab: "messages" })}>Read it</a>{" "}
            </span>
          ))}
          <button
            type="button"
            class="button icon"
            aria-label="Dismiss the notice"
            onClick={() => setDismissedAt(latest)}
          >
            ×
          </button>
        </p>
      )}
    </div>
  );
}
