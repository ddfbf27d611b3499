import type { WebClient } from "@slack/web-api";
import type { Change } from "../../changes/change.ts";
import type { OutboxStore } from "../../changes/ports.ts";
import type { Logger } from "../../observability/log.ts";

export interface CardLinkOptions {
  readonly client: WebClient;
  readonly store: Pick<OutboxStore, "cardOf">;
  readonly log: Logger;
}

/** The link to the card on which a change waits for approval; undefined when there is no card or Slack gives no link. */
export type CardLink = (change: Pick<Change, "id" | "approval">) => Promise<string | undefined>;

export function createCardLink({ client, store, log }: CardLinkOptions): CardLink {
  return async ({ id, approval }) => {
    try {
      const card = approval ? await store.cardOf(id, approval.channelId) : undefined;
      if (!card) return undefined;
      const { channelId: channel, ts } = card;
      return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink;
    } catch (error) {
      log.debug({ err: error, changeId: id }, "could not get the link to a card");
      return undefined;
    }
  };
}
