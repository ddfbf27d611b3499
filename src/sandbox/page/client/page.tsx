import { render } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { ActAnswer, Conversation, PageAct, PageParts, PanelAct, PersonShown, Place } from "../wire.ts";
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

interface ClientProps {
  readonly parts: PageParts;
  readonly isConnected: boolean;
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly route: Route;
  readonly go: (changes: Partial<Route>) => void;
  readonly panel: PanelState;
  readonly onPanel: (panel: PanelState) => void;
}

/** One person's client and the panel next to it. */
function Client(props: ClientProps) {
  const { parts, isConnected, conversations, route, go, panel, onPanel } = props;
  const { viewer, people, places, view, home, clock } = parts;
  const [ask, question] = useQuestion();
  const { error, act, perform, dismiss } = useActs(viewer.handle, isConnected);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const session = useSessionOf(parts, act, ask);
  const place = places.find(({ where }) => where === route.where) ?? places[0];
  // The Home tab hides the app's messages.
  const isAtMessages = place?.kind !== "app" || route.tab === "messages";
  const unseen = useUnseen(viewer, conversations, isAtMessages ? (place?.where ?? "") : "");
  const notice = useMessageNotice(places, conversations, unseen);
  return (
    <SessionProvider value={session}>
      <div class={`client${isMenuOpen ? " menu-open" : ""}${panel.isOpen ? " panel-open" : ""}`}>
        <TopBar
          {...{ viewer, people, isMenuOpen, isPanelOpen: panel.isOpen, aheadMs: clock.aheadMs }}
          hasUnseen={places.some(({ where }) => where !== place?.where && (unseen[where] ?? 0) > 0)}
          onMenu={() => setIsMenuOpen(!isMenuOpen)}
          onPanel={() => onPanel({ ...panel, isOpen: !panel.isOpen })}
          onSwitchPerson={(as) => go({ as })}
        />
        <Sidebar {...{ places, route, unseen }} onGo={() => setIsMenuOpen(false)} />
        <main>
          <MessageNotice from={notice.from} route={route} onDismiss={notice.dismiss} />
          {place && <PlaceView {...{ place, route, home, conversations, unseen }} />}
        </main>
        {panel.isOpen && <Panel {...{ parts, perform, panel, onPanel }} />}
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

interface PlaceViewProps extends Pick<ClientProps, "conversations" | "route"> {
  readonly place: Place;
  readonly home: PageParts["home"];
  readonly unseen: Readonly<Record<string, number>>;
}

function PlaceView({ place, route, home, conversations, unseen }: PlaceViewProps) {
  const conversation = conversations[place.where];
  if (place.kind === "app") {
    return <AppView {...{ place, route, home, conversation }} unseen={unseen[place.where] ?? 0} />;
  }
  return <ConversationView key={place.where} place={place} conversation={conversation} />;
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

/** Names and times are as this viewer reads them. */
function useSessionOf(parts: PageParts, act: Session["act"], ask: Session["ask"]): Session {
  const { viewer, people, places, app, names, clock } = parts;
  return useMemo(() => {
    const reader = {
      nameOf: (id: string) => names[id] ?? id,
      zone: viewer.zone,
      get now() {
        return Date.now() + clock.aheadMs;
      },
    };
    return { viewer, people, places, app, reader, act, ask };
  }, [viewer, people, places, app, names, clock.aheadMs, act, ask]);
}

type Conversations = Readonly<Record<string, Conversation>>;
type Counts = Readonly<Record<string, number>>;

/** Counts other people's messages in each place since the viewer's last visit. */
function useUnseen(viewer: PersonShown, conversations: Conversations, here: string): Counts {
  /** The time of the latest seen message, by viewer and place. */
  const [seen, setSeen] = useState<Counts>({});
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

/** The places with unseen direct messages since the page was opened or the notice dismissed, like Slack's notifications. */
function useMessageNotice(places: readonly Place[], conversations: Conversations, unseen: Counts) {
  const direct = places.filter(({ kind }) => kind === "app" || kind === "person");
  const latest = Object.fromEntries(direct.map(({ where }) => [where, conversations[where]?.messages.at(-1)?.at ?? 0]));
  const [dismissedAt, setDismissedAt] = useState(latest);
  const from = direct.filter(
    ({ where }) => (unseen[where] ?? 0) > 0 && (latest[where] ?? 0) > (dismissedAt[where] ?? 0),
  );
  return { from, dismiss: () => setDismissedAt(latest) };
}

const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
