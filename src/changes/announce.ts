import type { Change, ServiceChange, Settlement } from "./change.ts";
import { affectedAccountOwner } from "./concerned-by.ts";
import { cardUpdates, threadLineOf } from "./new-deliveries.ts";
import type { ChangeSettings, ChangeStore, OutboxStore, NewOutboxMessage } from "./ports.ts";

/**
 * What must be told about a settled change: a card in every channel that wants to hear of the operation, and, where the thing has
 * cards already (an exclusion that is extended or ended), those drawn again and a line in the first one's thread. A change that
 * certainly altered nothing concerns its requester alone. Where a change has its own card already (it was approved there, or was taken for
 * interrupted), that one is drawn again and gets a line in its thread, however it ended. Whose account was altered hears of it.
 */
export async function announcements(
  change: ServiceChange,
  settlement: Settlement,
  settings: Pick<ChangeSettings, "announce">,
  store: Pick<ChangeStore, "about"> & Pick<OutboxStore, "cardChannels">,
): Promise<readonly NewOutboxMessage[]> {
  const posted = await store.cardChannels(change.id);
  const told = [...cardUpdates(change, posted), ...posted.map((to) => threadLineOf(change, to, change.id))];
  if (settlement.state === "failed") return told;
  const channels = new Set(
    settings.announce.filter((rule) => rule.operations.has(change.operation)).map((rule) => rule.channel),
  );
  const cards: NewOutboxMessage[] = [...channels]
    .filter((to) => !posted.includes(to))
    .map((to) => ({ changeId: change.id, kind: "card", to, underChangeId: null }));
  return [
    ...told,
    ...cards,
    ...(await followUps(change, settlement, store)),
    ...toConcerned({ ...change, ...settlement }),
  ];
}

function toConcerned(settled: Change): readonly NewOutboxMessage[] {
  const { id: changeId, subjectId } = settled;
  const isConcerned = subjectId !== null && affectedAccountOwner(settled) !== undefined;
  return isConcerned ? [{ changeId, kind: "account-owner", to: subjectId, underChangeId: null }] : [];
}

async function followUps(
  change: Change,
  settlement: Settlement,
  store: Pick<ChangeStore, "about"> & Pick<OutboxStore, "cardChannels">,
): Promise<readonly NewOutboxMessage[]> {
  const earlier = settlement.state === "succeeded" ? await earlierIds(change, store) : [];
  const cards = await Promise.all(earlier.map(async (id) => ({ id, channels: await store.cardChannels(id) })));
  const redrawn = cards.flatMap(({ id, channels }) => cardUpdates({ id }, channels));
  const [first] = cards;
  const lines = first ? first.channels.map((to) => threadLineOf(change, to, first.id)) : [];
  return [...redrawn, ...lines];
}

/** The changes whose cards this one alters: the one it takes back, or all that were made to the same exclusion, oldest first. */
async function earlierIds(
  { id, undoes, subjectKind, subjectId }: Change,
  store: Pick<ChangeStore, "about">,
): Promise<readonly string[]> {
  const made = subjectKind === "exclusion" && subjectId !== null ? await store.about(subjectKind, subjectId) : [];
  const ids = made.map((change) => change.id).filter((other) => other !== id);
  return undoes === null || ids.includes(undoes) ? ids : [undoes, ...ids];
}
