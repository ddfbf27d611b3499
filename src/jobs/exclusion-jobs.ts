import { cardUpdates } from "../changes/announce.ts";
import { stillEndsBy } from "../changes/exclusion-end.ts";
import type { ChangeStore, DirectoryStore, OutboxStore } from "../changes/ports.ts";
import type { JobHandler } from "./job-worker.ts";

export interface ExclusionJobOptions {
  readonly store: Pick<ChangeStore, "find" | "about"> & Pick<OutboxStore, "cardChannels"> & Pick<DirectoryStore, "get">;
  /** The Home tabs show something else from now on, this person's first. */
  readonly refreshHomes: (userId: string) => void;
}

/** What is done before and at the end of an exclusion. Each job is about the change that set the end, and does nothing when another change has overtaken it. */
export function createExclusionJobs({ store, refreshHomes }: ExclusionJobOptions) {
  /** In the thread of the exclusion's first card, and to its owner. When it is posted it is seen whether there still is something to tell. */
  const warn: JobHandler = async (changeId) => {
    const found = await lastingExclusion(store, changeId);
    if (!found) return {};
    const reminder = { changeId, kind: "reminder" } as const;
    const [first] = found.cards;
    const lines = (first?.channels ?? []).map((to) => ({ ...reminder, to, underChangeId: first?.id ?? null }));
    const toOwner = found.ownerId ? [{ ...reminder, to: found.ownerId, underChangeId: null }] : [];
    return { outbox: [...lines, ...toOwner] };
  };
  /** Every card about the exclusion is drawn again: by now it is over. */
  const end: JobHandler = async (changeId) => {
    const found = await lastingExclusion(store, changeId);
    if (!found) return {};
    if (found.ownerId) refreshHomes(found.ownerId);
    return { outbox: found.cards.flatMap(({ id, channels }) => cardUpdates({ id }, channels)) };
  };
  return { "exclusion-warning": warn, "exclusion-end": end };
}

/** Whose exclusion it is, and the cards about it, oldest first; undefined for one that no longer ends by this change. */
async function lastingExclusion(store: ExclusionJobOptions["store"], changeId: string) {
  const id = (await store.find(changeId))?.subjectId;
  const changes = id ? await store.about("exclusion", id) : [];
  if (!id || !stillEndsBy(changeId, changes)) return undefined;
  const cards = await Promise.all(
    changes.map(async (change) => ({ id: change.id, channels: await store.cardChannels(change.id) })),
  );
  const ownerId = (await store.get("exclusion", id))?.ownerId;
  return { ownerId, cards: cards.filter(({ channels }) => channels.length > 0) };
}
