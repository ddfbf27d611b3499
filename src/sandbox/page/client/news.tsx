import type { DrawnPlace } from "../wire.ts";
import { addressOf, type Route } from "./use-route.ts";

interface NewsProps {
  readonly from: readonly DrawnPlace[];
  readonly route: Route;
  readonly onDismiss: () => void;
}

/** Where the answer went when it cannot stand where one is, such as that to a shortcut, which is run nowhere in particular. */
export function News({ from, route, onDismiss }: NewsProps) {
  return (
    <div class="news" role="status">
      {from.length > 0 && (
        <p>
          {from.map(({ where, name }) => (
            <span key={where}>
              {name} sent you a message. <a href={addressOf({ ...route, where, tab: "messages" })}>Read it</a>{" "}
            </span>
          ))}
          <button type="button" class="button icon" aria-label="Dismiss the notice" onClick={onDismiss}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}
