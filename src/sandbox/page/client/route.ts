import { useCallback, useEffect, useState } from "preact/hooks";

/** The viewer and the place, from the URL: `#alice/ops`, `#alice/dm/messages`. */
export interface Route {
  readonly as: string;
  readonly where: string;
  readonly tab: "home" | "messages";
}

export const firstRoute: Route = { as: "alice", where: "ops", tab: "home" };

export function addressOf({ as, where, tab }: Route): string {
  const parts = [as, where, ...(where === "dm" ? [tab] : [])];
  return `#${parts.map(encodeURIComponent).join("/")}`;
}

export function useRoute(): readonly [Route, (changes: Partial<Route>) => void] {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const read = () => setRoute(readRoute(location.hash));
    addEventListener("hashchange", read);
    // The URL may have changed since the first read.
    read();
    return () => removeEventListener("hashchange", read);
  }, []);
  const go = useCallback((changes: Partial<Route>) => changeRoute(changes), []);
  return [route, go];
}

export const showPlace = (where: string): void => changeRoute({ where });

function changeRoute(changes: Partial<Route>): void {
  location.hash = addressOf({ ...readRoute(location.hash), ...changes });
}

function readRoute(hash: string): Route {
  const [as = "", where = "", tab] = hash.replace(/^#/, "").split("/").map(decoded);
  return {
    as: as || firstRoute.as,
    where: where || firstRoute.where,
    tab: tab === "messages" ? tab : "home",
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
