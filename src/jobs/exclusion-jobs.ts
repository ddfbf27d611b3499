import {
  buttonUpdates,
  cardUpdates,
  firstCardIn,
  followedIn,
  inAskedThread,
  setterOf,
  shownOn,
} from "../changes/announce.ts";
import { stillEndsBy } from "../changes/change.ts";
import type { ChangeStore, OutboxStore } from "../changes/ports.ts";
import type { DirectoryStore } from "../directory/directory.ts";
import type { JobHandler } from "./job-worker.ts";

export interface ExclusionJobOptions {
  readonly store: Pick<ChangeStore, "find" | "about"> &
    Pick<OutboxStore, "cardChannels" | "changeOfCard" | "messagesOf"> &
    Pick<DirectoryStore, "get">;
  /** Refreshes the Home tabs, this person's first. */
  readonly refreshHomes: (userId: string) => void;
}

/** The jobs before and at an exclusion's end. Each belongs to the change that set the end, and does nothing when a later change moved it. */
export function createExclusionJobs({ store, refreshHomes }: ExclusionJobOptions) {
  /**
   * Reminds in the thread of the exclusion's card in each channel, where it was asked for, and its owner. The sender checks again whether the reminder still
   * applies.
   */
  const warn: JobHandler = async (changeId) => {
    const found = await activeExclusion(store, changeId);
    if (!found) return {};
    const reminder = { changeId, kind: "reminder" } as const;
    const lines = [...firstCardIn(found.cards)].map(([to, underChangeId]) => ({ ...reminder, to, underChangeId }));
    const toOwner = found.ownerId ? [{ ...reminder, to: found.ownerId, underChangeId: null }] : [];
    const asked = await followedIn(found.changes, store);
    const inThreads = asked.flatMap((each) => inAskedThread({ id: changeId }, "asked-reminder", each));
    return { outbox: [...lines, ...inThreads, ...toOwner] };
  };
  /** Updates every card about the exclusion, which is over now, and says so in the threads where it was asked for. */
  const end: JobHandler = async (changeId) => {
    const found = await activeExclusion(store, changeId);
    if (!found) return {};
    if (found.ownerId) refreshHomes(found.ownerId);
    const asked = await followedIn(found.changes, store);
    const over = asked.flatMap((each) => inAskedThread({ id: changeId }, "asked-over", each));
    const cards = found.cards.flatMap(({ id, channels }) => cardUpdates({ id }, channels));
    return { outbox: [...cards, ...(await buttonUpdates([setterOf(found.changes)], store)), ...over] };
  };
  return { "exclusion-warning": warn, "exclusion-end": end };
}

/** The exclusion's owner, changes and cards, oldest first; undefined when this change no longer sets its end. */
async function activeExclusion(store: ExclusionJobOptions["store"], changeId: string) {
  const id = (await store.find(changeId))?.subjectId;
  const changes = id ? await store.about("exclusion", id) : [];
  if (!id || !stillEndsBy(changeId, changes)) return undefined;
  const cards = await Promise.all(
    shownOn(changes).map(async (each) => ({ id: each, channels: await store.cardChannels(each) })),
  );
  const ownerId = (await store.get("exclusion", id))?.ownerId;
  return { ownerId, changes, cards: cards.filter(({ channels }) => channels.length > 0) };
}
