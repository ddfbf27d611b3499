import { announcementChannels } from "../../../changes/announce.ts";
import { rightsOf } from "../../../changes/authorize/decide-change.ts";
import { type Change, endSetBy, isOver, isServiceChange, stillEndsBy } from "../../../changes/change.ts";
import { describeChange } from "../../../changes/change-command.ts";
import type { OutboxMessage } from "../../../changes/outbox-message.ts";
import type { ChangeSettings, ChangeStore, OutboxStore } from "../../../changes/ports.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import { exclusionEnd } from "../../../commands/exclusion/exclusion.ts";
import {
  endAmong,
  keepWords,
  mayAlter,
  namedWords,
  processWords,
  resourceWords,
} from "../../../commands/exclusion/exclusion-body.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import { type AlsoHeld, alsoHeld } from "../../../commands/exclusion/overlapping-exclusions.ts";
import type { DirectoryStore, Entity } from "../../../directory/directory.ts";
import { type Actor, isProgram } from "../../../permissions/actor.ts";
import { formatDuration } from "../../../time/duration.ts";
import { buttonRow, withButtons } from "../button.ts";
import { contextBlock, type Message, message, section } from "../message.ts";
import { bold, channel, code, date, join, link, literal, type Mrkdwn, md, mention } from "../text.ts";
import { bodyAfter, type CardContext, type CardSources, cardContext, exclusionState, isPast } from "./card-context.ts";
import { changeCard, undoButtons } from "./change-card.ts";
import { approvalButtons, approvedWords, decisionLines } from "./change-state.ts";
import { again, endButton, extendButtons, givenName, keeping, subject, toKeep } from "./exclusion-card.ts";

interface ExclusionReminderOptions {
  readonly store: Pick<ChangeStore, "about"> &
    Pick<OutboxStore, "cardChannels"> &
    Pick<DirectoryStore, "get" | "liveExclusions">;
  readonly actor: (userId: string) => Promise<Actor>;
  readonly settings: () => ChangeSettings;
  readonly now: () => number;
  readonly cardSources: CardSources;
}

/** People see whole minutes: an exclusion that ends in the same minute does not count as lasting longer. */
const sameMinuteMs = 60_000;

/** A reminder of the end that a change gave its exclusion; undefined when that end no longer comes. */
export type DrawReminder = (outboxMessage: OutboxMessage, change: Change) => Promise<Message | undefined>;

/**
 * Draws reminders as things stand when they are posted. In a thread everybody sees the same buttons, as on the card. In private the
 * owner sees only buttons that they may use there, and otherwise a channel where they may.
 */
export function createExclusionReminders({
  store,
  actor,
  settings,
  now,
  cardSources,
}: ExclusionReminderOptions): DrawReminder {
  return async ({ kind, underChangeId, to }, change) => {
    const exclusion = change.subjectId === null ? undefined : await store.get("exclusion", change.subjectId);
    if (!exclusion || exclusion.endedAt !== null) return undefined;
    const changes = await store.about("exclusion", exclusion.id);
    const lasting = stillEndsBy(change.id, changes);
    if (!lasting?.isEnabled || lasting.endsAt <= now()) return undefined;
    const [first = change, ...later] = changes;
    const context = await cardContext(cardSources, first, later, now());
    const others = await alsoHeld(exclusion, lasting.endsAt + sameMinuteMs, store);
    const ending = { exclusion, made: first, context, endsAt: lasting.endsAt, alsoHeld: others };
    const all = [...extendButtons(exclusion.id, lasting.endsAt, change.id), endButton(exclusion.id)];
    if (underChangeId !== null) {
      const shown = { zone: change.actor.timeZone, buttons: all, elsewhere: undefined };
      if (kind !== "asked-reminder") return exclusionReminder({ ...ending, ...shown, reader: "card" });
      const hears = await mayHear(first, to, { store, cardSources });
      return exclusionReminder({ ...ending, ...shown, reader: hears ? "thread" : "stranger" });
    }
    const owner = await actor(to);
    const allowedIn = (channelId: string | null) => all.filter(isAllowed(exclusion, owner, settings(), channelId));
    const channels = (await Promise.all(changes.map(({ id }) => store.cardChannels(id)))).flat();
    const buttons = allowedIn(null);
    const elsewhere = channels.find((channelId) => allowedIn(channelId).length > buttons.length);
    return exclusionReminder({ ...ending, zone: owner.timeZone, reader: "owner", buttons, elsewhere });
  };
}

function isAllowed(exclusion: Entity<"exclusion">, actor: Actor, settings: ChangeSettings, channelId: string | null) {
  const may = rightsOf(settings, actor, channelId);
  return ({ words }: { readonly words: string }): boolean =>
    mayAlter(exclusion, (words === exclusionEnd.words ? exclusionEnd : exclusionExtend).operation, { may, actor });
}

interface EndingExclusion {
  readonly exclusion: Entity<"exclusion">;
  /** The first known change of it. */
  readonly made: Change;
  readonly context: CardContext;
  /** In epoch ms. */
  readonly endsAt: number;
  /** By other exclusions, when this one ends. */
  readonly alsoHeld: readonly AlsoHeld[];
  readonly zone: string;
  /**
   * For its owner alone, in the thread of its card, or in the thread where it was asked for: of a channel that sees such cards, or of
   * one that does not and only reads what was said there.
   */
  readonly reader: "owner" | "card" | "thread" | "stranger";
  readonly buttons: readonly CommandButton[];
  /** A channel where the owner may do what they may not do here. */
  readonly elsewhere: string | undefined;
}

/** Says that an exclusion ends soon, and what comes then. */
export function exclusionReminder(ending: EndingExclusion): Message {
  const { exclusion, made, context, endsAt, zone, buttons, elsewhere } = ending;
  const what = subject(exclusion.body, context);
  const name = givenName(made, exclusion.body).map((given) => md` (${given})`);
  const owner = exclusion.ownerId && !isProgram(exclusion.ownerId) ? mention(exclusion.ownerId) : undefined;
  const end = date(endsAt, zone);
  const kept = md`${keeping(exclusion.body, what)}${ending.reader === "stranger" ? "" : join(name, "")} until ${end}.`;
  const starts = {
    owner: md`You're ${kept}`,
    // Its owner gets a direct message.
    card: md`This ends ${end}.`,
    thread: md`${owner ?? "Somebody"} is ${kept}`,
  };
  const start = ending.reader === "stranger" ? starts.thread : starts[ending.reader];
  const others = ending.reader === "stranger" ? [] : otherLines(ending);
  const then = others.length > 0 || ending.reader === "stranger" ? "" : md` ${afterwards(ending, what)}`;
  const where = elsewhere ? md` You can extend or end it in ${channel(elsewhere)}.` : "";
  const sentence = md`:alarm_clock: ${start}${then}${where}`;
  return message(
    `${formatDuration(endsAt - context.now)} left of ${keepWords(exclusion.body, "doing", namedWords(exclusion.body))}`,
    [section(sentence), ...(others.length ? [section(join(others, "\n"))] : []), ...buttonRow(buttons)],
  );
}

/** "Then “Stop staging” stops it tomorrow 19:00.", as far as that is known. */
function afterwards({ exclusion: { body }, context, zone }: EndingExclusion, what: Mrkdwn): Mrkdwn {
  const { nextStop } = context;
  if (nextStop === undefined) return md`Then ${again(what, body, context)}.`;
  return md`Then “${literal(nextStop.action, 200)}” stops it ${date(nextStop.at, zone)}.`;
}

const shownOthers = 3;

/** The exclusions that still hold the resources. One of another project is not named: the reader may not be allowed to see it. */
function otherLines({ alsoHeld, exclusion, zone }: EndingExclusion): readonly Mrkdwn[] {
  const lines = alsoHeld.slice(0, shownOthers).map(({ by, resourceIds, processes }) => {
    const isNamed = by.projectId === exclusion.projectId;
    const which = isNamed ? bold(by.name ?? by.id, 100) : "Another one";
    const held = literal(`${resourceWords(resourceIds)} from ${processWords(processes)}`, 300);
    const end = endAmong(by.body, resourceIds);
    return md`${which} still keeps ${held}${end === undefined ? "" : md` until ${date(end, zone)}`}.`;
  });
  const more = alsoHeld.length - shownOthers;
  return more > 0 ? [...lines, md`So ${more === 1 ? "does 1 more" : md`do ${more} more`}.`] : lines;
}

interface AskedThreadSources {
  readonly store: Pick<ChangeStore, "about"> & Pick<OutboxStore, "cardChannels">;
  readonly cardSources: CardSources;
  /** The link to the card on which a change waits for approval. */
  readonly cardLink: (change: Change) => Promise<string | undefined>;
}

/**
 * A line in the thread where something was asked for: what it waits for, how that ended, or that an exclusion is over. Undefined when
 * that is no longer so, and where the channel does not hear of such changes.
 */
export async function askedThreadMessage(
  { kind, to }: OutboxMessage,
  change: Change,
  now: number,
  sources: AskedThreadSources,
): Promise<Message | undefined> {
  if (kind === "asked-over") return overMessage(change, now, sources);
  const isRight = kind === "asked-approval" ? change.state === "awaiting-approval" : !isOpen.has(change.state);
  if (!isRight || !(await mayHear(change, to, sources))) return undefined;
  const context = await cardContext(sources.cardSources, change, [], now);
  const waits = change.state === "awaiting-approval" ? await waitWords(change, sources) : decided(change);
  const { done, asked } = describeChange(change);
  const what = change.state === "succeeded" ? done : `wanted to ${asked}`;
  const said = firstLine(
    change,
    context,
    `${change.actor.name} ${what}`,
    isOver(change.state) ? waits : [...waits, code(change.id)],
  );
  return isOver(change.state) ? withButtons(said, [...approvalButtons(change), ...undoButtons(change)]) : said;
}

const isOpen: ReadonlySet<string> = new Set(["awaiting-approval", "approved", "performing"]);

/** Whether the channel sees the cards of such changes. */
async function mayHear(
  change: Change,
  channelId: string,
  { store, cardSources }: Pick<AskedThreadSources, "cardSources"> & { store: Pick<OutboxStore, "cardChannels"> },
): Promise<boolean> {
  if (isServiceChange(change)) {
    const channels = await announcementChannels(change, cardSources.settings(), cardSources.store);
    if (channels.has(channelId)) return true;
  }
  return (await store.cardChannels(change.id)).includes(channelId);
}

async function overMessage(
  { subjectId }: Change,
  now: number,
  { store, cardSources }: AskedThreadSources,
): Promise<Message | undefined> {
  const [first, ...later] = subjectId === null ? [] : await store.about("exclusion", subjectId);
  if (!first) return undefined;
  const context = await cardContext(cardSources, first, later, now);
  if (!isPast(exclusionState(first, later, now, context.goneAt))) return undefined;
  return firstLine(first, context, `What ${first.actor.name} asked for here is over`, []);
}

/** What a reminder says when the end that it was about has moved or come. In a thread its lines say the rest. */
export async function overtakenReminder(
  { underChangeId }: OutboxMessage,
  change: Change,
  now: number,
  { cardSources }: Pick<AskedThreadSources, "cardSources">,
): Promise<Message> {
  const body = bodyAfter([change]);
  const end = date(endSetBy(change) ?? now, change.actor.timeZone);
  const words =
    underChangeId === null
      ? md`The plan was to ${toKeep(body, subject(body, await cardContext(cardSources, change, [], now)))} until ${end}.`
      : md`This was to end ${end}.`;
  return message("This was to end", [section(md`:alarm_clock: ${words}`)]);
}

/** The first line of the card, and a grey one. */
function firstLine(
  change: Change,
  context: Parameters<typeof changeCard>[1],
  text: string,
  grey: readonly Mrkdwn[],
): Message {
  const blocks = changeCard(change, context).blocks.slice(0, 1);
  const below = grey.length > 0 ? [contextBlock(join(grey, " · "))] : [];
  return message(text, [...blocks, ...below]);
}

async function waitWords(change: Change, { cardLink }: AskedThreadSources): Promise<readonly Mrkdwn[]> {
  const address = await cardLink(change);
  const where = md`waits for approval in ${channel(change.approval?.channelId ?? "")}`;
  return [where, ...(address === undefined ? [] : [link(address, "See the card")])];
}

const decided = (change: Change): readonly Mrkdwn[] =>
  change.state === "succeeded" || change.state === "planned" ? approvedWords(change) : decisionLines(change);
