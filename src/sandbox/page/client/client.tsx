import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { ActAnswer, Conversation, DrawnPlace, PageAct, PageParts, PanelAct } from "../wire.ts";
import { act as actAs, actInPanel } from "./connection.ts";
import { AppView } from "./conversation/app-view.tsx";
import { ConversationView } from "./conversation/conversation-view.tsx";
import { MessageNotice } from "./conversation/message-notice.tsx";
import { Modal } from "./dialogs/modal.tsx";
import { Question, useQuestion } from "./dialogs/question.tsx";
import { Guide } from "./guide.tsx";
import { useMessageNotice } from "./hooks/use-message-notice.ts";
import type { Route } from "./hooks/use-route.ts";
import { useStoredFlag } from "./hooks/use-stored-flag.ts";
import { useUnseen } from "./hooks/use-unseen.ts";
import { Panel, type PanelState } from "./panel/panel.tsx";
import { SessionProvider } from "./session.ts";
import { Sidebar } from "./sidebar.tsx";
import { TopBar } from "./top-bar.tsx";

/** A line that the guide puts into a composer. */
export interface Offer extends Pick<Route, "as" | "where"> {
  readonly text: string;
}

interface ClientProps {
  readonly parts: PageParts;
  readonly isConnected: boolean;
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly route: Route;
  readonly go: (changes: Partial<Route>) => void;
  readonly offer: Offer | undefined;
  readonly onOffer: (offer: Offer | undefined) => void;
  readonly panel: PanelState;
  readonly onPanel: (panel: PanelState) => void;
}

/** One person's client and the panel next to it. */
export function Client(props: ClientProps) {
  const { parts, isConnected, conversations, route, go, offer, onOffer, panel, onPanel } = props;
  const { viewer, people, places, app, views, home, guide, clock } = parts;
  const [ask, question] = useQuestion();
  const { error, act, perform, dismiss } = useActs(viewer.handle, isConnected);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [isGuideDismissed, setIsGuideDismissed] = useStoredFlag("curfew-guide-dismissed");
  const session = useMemo(() => ({ viewer, people, places, app, act, ask }), [viewer, people, places, app, act, ask]);
  const place = places.find(({ where }) => where === route.where) ?? places[0];
  // The Home tab hides the app's messages.
  const isAtMessages = place?.kind !== "app" || route.tab === "messages";
  const unseen = useUnseen(viewer, conversations, isAtMessages ? (place?.where ?? "") : "");
  const notice = useMessageNotice(places, conversations, unseen);
  const [bottom, ...above] = views;
  const tryStep = (step: Offer) => {
    onOffer(step.text === "" ? undefined : step);
    go({ as: step.as, where: step.where });
  };
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
          {!isGuideDismissed && (
            <Guide
              progress={guide}
              command={app.commands[0]?.command ?? ""}
              onTry={tryStep}
              onDismiss={() => setIsGuideDismissed(true)}
            />
          )}
          {place && <Place {...{ place, route, home, conversations, unseen, offer, onOffer }} />}
        </main>
        {panel.isOpen && <Panel {...{ parts, perform, panel, onPanel }} />}
        {bottom && <Modal views={[bottom, ...above]} act={act} ask={ask} />}
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

interface PlaceProps extends Pick<ClientProps, "conversations" | "route" | "offer" | "onOffer"> {
  readonly place: DrawnPlace;
  readonly home: PageParts["home"];
  readonly unseen: Readonly<Record<string, number>>;
}

function Place({ place, route, home, conversations, unseen, offer, onOffer }: PlaceProps) {
  const conversation = conversations[place.where];
  if (place.kind === "app") {
    return <AppView {...{ place, route, home, conversation }} unseen={unseen[place.where] ?? 0} />;
  }
  const isOffered = offer?.as === route.as && offer.where === place.where;
  return (
    <ConversationView
      key={place.where}
      place={place}
      conversation={conversation}
      offered={isOffered ? offer.text : undefined}
      onOfferTaken={() => onOffer(undefined)}
    />
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
