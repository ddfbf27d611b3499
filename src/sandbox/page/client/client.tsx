import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { ActAnswer, Conversation, PageAct, PageParts, PanelAct, Place } from "../wire.ts";
import { act as actAs, actInPanel } from "./connection.ts";
import { AppView, ConversationView } from "./conversation.tsx";
import { Modal, Question, useQuestion } from "./dialogs.tsx";
import { MessageNotice, Sidebar, TopBar } from "./navigation.tsx";
import { Panel, type PanelState } from "./panel.tsx";
import type { Route } from "./route.ts";
import { type Session, SessionProvider } from "./session.ts";
import { useMessageNotice, useUnseen } from "./unseen.ts";

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
export function Client(props: ClientProps) {
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
