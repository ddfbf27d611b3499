import type { Change, ServiceChange, Settlement } from "./change.ts";
import { affectedAccountOwner } from "./change-command.ts";
import { endSetBy } from "./exclusion-end.ts";
import type { NewJob } from "./job.ts";
import type { NewOutboxMessage } from "./outbox-message.ts";
import { firstCheckAt } from "./outcomes/next-check.ts";
import { wayToCheck } from "./outcomes/way-to-check.ts";
import type { ChangeSettings, ChangeStore, OutboxStore } from "./ports.ts";

/**
 * The outbox messages for a settled change. `given`: the channels where it has a card already, if they are known. A change that
 * failed is announced to nobody but its requester, except on a card that it has already (it was approved there, or was taken
 * for interrupted). An exclusion has one card in a channel: later changes redraw it and add a line to its thread. The owner of
 * an altered account gets a direct message.
 */
export async function announcements(
  change: ServiceChange,
  settlement: Settlement,
  settings: Pick<ChangeSettings, "announce">,
  store: Pick<ChangeStore, "about"> & Pick<OutboxStore, "cardChannels">,
  given?: readonly string[],
): Promise<readonly NewOutboxMessage[]> {
  const posted = given ?? (await store.cardChannels(change.id));
  const onOwnCards = [...cardUpdates(change, posted), ...posted.map((to) => threadLineOf(change, to, change.id))];
  // What was unknown has a line in a thread, so its outcome has one too.
  if (settlement.state === "failed" && !settlement.verified) return onOwnCards;
  const channels = new Set(
    settings.announce.filter((rule) => rule.operations.has(change.operation)).map((rule) => rule.channel),
  );
  const { messages, channels: withCard } = await followUps(change, settlement, store);
  if (settlement.state === "failed") return [...onOwnCards, ...messages];
  const hasCard = [...posted, ...(change.subjectKind === "exclusion" ? withCard : [])];
  const cards: NewOutboxMessage[] = [...channels]
    .filter((to) => !hasCard.includes(to))
    .map((to) => ({ changeId: change.id, kind: "card", to, underChangeId: null }));
  return [...onOwnCards, ...cards, ...messages, ...toAccountOwner({ ...change, ...settlement })];
}

function toAccountOwner(settled: Change): readonly NewOutboxMessage[] {
  const { id: changeId, subjectId } = settled;
  const isForOwner = subjectId !== null && affectedAccountOwner(settled) !== undefined;
  return isForOwner ? [{ changeId, kind: "account-owner", to: subjectId, underChangeId: null }] : [];
}

/** The first of these cards in each channel, by channel; they are given oldest first. */
export function firstCardIn(
  cards: readonly { readonly id: string; readonly channels: readonly string[] }[],
): ReadonlyMap<string, string> {
  const latestFirst = cards.toReversed().flatMap(({ id, channels }) => channels.map((to) => [to, id] as const));
  return new Map(latestFirst);
}

/** Redraws the cards that a change alters, and adds a line to the thread of the first one in each channel. */
async function followUps(
  change: Change,
  settlement: Settlement,
  store: Pick<ChangeStore, "about"> & Pick<OutboxStore, "cardChannels">,
): Promise<{ readonly messages: readonly NewOutboxMessage[]; readonly channels: readonly string[] }> {
  const isDone = settlement.state === "succeeded";
  const earlier = isDone || change.subjectKind === "exclusion" ? await earlierIds(change, store) : [];
  const cards = await Promise.all(earlier.map(async (id) => ({ id, channels: await store.cardChannels(id) })));
  const firstIn = firstCardIn(cards);
  const redrawn = isDone ? cards.flatMap(({ id, channels }) => cardUpdates({ id }, channels)) : [];
  const lines = [...firstIn].map(([to, id]) => threadLineOf(change, to, id));
  return { messages: [...redrawn, ...lines], channels: [...firstIn.keys()] };
}

/** The changes whose cards this one alters: the change it undoes, or all changes of the same exclusion, oldest first. */
async function earlierIds(
  { id, undoes, subjectKind, subjectId }: Change,
  store: Pick<ChangeStore, "about">,
): Promise<readonly string[]> {
  const made = subjectKind === "exclusion" && subjectId !== null ? await store.about(subjectKind, subjectId) : [];
  const ids = made.map((change) => change.id).filter((other) => other !== id);
  return undoes === null || ids.includes(undoes) ? ids : [undoes, ...ids];
}

/** Redraws the cards of a change, in all channels. */
export function cardUpdates({ id }: Pick<Change, "id">, channels: readonly string[]): readonly NewOutboxMessage[] {
  return channels.map((to) => ({ changeId: id, kind: "update", to, underChangeId: null }));
}

/** A line about the change in a card's thread: its own card, or that of an earlier change of the same subject. */
export function threadLineOf({ id: changeId }: Change, to: string, underChangeId: string): NewOutboxMessage {
  return { changeId, kind: "thread", to, underChangeId };
}

type Requested = Pick<Change, "id"> & { readonly actor: Pick<Change["actor"], "userId"> };

export function notifyRequester({ id: changeId, actor }: Requested): NewOutboxMessage {
  return { changeId, kind: "notify-requester", to: actor.userId, underChangeId: null };
}

/** The clocks of instances differ a little. After this margin an exclusion is over on all of them, so each draws it as ended. */
const maxClockSkewMs = 5000;

const minuteMs = 60_000;
/** Shorter notice is given only when the config asks for it. */
const minNoticeMs = 5 * minuteMs;

/**
 * The jobs of a settled change: the reminder before the end that it gave an exclusion, and the end itself. When less than
 * twice the configured notice is left, the reminder comes halfway, so that it does not follow right after the request: for
 * 20 minutes, after 10. Jobs of earlier ends stay, and do nothing when they find that the end has moved.
 */
export function jobsAfter(
  change: ServiceChange,
  settlement: Settlement,
  { exclusions: { warnMs } }: Pick<ChangeSettings, "exclusions">,
): readonly NewJob[] {
  if (settlement.state === "unknown") return checkJob(change, settlement);
  const endsAt = settlement.state === "succeeded" ? endSetBy({ ...change, ...settlement }) : undefined;
  if (endsAt === undefined) return [];
  const lengthMs = endsAt - settlement.settledAt;
  const noticeMs = Math.min(warnMs, Math.floor(lengthMs / 2));
  // Rounded, since some milliseconds of the requested length have passed when the service answers.
  const requestedMs = Math.round(lengthMs / minuteMs) * minuteMs;
  const isWorthIt = requestedMs / 2 >= Math.min(warnMs, minNoticeMs);
  const subjectId = change.id;
  return [
    ...(isWorthIt ? [{ kind: "exclusion-warning", subjectId, dueAt: endsAt - noticeMs } as const] : []),
    { kind: "exclusion-end", subjectId, dueAt: endsAt + maxClockSkewMs },
  ];
}

/** The job that reads the outcome of a change, where reading shows it. */
function checkJob(change: ServiceChange, { settledAt }: Settlement): readonly NewJob[] {
  if (wayToCheck(change) !== "read") return [];
  return [{ kind: "outcome-check", subjectId: change.id, dueAt: firstCheckAt(settledAt) }];
}
