import type { WebClient } from "@slack/web-api";
import { followedIn } from "../../../changes/announce.ts";
import type { Change } from "../../../changes/change.ts";
import type { PostedCard } from "../../../changes/outbox-message.ts";
import type { OutboxStore } from "../../../changes/ports.ts";
import type { Thread } from "../../../commands/command.ts";
import type { Logger } from "../../../observability/log.ts";
import { within } from "../../../time/within.ts";
import { link, type Mrkdwn, md } from "../message.ts";

/** The link to a posted card; undefined when Slack gives none, as for a deleted one. Never throws. */
export type LinkTo = (card: PostedCard) => Promise<string | undefined>;

export const createLinkTo =
  ({ client, log }: { readonly client: WebClient; readonly log: Logger }): LinkTo =>
  async ({ channelId: channel, ts }) => {
    try {
      return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink || undefined;
    } catch (error) {
      log.debug({ err: error, channel, ts }, "could not get the link to a card");
      return undefined;
    }
  };

/** The link to the card on which a change waits for approval; undefined when there is no card or Slack gives no link. */
export type CardLink = (change: Pick<Change, "id" | "approval">) => Promise<string | undefined>;

export const createCardLink =
  (store: Pick<OutboxStore, "cardOf">, linkTo: LinkTo): CardLink =>
  async ({ id, approval }) => {
    const card = approval ? await store.cardOf(id, approval.channelId).catch(() => undefined) : undefined;
    return card && linkTo(card);
  };

/** The link to the message that a thread is under; undefined when Slack gives none. Never throws. */
export type ThreadLink = (thread: Thread) => Promise<string | undefined>;

const maxLinks = 1000;

/** Cards are drawn often, and a link stays the same. */
export function createThreadLink(linkTo: LinkTo): ThreadLink {
  const known = new Map<string, string>();
  return async ({ channelId, ts }) => {
    const key = `${channelId}:${ts}`;
    const link = known.get(key) ?? (await linkTo({ channelId, ts, threadTs: null }));
    if (link === undefined) return undefined;
    known.set(key, link);
    const [oldest] = known.keys();
    if (known.size > maxLinks && oldest !== undefined) known.delete(oldest);
    return link;
  };
}

/** A card does not wait for its link. */
const linkMs = 1500;

/** "asked for in a thread", of what was; the first thread of an exclusion that was asked about in several. */
export async function askedInWords(
  changes: readonly Change[],
  { store, threadLink }: { readonly store: Pick<OutboxStore, "changeOfCard">; readonly threadLink: ThreadLink },
): Promise<readonly Mrkdwn[]> {
  const [first] = await followedIn(changes, store);
  if (!first) return [];
  const address = await within(linkMs, threadLink(first.askedIn));
  return [md`asked for in ${address === undefined ? "a thread" : link(address, "a thread")}`];
}
