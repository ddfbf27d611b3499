import type { Change } from "./change.ts";
import type { NewOutboxMessage } from "./ports.ts";

/** Draws the cards of a change anew, wherever they are. */
export function cardUpdates({ id }: Pick<Change, "id">, channels: readonly string[]): readonly NewOutboxMessage[] {
  return channels.map((to) => ({ changeId: id, kind: "update", to, underChangeId: null }));
}

/** A line about the change in the thread of a card: of its own, or of an earlier change of the same thing. */
export function threadLineOf({ id: changeId }: Change, to: string, underChangeId: string): NewOutboxMessage {
  return { changeId, kind: "thread", to, underChangeId };
}

type Asked = Pick<Change, "id"> & { readonly actor: Pick<Change["actor"], "userId"> };

export function notifyRequester({ id: changeId, actor }: Asked): NewOutboxMessage {
  return { changeId, kind: "notify-requester", to: actor.userId, underChangeId: null };
}
