import type { Button } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import type { ConfigCards, ConfigVerdict, HeldConfig } from "../../../changes/config-requests.ts";
import type { Logger } from "../../../observability/log.ts";
import { holders, type Role } from "../../../permissions/policy.ts";
import { plainText } from "../../fields/field-kind.ts";
import { holderMentions } from "../facts.ts";
import { contextBlock, type Message, message, section } from "../message.ts";
import { noticeMessage } from "../notices.ts";
import { clip, lines, literal, md } from "../text.ts";

/** Action ids of the buttons, before the verdict. */
export const configAction = "config";

const shownLines = 10;
const quiet = { parse: "none", link_names: false } as const;

/** The cards that ask the admins about a config. A failed post is repeated by the caller; a failed close leaves the card as it is. */
export function createConfigRequestCards(client: WebClient, log: Logger): ConfigCards {
  return {
    post: async (channel, held, deciders) => {
      const message = configRequestCard(held, deciders);
      const unfurling = { unfurl_links: false, unfurl_media: false };
      const posted = await client.chat.postMessage({ channel, ...message, parse: "none", ...unfurling });
      return posted.channel && posted.ts ? { channelId: posted.channel, ts: posted.ts } : undefined;
    },
    close: async ({ channelId: channel, ts }, text) => {
      await client.chat
        .update({ channel, ts, ...noticeMessage(":information_source:", text), ...quiet })
        .catch((error: unknown) => log.warn({ err: error }, "could not close the card about a config"));
    },
  };
}

/** Asks whether to use a config that loosens something. */
export function configRequestCard(held: HeldConfig, deciders: readonly Role[]): Message {
  const { file, loosens, tightens, id } = held;
  const heading = `${file} has changed and would loosen the rules in force. Nothing has changed yet: the old config stays until somebody decides.`;
  const also = tightens.length > 0 ? `It also tightens ${tightens.join(", ")}. That waits too.` : "";
  const who = deciders.length > 0 ? md`${holderMentions(holders(deciders))} can decide here. ` : "";
  const isDecidable = holders(deciders).length > 0;
  const elements = [button("use", "Use it", id), button("keep", "Keep the old one", id)];
  return message(heading, [
    section(md`:unlock: ${literal(heading, 1000)}`),
    section(lines(bullets(loosens))),
    ...(also ? [contextBlock(literal(also, 1000))] : []),
    contextBlock(
      md`${who}SIGHUP or a restart also applies the new config. If nobody meant this change, find out who edited the file.`,
    ),
    ...(isDecidable ? [{ type: "actions", elements } as const] : []),
  ]);
}

/** The first few lines: a message has little room. */
export function bullets(lines: readonly string[]): readonly string[] {
  const more = lines.length - shownLines;
  const shown = lines.slice(0, shownLines).map((line) => `• ${clip(line, 250)}`);
  return [...shown, ...(more > 0 ? [`• and ${more} more`] : [])];
}

function button(verdict: ConfigVerdict, label: string, id: string): Button {
  const isUse = verdict === "use";
  return {
    type: "button",
    action_id: `${configAction}:${verdict}`,
    text: plainText(label),
    value: id,
    ...(isUse ? { style: "danger", confirm: confirmation } : {}),
  };
}

const confirmation = {
  title: plainText("Use the new config?"),
  text: plainText("It takes effect immediately, for everybody."),
  confirm: plainText("Use it"),
  deny: plainText("Cancel"),
} as const;
