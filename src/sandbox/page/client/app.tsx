import { useEffect, useState } from "preact/hooks";
import { Client, type Offer } from "./client.tsx";
import type { PanelState } from "./panel/panel.tsx";
import { usePage } from "./use-page.ts";
import { firstRoute, useRoute } from "./use-route.ts";

export function App() {
  const [route, go] = useRoute();
  const [offer, setOffer] = useState<Offer | undefined>();
  // Stays as it is when one becomes somebody else.
  const [panel, setPanel] = useState<PanelState>(() => ({
    isOpen: matchMedia("(min-width: 75rem)").matches,
    tab: "activity",
  }));
  const { parts, conversations, connection } = usePage(route.as);
  useEffect(() => {
    // Nobody here is called that.
    if (connection === "refused" && route.as !== firstRoute.as) go(firstRoute);
  }, [connection, route.as, go]);
  if (parts === undefined) {
    return <p class="waiting">{connection === "open" ? "The workspace is being opened…" : unanswered}</p>;
  }
  return (
    <>
      {connection !== "open" && (
        <p class="banner" role="alert">
          {unanswered}
        </p>
      )}
      <Client
        key={parts.viewer.id}
        {...{ parts, conversations, route, go, offer, panel }}
        isConnected={connection === "open"}
        onOffer={setOffer}
        onPanel={setPanel}
      />
    </>
  );
}

const unanswered = "The sandbox does not answer. Is npm start still running?";
