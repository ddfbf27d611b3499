import { useEffect, useMemo } from "preact/hooks";
import type { Conversation, DrawnBlock, DrawnPlace } from "../../wire.ts";
import { Blocks } from "../blocks/blocks.tsx";
import { addressOf, type Route } from "../hooks/use-route.ts";
import { useSession } from "../session.ts";
import { SurfaceProvider } from "../surface.ts";
import { ConversationView } from "./conversation-view.tsx";
import { Count } from "./new-messages.tsx";

interface AppViewProps {
  readonly place: DrawnPlace;
  readonly route: Route;
  readonly home: readonly DrawnBlock[] | null;
  readonly conversation: Conversation | undefined;
  /** The number of unseen messages. */
  readonly unseen: number;
}

/** The app's Home tab and its direct messages. */
export function AppView({ place, route, home, conversation, unseen }: AppViewProps) {
  return (
    <section class="app-view" aria-label={place.name}>
      <header>
        <h1>{place.name}</h1>
        <nav class="tabs" aria-label={`Parts of ${place.name}`}>
          {(["home", "messages"] as const).map((tab) => (
            <a key={tab} href={addressOf({ ...route, tab })} aria-current={route.tab === tab ? "page" : undefined}>
              {tab === "home" ? "Home" : "Messages"} {tab === "messages" && unseen > 0 && <Count count={unseen} />}
            </a>
          ))}
        </nav>
      </header>
      {route.tab === "home" ? <Home home={home} /> : <ConversationView place={place} conversation={conversation} />}
    </section>
  );
}

/** Opening the tab notifies the app, which then publishes the view. */
function Home({ home }: Pick<AppViewProps, "home">) {
  const { act, ask } = useSession();
  useEffect(() => void act({ kind: "home" }), [act]);
  const surface = useMemo(() => ({ on: "home" as const, key: "home", act, ask }), [act, ask]);
  return (
    <div class="home">
      {home === null ? (
        <p class="remark">Curfew has not published this tab yet.</p>
      ) : (
        <SurfaceProvider value={surface}>
          <Blocks blocks={home} />
        </SurfaceProvider>
      )}
    </div>
  );
}
