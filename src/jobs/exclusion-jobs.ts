import { cardUpdates, firstCardIn } from "../changes/announce.ts";
import { stillEndsBy } from "../changes/exclusion-end.ts";
import type { ChangeStore, OutboxStore } from "../changes/ports.ts";
import type { DirectoryStore } from "../directory/directory.ts";
import type { JobHandler } from "./job-worker.ts";

export interface ExclusionJobOptions {
  readonly store: Pick<ChangeStore, "find" | "about"> & Pick<OutboxStore, "cardChannels"> & Pick<DirectoryStore, "get">;
  /** Refreshes the Home tabs, this person's first. */
  readonly refreshHomes: (userId: string) => void;
}

/** The jobs before and at an exclusion's end. Each belongs to the change that set the end, and does nothing when a later change moved it. */
export function createExclusionJobs({ store, refreshHomes }: ExclusionJobOptions) {
  /**
   * Reminds in the thread of the exclusion's card in each channel, and its owner. The sender checks again whether the reminder still
   * applies.
   */
  const warn: JobHandler = async (changeId) => {
    const found = await activeExclusion(store, changeId);
    if (!found) return {};
    const reminder = { changeId, kind: "reminder" } as const;
    const lines = [...firstCardIn(found.cards)].map(([to, underChangeId]) => ({ ...reminder, to, underChangeId }));
    const toOwner = found.ownerId ? [{ ...reminder, to: found.ownerId, underChangeId: null }] : [];
    return { outbox: [...lines, ...toOwner] };
  };
  /** Updates every card about the exclusion, which is over now. */
  const end: JobHandler = async (changeId) => {
    const found = await activeExclusion(store, changeId);
    if (!found) return {};
    if (found.ownerId) refreshHomes(found.ownerId);
    return { outbox: found.cards.flatMap(({ id, channels }) => cardUpdates({ id }, channels)) };
  };
  return { "exclusion-warning": warn, "exclusion-end": end };
}

/** The exclusion's owner and cards, oldest first; undefined when this change no longer sets its end. */
async function activeExclusion(store: ExclusionJobOptions["store"], changeId: string) {
  const id = (await store.find(changeId))?.subjectId;
  const changes = id ? await store.about("exclusion", id) : [];
  if (!id || !stillEndsBy(changeId, changes)) return undefined;
  const cards = await Promise.all(
    changes.map(async (change) => ({ id: change.id, channels: await store.cardChannels(change.id) })),
  );
  const ownerId = (await store.get("exclusion", id))?.ownerId;
  return { ownerId, cards: cards.filter(({ channels }) => channels.length > 0) };
}
