import type { Button } from "@slack/types";
import type { ConfigVerdict, HeldConfig } from "../../changes/config-requests.ts";
import { holders, type Role } from "../../permissions/policy.ts";
import { plainText } from "../fields/field-kind.ts";
import { holderMentions } from "./facts.ts";
import { clip, contextBlock, escapeMrkdwn, escapeWithin, limits, type Message, mrkdwn } from "./message.ts";

/** Action ids of the buttons, before the verdict. */
export const configAction = "config";

const shownLines = 10;

/** Asks whether a config that loosens something shall be used. */
export function configRequestCard(held: HeldConfig, deciders: readonly Role[]): Message {
  const { file, loosens, tightens, id } = held;
  const heading = `${file} has changed and would loosen what is in force. Nothing has changed yet: the old config stays until somebody decides.`;
  const also = tightens.length > 0 ? `It also tightens ${tightens.join(", ")}; that waits as well.` : "";
  const who = deciders.length > 0 ? `${holderMentions(holders(deciders), " or ")} can decide here. ` : "";
  const isDecidable = holders(deciders).length > 0;
  return {
    text: escapeMrkdwn(clip(heading, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(`:unlock: ${escapeWithin(heading, 1000)}`) },
      { type: "section", text: mrkdwn(escapeWithin(bullets(loosens), limits.sectionText)) },
      ...(also ? [contextBlock(escapeWithin(also, 1000))] : []),
      contextBlock(
        `${who}SIGHUP or a restart uses the new config too. If nobody meant this change, look into who wrote the file.`,
      ),
      ...(isDecidable
        ? [
            {
              type: "actions" as const,
              elements: [button("use", "Use it", id), button("keep", "Keep the old one", id)],
            },
          ]
        : []),
    ],
  };
}

/** The first few: a message has little room. */
export function bullets(lines: readonly string[]): string {
  const more = lines.length - shownLines;
  const shown = lines.slice(0, shownLines).map((line) => `• ${clip(line, 250)}`);
  return [...shown, ...(more > 0 ? [`• and ${more} more`] : [])].join("\n");
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
  text: plainText("It takes effect at once, for everybody."),
  confirm: plainText("Use it"),
  deny: plainText("Cancel"),
} as const;
