import { isDeepStrictEqual } from "node:util";
import { commandOf } from "../commands/catalogue.ts";
import type { ActionDifference } from "../commands/changed-elsewhere.ts";
import type { Target, Thread } from "../commands/command.ts";
import { instant } from "../commands/exclusion/exclusion-body.ts";
import type { Directory } from "../directory/directory.ts";
import { isForAll, mayBeIn, mayBeWithin } from "../permissions/conditions.ts";
import type { Scope } from "../permissions/config-values.ts";
import { accountOf } from "../service/account-ids.ts";
import type { ChangeOperation } from "../service/operations.ts";
import { ActionExclusion } from "../service/resources.ts";
import { isOfAccount, madeMessages } from "./account-owner.ts";
import {
  type Change,
  endSetBy,
  isCreation,
  isRemoval,
  occurrenceOf,
  type ServiceChange,
  type Settlement,
} from "./change.ts";
import { targetsIn } from "./change-command.ts";
import type { NewJob } from "./job.ts";
import { isToAddress, type NewOutboxMessage, type OutboxKind } from "./outbox-message.ts";
import { firstCheckAt, wayToCheck } from "./outcomes/follow-up.ts";
import { isAbout } from "./perform/perform.ts";
import type { ChangeSettings, ChangeStore, OutboxStore } from "./ports.ts";
import { commandOfStep } from "./steps/authorize-steps.ts";
import { isInParts, isPart } from "./steps/parts.ts";
import { planOf } from "./steps/series.ts";
/**
 * The outbox messages for a settled change. `given`: the channels where it has a card already, if they are known. A change that
 * failed is announced to nobody but its requester, except on a card that it has already (it was approved there, or was taken
 * for interrupted). An exclusion has one card in a channel: later changes redraw it and add a line to its thread. The owner of
 * an altered account gets a direct message, and what waits for an approval about the same account is redrawn: its approvers
 * see every change.
 */
export async function announcements(
  change: ServiceChange,
  settlement: Settlement,
  settings: Pick<ChangeSettings, "announce">,
  store: AnnouncementStore,
  given?: readonly string[],
): Promise<readonly NewOutboxMessage[]> {
  if (isPart(change)) return onSeriesCard(change, store);
  const posted = given ?? (await store.cardChannels(change.id));
  const onOwnCards = [
    ...cardUpdates(change, posted),
    ...(isForThread(change, settlement, [change]) ? threadLines(change, posted) : []),
    ...(await onSeriesCard(change, store)),
  ];
  const found = await foundMessages(change, settlement, settings, store);
  // What was unknown has a line in a thread, so its outcome has one too.
  if (settlement.state === "failed" && !settlement.verified && found.length === 0 && !settlement.isSubjectGone)
    return onOwnCards;
  const channels = await announcementChannels(change, settings, store);
  const { messages, channels: withCard } = await followUps(change, settlement, store);
  if (settlement.state === "failed") return [...onOwnCards, ...messages, ...found];
  const hasCard = [...posted, ...(change.subjectKind === "exclusion" ? withCard : [])];
  const cards = newCards(change, channels, hasCard);
  const aboutAccount = isOfAccount(change)
    ? [...(await madeMessages({ ...change, ...settlement }, store)), ...(await waitingCards(change, store))]
    : [];
  return [...onOwnCards, ...cards, ...messages, ...aboutAccount, ...found];
}

/** The channels that hear of changes like this one. */
export async function announcementChannels(
  change: ServiceChange,
  { announce }: Pick<ChangeSettings, "announce">,
  directory: Pick<Directory, "get">,
): Promise<ReadonlySet<string>> {
  const shown = operationsShown(change);
  const entries = announce.filter(({ operations }) => shown.some((each) => operations.has(each)));
  return channelsAbout(change, entries, directory);
}

async function channelsAbout(
  change: ServiceChange,
  entries: ChangeSettings["announce"],
  directory: Pick<Directory, "get">,
): Promise<ReadonlySet<string>> {
  return channelsFor(entries, entries.every(isForAll) ? [] : await targetsOf(change, directory));
}

/**
 * The channels of the entries for one of these targets, and for all. What names no machines concerns every group of its project. Where no
 * project is known, as for accounts, those for all, and without one of them every entry's: nothing goes unannounced because Curfew does
 * not know where it is.
 */
export function channelsFor(
  entries: readonly (Scope & { readonly channel: string })[],
  targets: readonly Target[],
): ReadonlySet<string> {
  const placed = targets.filter(({ projectId }) => projectId !== undefined);
  const heard = entries.filter((entry) => {
    // An account is known of what has no project, too.
    const known = (entry.projects ?? entry.groups) ? placed : targets;
    return isForAll(entry) || known.some((each) => mayBeWithin(entry, each));
  });
  const may = entries.filter(({ accounts }) => targets.every(({ account }) => mayBeIn(accounts, account)));
  return new Set((heard.length > 0 || placed.length > 0 ? heard : may).map(({ channel }) => channel));
}

async function targetsOf(change: ServiceChange, directory: Pick<Directory, "get">): Promise<readonly Target[]> {
  const command = commandOf(change.words);
  if (command?.kind !== "change") return [];
  const { subjectId, requestedAt: now } = change;
  const own = await targetsIn(command, occurrenceOf(change), { subjectId, now, directory });
  // Somebody is offboarded in each account.
  const users = planOf(change).steps.flatMap(({ input: { user } }) => (typeof user === "string" ? [user] : []));
  return [...own, ...users.map((user) => ({ account: accountOf(user) }))];
}

/** Cards for the channels that have none yet. */
export const newCards = (
  { id: changeId }: Pick<Change, "id">,
  channels: ReadonlySet<string>,
  posted: readonly string[],
): readonly NewOutboxMessage[] =>
  [...channels].filter((to) => !posted.includes(to)).map((to) => ({ changeId, kind: "card", to, underChangeId: null }));

type AnnouncementStore = Pick<ChangeStore, "about" | "find" | "list" | "waiting"> &
  Pick<Directory, "get"> &
  Pick<OutboxStore, "cardChannels" | "changeOfCard" | "messagesOf">;

/** The card of a series shows each of its steps. */
export async function onSeriesCard(
  { parentId }: Change,
  store: Pick<OutboxStore, "cardChannels">,
): Promise<readonly NewOutboxMessage[]> {
  return parentId === undefined ? [] : cardUpdates({ id: parentId }, await store.cardChannels(parentId));
}

/** A series is announced where any of its steps would be, in their place. */
function operationsShown(change: ServiceChange): readonly ChangeOperation[] {
  if (change.parentId !== undefined) return [];
  return [change.operation, ...planOf(change).steps.map((step) => commandOfStep(step).operation)];
}

/** Redraws what waits for an approval about the same account. */
async function waitingCards(change: Change, store: AnnouncementStore): Promise<readonly NewOutboxMessage[]> {
  const isSame = (other: Change) =>
    other.id !== change.id && other.subjectId === change.subjectId && isOfAccount(other);
  const waiting = (await store.waiting()).filter(isSame);
  return (await Promise.all(waiting.map(async (each) => cardUpdates(each, await store.cardChannels(each.id))))).flat();
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
  store: AnnouncementStore,
): Promise<{ readonly messages: readonly NewOutboxMessage[]; readonly channels: readonly string[] }> {
  const isDone = settlement.state === "succeeded";
  const { subjectKind, subjectId } = change;
  const made = subjectKind === "exclusion" && subjectId !== null ? await store.about(subjectKind, subjectId) : [];
  const earlier = isDone || subjectKind === "exclusion" ? earlierIds(change, made) : [];
  const cards = await Promise.all(earlier.map(async (id) => ({ id, channels: await store.cardChannels(id) })));
  const firstIn = firstCardIn(cards);
  // An exclusion that the service no longer knows is over, and one in parts may be altered in part.
  const isRedrawn = isDone || isMadeInPart(change, settlement) || settlement.isSubjectGone;
  const isOver = settlement.isSubjectGone || (isDone && isRemoval(change));
  const redrawn = isRedrawn ? cards.flatMap(({ id, channels }) => cardUpdates({ id }, channels)) : [];
  const former = isRedrawn ? made.filter(({ id }) => id !== change.id) : [];
  const undone = change.undoes === null ? undefined : await store.find(change.undoes);
  const updates = await buttonUpdates([setterOf(former), isDone ? undone : undefined], store);
  const isNews = settlement.state !== "failed" || settlement.verified !== undefined;
  // The thread of an exclusion lists all its changes.
  const isForOthers = isForThread(change, settlement, undone ? [...made, undone] : made);
  const hasLine = isNews && (subjectKind === "exclusion" || isForOthers);
  const lines = !hasLine ? [] : [...firstIn].flatMap(([to, id]) => threadLines(change, [to], id));
  const asked = isOver ? await followedIn(made, store) : [];
  // In the threads where an exclusion was asked for: that it is over.
  const over = asked.flatMap((each) => inAskedThread(change, "asked-over", each));
  return { messages: [...redrawn, ...updates, ...lines, ...over], channels: [...firstIn.keys()] };
}

const isMadeInPart = (change: Change, { state }: Settlement): boolean => state === "partly" && isInParts(change);

/**
 * Whether a change is news in the threads of the cards of `earlier`. Who asked for it and who decided last read its outcome elsewhere,
 * so it is only if others took part, or it is not certain what happened.
 */
function isForThread(change: Change, { state, verified }: Settlement, earlier: readonly Change[]): boolean {
  if (state === "unknown" || verified !== undefined) return true;
  const acting = [change.actor.userId, change.decisions.at(-1)?.approverId];
  const people = earlier.flatMap(({ actor, decisions }) => [
    actor.userId,
    ...decisions.map(({ approverId }) => approverId),
  ]);
  return people.some((id) => !acting.includes(id));
}

/** The changes whose cards this one alters: the change it undoes, or all changes of the same exclusion, oldest first. */
function earlierIds({ id, undoes }: Change, made: readonly Change[]): readonly string[] {
  const ids = shownOn(made.filter((change) => change.id !== id));
  return undoes === null || ids.includes(undoes) ? ids : [undoes, ...ids];
}

/** The changes on whose cards these of one exclusion are shown: a time of a series is on the card of its series. */
export const shownOn = (changes: readonly Change[]): readonly string[] =>
  changes.map((change) => (isCreation(change) ? (change.parentId ?? change.id) : change.id));

/** Redraws the cards of a change, in all channels. */
export function cardUpdates({ id }: Pick<Change, "id">, channels: readonly string[]): readonly NewOutboxMessage[] {
  return channels.map((to) => ({ changeId: id, kind: "update", to, underChangeId: null }));
}

/** The change that set the end of their exclusion. */
export const setterOf = (changes: readonly Change[]): Change | undefined =>
  changes.findLast((change) => endSetBy(change) !== undefined);

/** Redraws the messages about changes, beside their cards: their buttons no longer work. */
export async function buttonUpdates(
  changes: readonly (Change | undefined)[],
  store: Pick<OutboxStore, "messagesOf">,
): Promise<readonly NewOutboxMessage[]> {
  const ids = new Set(changes.flatMap((change) => change?.id ?? []));
  const messages = (await Promise.all([...ids].map((id) => store.messagesOf(id)))).flat();
  return messages.map(({ kind, ...message }) => ({ ...message, kind: `${kind}-update` as const }));
}

/**
 * A line about the change in the threads of its cards, or of those of an earlier change of the same subject. An account's owner gets
 * a message instead.
 */
export function threadLines(
  { id: changeId }: Change,
  channels: readonly string[],
  underChangeId: string = changeId,
): readonly NewOutboxMessage[] {
  const lines = channels.map((to) => ({ changeId, kind: "thread", to, underChangeId }) as const);
  return lines.filter((line) => !isToAddress(line));
}

type Requested = Pick<Change, "id" | "executionId"> & { readonly actor: Pick<Change["actor"], "userId"> };

/** A direct message with the outcome. The step of a workflow that asked for it ends. */
export function notifyRequester({ id: changeId, actor, executionId }: Requested): NewOutboxMessage {
  if (executionId !== undefined) return { changeId, kind: "step", to: executionId, underChangeId: null };
  return { changeId, kind: "notify-requester", to: actor.userId, underChangeId: null };
}

/** For a requester who was answered before: a line in the thread where they asked, else a direct message. */
export function lateOutcome(change: Requested & Pick<Change, "askedIn">): readonly NewOutboxMessage[] {
  const inThread = inAskedThread(change, "asked-outcome", change);
  return inThread.length > 0 && change.executionId === undefined ? inThread : [notifyRequester(change), ...inThread];
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
  if (isPart(change)) return [];
  if (settlement.state === "unknown") return checkJob(change, settlement);
  const isMade = settlement.state === "succeeded" || isMadeInPart(change, settlement);
  const endsAt = isMade ? endSetBy({ ...change, ...settlement }) : undefined;
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

/* A change that was asked for in a thread is followed in that thread too, besides its cards. */

type AskedKind = Extract<OutboxKind, `asked-${string}`>;
/** A message in the thread where `asked` was asked for; none without a thread. */
export function inAskedThread(
  { id: changeId }: Pick<Change, "id">,
  kind: AskedKind,
  { id: underChangeId, askedIn }: Pick<Change, "id" | "askedIn">,
): readonly NewOutboxMessage[] {
  return askedIn ? [{ changeId, kind, to: askedIn.channelId, underChangeId }] : [];
}

/**
 * The changes of one exclusion in whose threads people follow it, one for each thread. The thread of its own card has its lines
 * anyway, and who ends it needs no link.
 */
export async function followedIn(
  changes: readonly Change[],
  store: Pick<OutboxStore, "changeOfCard">,
): Promise<readonly (Change & { readonly askedIn: Thread })[]> {
  const own = new Set(changes.flatMap(({ id, parentId = id }) => [id, parentId]));
  const found = new Map<string, Change & { readonly askedIn: Thread }>();
  for (const change of changes) {
    const { askedIn } = change;
    if (!askedIn || isRemoval(change)) continue;
    const key = `${askedIn.channelId}:${askedIn.ts}`;
    if (found.has(key)) continue;
    const cardOf = await store.changeOfCard(askedIn.channelId, askedIn.ts);
    if (cardOf === undefined || !own.has(cardOf)) found.set(key, { ...change, askedIn });
  }
  return [...found.values()];
}

/** What a change found that somebody had done to its exclusion in the service. */
type FoundElsewhere =
  | { readonly what: "ended" }
  | { readonly what: "changed"; readonly differences: readonly ActionDifference[] };

/**
 * The service does not list exclusions, so only a change of one shows what became of it: the service knows it no longer before its
 * end, or its answer has other values where the request set none. What the request sets is overwritten unseen.
 */
export function foundElsewhere(change: Change): FoundElsewhere | undefined {
  if (change.subjectKind !== "exclusion" || isCreation(change) || change.before === null) return undefined;
  if (change.state === "failed") return isEndedElsewhere(change) ? { what: "ended" } : undefined;
  if (change.state !== "succeeded" || isRemoval(change)) return undefined;
  const differences = unsentDifferences(change);
  return differences.length > 0 ? { what: "changed", differences } : undefined;
}

/** An exclusion that is over may be removed by the service itself. */
function isEndedElsewhere(change: Change): boolean {
  const { error, before, settledAt, requestedAt } = change;
  const endsAt = instant(ActionExclusion.safeParse(before).data?.expiryDate);
  return error !== null && isAbout(change, error.code) && (endsAt ?? 0) > (settledAt ?? requestedAt);
}

/** They differ after every change. */
const ownFields: readonly string[] = [
  "curfewParts",
  "lastModifiedDate",
  "lastModifiedBy",
  "createdDate",
  "status",
  "projectId",
];

function unsentDifferences({ before, request, answer }: Change): readonly ActionDifference[] {
  const [one, other] = [before, answer].map((body) => Object.entries(body ?? {}));
  const now = new Map<string, unknown>(other);
  return (one ?? []).flatMap(([part, was]) => {
    const is = now.get(part);
    const isUnsent = !(part in request) && !ownFields.includes(part) && now.has(part);
    return isUnsent && !isSame(was, is) ? [{ part, before: textOf(was), after: textOf(is) }] : [];
  });
}

const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one ?? null, other ?? null) || (momentOf(one) !== undefined && momentOf(one) === momentOf(other));

/** In whole seconds: the same moment may be written with or without its milliseconds. */
function momentOf(value: unknown): number | undefined {
  const at = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? instant(value) : undefined;
  return at === undefined ? undefined : Math.floor(at / 1000);
}

function textOf(value: unknown): string | number | null {
  const seconds = momentOf(value);
  if (seconds !== undefined) return seconds * 1000;
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The messages about it, to the channels that want to know. */
async function foundMessages(
  change: ServiceChange,
  settlement: Settlement,
  { announce }: Pick<ChangeSettings, "announce">,
  directory: Pick<Directory, "get">,
): Promise<readonly NewOutboxMessage[]> {
  if (!foundElsewhere({ ...change, ...settlement })) return [];
  const entries = announce.filter(({ isElsewhere }) => isElsewhere);
  const channels = await channelsAbout(change, entries, directory);
  return [...channels].map((to) => ({ changeId: change.id, kind: "found-elsewhere", to, underChangeId: null }));
}
