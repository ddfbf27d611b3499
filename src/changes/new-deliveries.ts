import type { Change } from "./change.ts";
import type { NewDelivery } from "./ports.ts";

/** Draws the cards of a change anew, wherever they are. */
export function cardUpdates({ id }: Pick<Change, "id">, channels: readonly string[]): readonly NewDelivery[] {
  return channels.map((to) => ({ changeId: id, kind: "update", to, underChangeId: null }));
}

/** A line about the change in the thread of a card: of its own, or of an earlier change of the same thing. */
export function threadLineOf({ id: changeId }: Change, to: string, underChangeId: string): NewDelivery {
  return { changeId, kind: "thread", to, underChangeId };
}

type Asked = Pick<Change, "id"> & { readonly actor: Pick<Change["actor"], "userId"> };

export function tellAsker({ id: changeId, actor }: Asked): NewDelivery {
  return { changeId, kind: "tell", to: actor.userId, underChangeId: null };
}
