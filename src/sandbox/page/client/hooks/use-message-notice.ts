import { useState } from "preact/hooks";
import type { Conversation, DrawnPlace } from "../../wire.ts";

interface MessageNotice {
  /** The places with unseen direct messages. */
  readonly from: readonly DrawnPlace[];
  readonly dismiss: () => void;
}

/** Direct messages since the page was opened or the notice dismissed, like Slack's notifications. */
export function useMessageNotice(
  places: readonly DrawnPlace[],
  conversations: Readonly<Record<string, Conversation>>,
  unseen: Readonly<Record<string, number>>,
): MessageNotice {
  const direct = places.filter(({ kind }) => kind === "app" || kind === "person");
  const latest = Object.fromEntries(direct.map(({ where }) => [where, conversations[where]?.messages.at(-1)?.at ?? 0]));
  const [dismissedAt, setDismissedAt] = useState(latest);
  const from = direct.filter(
    ({ where }) => (unseen[where] ?? 0) > 0 && (latest[where] ?? 0) > (dismissedAt[where] ?? 0),
  );
  return { from, dismiss: () => setDismissedAt(latest) };
}
