import { useState } from "preact/hooks";
import type { Conversation, DrawnPlace } from "../wire.ts";

interface News {
  /** Where somebody wrote to the viewer directly, not seen yet. */
  readonly from: readonly DrawnPlace[];
  readonly dismiss: () => void;
}

/** What came to the viewer alone since the page was opened, as Slack would notify of it. */
export function useNews(
  places: readonly DrawnPlace[],
  conversations: Readonly<Record<string, Conversation>>,
  unseen: Readonly<Record<string, number>>,
): News {
  const direct = places.filter(({ kind }) => kind === "app" || kind === "person");
  const latest = Object.fromEntries(direct.map(({ where }) => [where, conversations[where]?.messages.at(-1)?.at ?? 0]));
  const [known, setKnown] = useState(latest);
  const from = direct.filter(({ where }) => (unseen[where] ?? 0) > 0 && (latest[where] ?? 0) > (known[where] ?? 0));
  return { from, dismiss: () => setKnown(latest) };
}
