import type { DrawnPlace } from "../../wire.ts";
import { addressOf, type Route } from "../hooks/use-route.ts";

interface MessageNoticeProps {
  readonly from: readonly DrawnPlace[];
  readonly route: Route;
  readonly onDismiss: () => void;
}

/** Links to new direct messages, for example the answer to a shortcut, which belongs to no channel. */
export function MessageNotice({ from, route, onDismiss }: MessageNoticeProps) {
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
