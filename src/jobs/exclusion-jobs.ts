import type { Change } from "../changes/change.ts";
import type { ChangeStore, DeliveryStore, KnownStore, NewDelivery } from "../changes/ports.ts";
import { type LastingExclusion, stillEndsBy } from "../changes/when-exclusion-ends.ts";
import type { JobHandler } from "./job-worker.ts";

export interface ExclusionJobOptions {
  readonly store: Pick<ChangeStore, "find" | "about"> & Pick<DeliveryStore, "cardChannels"> & Pick<KnownStore, "get">;
  readonly now: () => number;
  /** The Home tabs show something else from now on, this person's first. */
  readonly refreshHomes: (userId: string) => void;
}

/** What is done before and at the end of an exclusion. Each job is about the change that set the end, and does nothing when another change has overtaken it. */
export function createExclusionJobs({ store, now, refreshHomes }: ExclusionJobOptions) {
  /** In the thread of the exclusion's first card, and to its owner. It is drawn when it is posted, so it is never out of date. */
  const warn: JobHandler = async (changeId) => {
    const found = await lastingExclusion(store, changeId);
    if (!found?.isEnabled || found.endsAt <= now()) return {};
    const thing = await store.get("exclusion", found.id);
    if (thing?.endedAt) return {};
    const reminder = { changeId, kind: "reminder" } as const;
    const [first] = (await cardsOf(store, found.changes)).filter(({ channels }) => channels.length > 0);
    const lines = (first?.channels ?? []).map((to) => ({ ...reminder, to, underChangeId: first?.id ?? null }));
    const toOwner = thing?.ownerId ? [{ ...reminder, to: thing.ownerId, underChangeId: null }] : [];
    return { deliveries: [...lines, ...toOwner] };
  };
  /** Every card about the exclusion is drawn again: by now it is over. */
  const end: JobHandler = async (changeId) => {
    const found = await lastingExclusion(store, changeId);
    if (!found) return {};
    const owner = (await store.get("exclusion", found.id))?.ownerId;
    if (owner) refreshHomes(owner);
    const cards = await cardsOf(store, found.changes);
    const deliveries = cards.flatMap(({ id, channels }) =>
      channels.map((to): NewDelivery => ({ changeId: id, kind: "update", to, underChangeId: null })),
    );
    return { deliveries };
  };
  return { "exclusion-warning": warn, "exclusion-end": end };
}

interface Found extends LastingExclusion {
  readonly id: string;
  readonly changes: readonly Change[];
}

async function lastingExclusion(store: ExclusionJobOptions["store"], changeId: string): Promise<Found | undefined> {
  const id = (await store.find(changeId))?.subjectId;
  if (!id) return undefined;
  const changes = await store.about("exclusion", id);
  const lasting = stillEndsBy(changeId, changes);
  return lasting && { ...lasting, id, changes };
}

function cardsOf(store: Pick<DeliveryStore, "cardChannels">, changes: readonly Change[]) {
  return Promise.all(changes.map(async ({ id }) => ({ id, channels: await store.cardChannels(id) })));
}
