import type { DrawnPlace } from "../wire.ts";
import { Count } from "./conversation/new-messages.tsx";
import { addressOf, type Route } from "./hooks/use-route.ts";

interface SidebarProps {
  readonly places: readonly DrawnPlace[];
  readonly route: Route;
  /** The number of unseen messages by place. */
  readonly unseen: Readonly<Record<string, number>>;
  readonly onGo: () => void;
}

const sections = [
  { title: "Channels", kinds: ["public", "private"] },
  { title: "Apps", kinds: ["app"] },
  { title: "Direct messages", kinds: ["person"] },
] as const;

export function Sidebar({ places, route, unseen, onGo }: SidebarProps) {
  return (
    <nav class="sidebar" aria-label="Conversations">
      {sections.map(({ title, kinds }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {places
              .filter(({ kind }) => kinds.some((each) => each === kind))
              .map((place) => (
                <PlaceLink key={place.where} place={place} route={route} count={unseen[place.where] ?? 0} onGo={onGo} />
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

interface PlaceLinkProps {
  readonly place: DrawnPlace;
  readonly route: Route;
  readonly count: number;
  readonly onGo: () => void;
}

function PlaceLink({ place: { where, kind, name }, route, count, onGo }: PlaceLinkProps) {
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

const signs: Readonly<Record<DrawnPlace["kind"], string>> = { public: "#", private: "🔒", app: "☾", person: "●" };
