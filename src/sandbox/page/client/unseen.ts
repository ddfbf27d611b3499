import { useEffect, useState } from "preact/hooks";
import type { Conversation, PersonShown, Place } from "../wire.ts";

type Conversations = Readonly<Record<string, Conversation>>;
type Counts = Readonly<Record<string, number>>;

/** Counts other people's messages in each place since the viewer's last visit. */
export function useUnseen(viewer: PersonShown, conversations: Conversations, here: string): Counts {
  /** The time of the latest seen message, by viewer and place. */
  const [seen, setSeen] = useState<Counts>({});
  const key = (where: string) => `${viewer.id} ${where}`;
  const latest = conversations[here]?.messages.at(-1)?.at ?? 0;
  useEffect(() => setSeen((before) => ({ ...before, [key(here)]: latest })), [viewer.id, here, latest]);
  return Object.fromEntries(
    Object.values(conversations).map(({ where, messages }) => [
      where,
      messages.filter(({ at, from }) => at > (seen[key(where)] ?? 0) && from !== viewer.name).length,
    ]),
  );
}

/** The places with unseen direct messages since the page was opened or the notice dismissed, like Slack's notifications. */
export function useMessageNotice(places: readonly Place[], conversations: Conversations, unseen: Counts) {
  const direct = places.filter(({ kind }) => kind === "app" || kind === "person");
  const latest = Object.fromEntries(direct.map(({ where }) => [where, conversations[where]?.messages.at(-1)?.at ?? 0]));
  const [dismissedAt, setDismissedAt] = useState(latest);
  const from = direct.filter(
    ({ where }) => (unseen[where] ?? 0) > 0 && (latest[where] ?? 0) > (dismissedAt[where] ?? 0),
  );
  return { from, dismiss: () => setDismissedAt(latest) };
}
