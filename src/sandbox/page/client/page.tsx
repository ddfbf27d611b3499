import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Client } from "./client.tsx";
import { notResponding, usePage } from "./connection.ts";
import type { PanelState } from "./panel.tsx";
import { firstRoute, useRoute } from "./route.ts";

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

const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
