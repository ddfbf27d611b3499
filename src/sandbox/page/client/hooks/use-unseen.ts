import { useEffect, useState } from "preact/hooks";
import type { Conversation, PersonShown } from "../../wire.ts";

/** Counts other people's messages in each place since the viewer's last visit. */
export function useUnseen(
  viewer: PersonShown,
  conversations: Readonly<Record<string, Conversation>>,
  here: string,
): Readonly<Record<string, number>> {
  /** The time of the latest seen message, by viewer and place. */
  const [seen, setSeen] = useState<Readonly<Record<string, number>>>({});
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
