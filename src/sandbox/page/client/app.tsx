import { useEffect, useState } from "preact/hooks";
import { Client, type Offer } from "./client.tsx";
import { usePage } from "./use-page.ts";
import { firstRoute, useRoute } from "./use-route.ts";

export function App() {
  const [route, go] = useRoute();
  const [offer, setOffer] = useState<Offer | undefined>();
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
      <Client key={parts.viewer.id} {...{ parts, conversations, route, go, offer }} onOffer={setOffer} />
    </>
  );
}

const unanswered = "The sandbox does not answer. Is npm start still running?";
