import { render } from "preact";
import { useCallback, useEffect, useId, useState } from "preact/hooks";
import type { ActAnswer, PageAct, PageParts, PanelAct, PersonShown, Place } from "../wire.ts";
import { act as actAs, actInPanel, notResponding, usePage } from "./connection.ts";
import { AppView, ConversationView, Count } from "./conversation.tsx";
import { Modal, Question, useQuestion } from "./dialogs.tsx";
import { Panel, type PanelState } from "./panel.tsx";
import {
  addressOf,
  dayAndTime,
  firstRoute,
  type Route,
  type Session,
  SessionProvider,
  useNow,
  useRoute,
  useSession,
} from "./session.ts";

function App() {
  const [route, go] = useRoute();
  // Kept here, so that it stays the same when the viewer changes.
  const [panel, setPanel] = useState<PanelState>(() => ({
    isOpen: matchMedia("(min-width: 75rem)").matches,
    tab: "activity",
  }));
  const { parts, conversations, connection } = usePage(route.as);
  useEffect(() => {
    // There is no such person.
    if (connection === "refused" && route.as !== firstRoute.as) go(firstRoute);
  }, [connection, route.as, go]);
  if (parts === undefined)
    return <p class="waiting">{connection === "open" ? "Opening the workspace…" : notResponding}</p>;
  return (
    <>
      {connection !== "open" && (
        <p class="banner" role="alert">
          {notResponding}
        </p>
      )}
      <Client
        key={parts.viewer.id}
        {...{ parts, conversations, route, go, panel }}
        isConnected={connection === "open"}
        onPanel={setPanel}
      />
    </>
  );
}

interface ClientProps extends Pick<Session, "conversations" | "go"> {
  readonly parts: PageParts;
  readonly isConnected: boolean;
  readonly route: Route;
  readonly panel: PanelState;
  readonly onPanel: (panel: PanelState) => void;
}

function Client({ parts, isConnected, conversations, route, go, panel, onPanel }: ClientProps) {
  const { viewer, places, view, names, clock } = parts;
  const [ask, question] = useQuestion();
  const { error, act, perform, dismiss } = useActs(viewer.handle, isConnected);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const place = places.find(({ where }) => where === route.where) ?? places[0];
  // The Home tab hides the app's messages.
  const isAtMessages = place?.kind !== "app" || route.tab === "messages";
  const unseen = useUnseen(viewer, conversations, isAtMessages ? (place?.where ?? "") : "");
  const reader = {
    nameOf: (id: string) => names[id] ?? id,
    zone: viewer.zone,
    get now() {
      return Date.now() + clock.aheadMs;
    },
  };
  return (
    <SessionProvider value={{ ...parts, conversations, unseen, route, go, reader, act, perform, ask }}>
      <div class={`client${isMenuOpen ? " menu-open" : ""}${panel.isOpen ? " panel-open" : ""}`}>
        <TopBar
          isMenuOpen={isMenuOpen}
          isPanelOpen={panel.isOpen}
          onMenu={() => setIsMenuOpen(!isMenuOpen)}
          onPanel={() => onPanel({ ...panel, isOpen: !panel.isOpen })}
        />
        <Sidebar onGo={() => setIsMenuOpen(false)} />
        <main>
          <MessageNotice />
          {place?.kind === "app" && <AppView place={place} />}
          {place && place.kind !== "app" && <ConversationView key={place.where} place={place} />}
        </main>
        {panel.isOpen && <Panel panel={panel} onPanel={onPanel} />}
        {view && <Modal view={view} />}
        {question && <Question question={question} />}
        {isConnected && error !== "" && (
          <p class="banner" role="alert">
            {error}
            <button type="button" class="button icon" aria-label="Dismiss" onClick={dismiss}>
              ×
            </button>
          </p>
        )}
      </div>
    </SessionProvider>
  );
}

/** Performs the viewer's acts and keeps the last error until the connection changes. */
function useActs(as: string, isConnected: boolean) {
  const [error, setError] = useState("");
  useEffect(() => setError(""), [isConnected]);
  const showError = useCallback((answer: ActAnswer): ActAnswer => {
    setError(answer.ok ? "" : answer.error);
    return answer;
  }, []);
  const act = useCallback((done: PageAct) => actAs(as, done).then(showError), [as, showError]);
  const perform = useCallback(async (done: PanelAct) => void showError(await actInPanel(done)), [showError]);
  return { error, act, perform, dismiss: () => setError("") };
}

/** Counts other people's messages in each place since the viewer's last visit. */
function useUnseen(viewer: PersonShown, conversations: Session["conversations"], here: string): Session["unseen"] {
  /** The time of the latest seen message, by viewer and place. */
  const [seen, setSeen] = useState<Session["unseen"]>({});
  const key = (where: string) => `${viewer.id} ${where}`;
  const latest = conversations[here]?.messages.at(-1)?.at ?? 0;
  useEffect(() => setSeen((before) => ({ ...before, [key(here)]: latest })), [viewer.id, here, latest]);
  return Object.fromEntries(
    Object.values(conversations).map(({ where, messages }) => [
      where,
      messages.filter(({ at, from }) => at > (seen[key(where)] ?? 0) && from !== viewer.name).length,
    ]),
  );
}

const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}

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
function MessageNotice() {
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
