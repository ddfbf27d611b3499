import { announcementChannels } from "../../../changes/announce.ts";
import { type Change, isServiceChange } from "../../../changes/change.ts";
import { describeChange } from "../../../changes/change-command.ts";
import type { OutboxMessage } from "../../../changes/outbox-message.ts";
import type { ChangeStore, OutboxStore } from "../../../changes/ports.ts";
import { channel, clip, code, contextBlock, join, link, literal, type Message, type Mrkdwn, md } from "../message.ts";
import { approvedWords, decisionLines } from "./approval-blocks.ts";
import { type CardSources, cardContext } from "./card-context.ts";
import { changeCard } from "./change-card.ts";
import { exclusionState, isPast } from "./exclusion-state.ts";

export interface AskedThreadSources {
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
  return firstLine(change, context, `${change.actor.name} ${what}`, [...waits, code(change.id)]);
}

const isOpen: ReadonlySet<string> = new Set(["awaiting-approval", "approved", "performing"]);

/** Whether the channel sees the cards of such changes. */
export async function mayHear(
  change: Change,
  channelId: string,
  { store, cardSources }: Pick<AskedThreadSources, "cardSources"> & { store: Pick<OutboxStore, "cardChannels"> },
): Promise<boolean> {
  const announced = isServiceChange(change) && announcementChannels(change, cardSources.settings()).has(channelId);
  return announced || (await store.cardChannels(change.id)).includes(channelId);
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

/** The first line of the card, and a grey one. */
function firstLine(
  change: Change,
  context: Parameters<typeof changeCard>[1],
  text: string,
  grey: readonly Mrkdwn[],
): Message {
  const blocks = changeCard(change, context).blocks.slice(0, 1);
  const below = grey.length > 0 ? [contextBlock(join(grey, " · "))] : [];
  return { text: literal(clip(text, 1000)), blocks: [...blocks, ...below] };
}

async function waitWords(change: Change, { cardLink }: AskedThreadSources): Promise<readonly Mrkdwn[]> {
  const address = await cardLink(change);
  const where = md`waits for approval in ${channel(change.approval?.channelId ?? "")}`;
  return [where, ...(address === undefined ? [] : [link(address, "See the card")])];
}

const decided = (change: Change): readonly Mrkdwn[] =>
  change.state === "succeeded" || change.state === "planned" ? approvedWords(change) : decisionLines(change);
