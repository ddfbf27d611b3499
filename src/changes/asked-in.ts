import type { Thread } from "../commands/command-base.ts";
import { type Change, isRemoval } from "./change.ts";
import type { NewOutboxMessage, OutboxKind } from "./outbox-message.ts";
import type { OutboxStore } from "./ports.ts";

/* A change that was asked for in a thread is followed in that thread too, besides its cards. */

type AskedKind = Extract<OutboxKind, `asked-${string}`>;
type Asked = Pick<Change, "id" | "askedIn">;

/** A message in the thread where `asked` was asked for; none without a thread. */
export function inAskedThread(
  { id: changeId }: Pick<Change, "id">,
  kind: AskedKind,
  { id: underChangeId, askedIn }: Asked,
): readonly NewOutboxMessage[] {
  return askedIn ? [{ changeId, kind, to: askedIn.channelId, underChangeId }] : [];
}

/**
 * The changes of one exclusion in whose threads people follow it, one for each thread. The thread of its own card has its lines
 * anyway, and who ends it needs no link.
 */
export async function followedIn(
  changes: readonly Change[],
  store: Pick<OutboxStore, "changeOfCard">,
): Promise<readonly (Change & { readonly askedIn: Thread })[]> {
  const own = new Set(changes.flatMap(({ id, parentId = id }) => [id, parentId]));
  const found = new Map<string, Change & { readonly askedIn: Thread }>();
  for (const change of changes) {
    const { askedIn } = change;
    if (!askedIn || isRemoval(change)) continue;
    const key = `${askedIn.channelId}:${askedIn.ts}`;
    if (found.has(key)) continue;
    const cardOf = await store.changeOfCard(askedIn.channelId, askedIn.ts);
    if (cardOf === undefined || !own.has(cardOf)) found.set(key, { ...change, askedIn });
  }
  return [...found.values()];
}
