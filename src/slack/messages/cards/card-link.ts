import type { WebClient } from "@slack/web-api";
import type { Change } from "../../../changes/change.ts";
import type { PostedCard } from "../../../changes/outbox-message.ts";
import type { OutboxStore } from "../../../changes/ports.ts";
import type { Logger } from "../../../observability/log.ts";

/** The link to a posted card; undefined when Slack gives none, as for a deleted one. Never throws. */
export type LinkTo = (card: PostedCard) => Promise<string | undefined>;

export const createLinkTo =
  ({ client, log }: { readonly client: WebClient; readonly log: Logger }): LinkTo =>
  async ({ channelId: channel, ts }) => {
    try {
      return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink;
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
