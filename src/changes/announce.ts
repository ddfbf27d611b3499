import type { Change, Settlement } from "./change.ts";
import type { ChangeSettings, ChangeStore, DeliveryStore, NewDelivery } from "./ports.ts";

/**
 * What must be told about a settled change: a card in every channel that wants to hear of the operation, and, where the thing has
 * a card already (an exclusion that is extended or ended), that card drawn again with a line in its thread. A change that
 * certainly altered nothing concerns its asker alone.
 */
export async function announcements(
  change: Change,
  settlement: Settlement,
  settings: Pick<ChangeSettings, "announce">,
  store: Pick<ChangeStore, "about"> & Pick<DeliveryStore, "cardChannels">,
): Promise<readonly NewDelivery[]> {
  if (settlement.state === "failed") return [];
  const channels = new Set(
    settings.announce.filter((rule) => rule.operations.has(change.operation)).map((rule) => rule.channel),
  );
  const cards: NewDelivery[] = [...channels].map((to) => ({
    changeId: change.id,
    kind: "card",
    to,
    underChangeId: null,
  }));
  return [...cards, ...(await followUps(change, settlement, store))];
}

async function followUps(
  change: Change,
  settlement: Settlement,
  store: Pick<ChangeStore, "about"> & Pick<DeliveryStore, "cardChannels">,
): Promise<readonly NewDelivery[]> {
  if (settlement.state !== "succeeded" || change.subjectId === null) return [];
  const [origin] = await store.about(change.subjectKind, change.subjectId);
  if (origin?.subjectKind !== "exclusion" || origin.id === change.id) return [];
  const channels = await store.cardChannels(origin.id);
  return channels.flatMap((to) => [
    { changeId: origin.id, kind: "update" as const, to, underChangeId: null },
    { changeId: change.id, kind: "thread" as const, to, underChangeId: origin.id },
  ]);
}
