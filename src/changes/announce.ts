import type { Change, ServiceChange, Settlement } from "./change.ts";
import { affectedAccountOwner } from "./change-command.ts";
import { endSetBy } from "./exclusion-end.ts";
import type { ChangeSettings, ChangeStore, NewJob, NewOutboxMessage, OutboxStore } from "./ports.ts";

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

/** Instances' clocks differ a little: by then an exclusion is over on the clock of every one, so each draws it so. */
const clocksDifferMs = 5000;

const minuteMs = 60_000;
/** Less notice than this is given only where no more was wished for. */
const shortestNoticeMs = 5 * minuteMs;

/**
 * What is to be done later because of a settled change: the reminder before the end that it gave an exclusion, and that end itself.
 * Where less time is left than twice the wished notice, the reminder comes halfway, so that nobody is reminded of what they have
 * just said: of an exclusion for 20 minutes, after 10. The jobs of earlier ends stay: they find that they were overtaken.
 */
export function jobsAfter(
  change: Change,
  settlement: Settlement,
  { exclusions: { warnMs } }: Pick<ChangeSettings, "exclusions">,
): readonly NewJob[] {
  const endsAt = settlement.state === "succeeded" ? endSetBy({ ...change, ...settlement }) : undefined;
  if (endsAt === undefined) return [];
  const lengthMs = endsAt - settlement.settledAt;
  const noticeMs = Math.min(warnMs, Math.floor(lengthMs / 2));
  // Of ten minutes some milliseconds are gone when the service has answered.
  const saidMs = Math.round(lengthMs / minuteMs) * minuteMs;
  const isWorthIt = saidMs / 2 >= Math.min(warnMs, shortestNoticeMs);
  const subjectId = change.id;
  return [
    ...(isWorthIt ? [{ kind: "exclusion-warning", subjectId, dueAt: endsAt - noticeMs } as const] : []),
    { kind: "exclusion-end", subjectId, dueAt: endsAt + clocksDifferMs },
  ];
}
