import { render } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { ActAnswer, PageAct, PageParts, PanelAct, PersonShown } from "../wire.ts";
import { act as actAs, actInPanel, notResponding, usePage } from "./connection.ts";
import { AppView, ConversationView } from "./conversation.tsx";
import { Modal, Question, useQuestion } from "./dialogs.tsx";
import { MessageNotice, Sidebar, TopBar } from "./navigation.tsx";
import { Panel, type PanelState } from "./panel.tsx";
import { firstRoute, type Route, useRoute } from "./route.ts";
import { type Session, SessionProvider } from "./session.ts";

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

/** One person's client and the panel next to it. */
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

/** Session["unseen"] other people's messages in each place since the viewer's last visit. */
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
