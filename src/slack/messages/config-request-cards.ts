import type { WebClient } from "@slack/web-api";
import type { ConfigCards } from "../../changes/config-requests.ts";
import type { Logger } from "../../observability/log.ts";
import { configRequestCard } from "./config-request-card.ts";
import { noticeMessage } from "./outcome-message.ts";

const quiet = { parse: "none", link_names: false } as const;

/** The messages that ask the admins about a config. One that cannot be posted is posted later; one that cannot be closed stays. */
export function createConfigRequestCards(client: WebClient, log: Logger): ConfigCards {
  return {
    post: async (channel, held, deciders) => {
      const message = configRequestCard(held, deciders);
      const unfolding = { unfurl_links: false, unfurl_media: false };
      const posted = await client.chat.postMessage({ channel, ...message, parse: "none", ...unfolding });
      return posted.channel && posted.ts ? { channelId: posted.channel, ts: posted.ts } : undefined;
    },
    close: async ({ channelId: channel, ts }, text) => {
      await client.chat
        .update({ channel, ts, ...noticeMessage(":information_source:", text), ...quiet })
        .catch((error: unknown) => log.warn({ err: error }, "the message about a config could not be closed"));
    },
  };
}
