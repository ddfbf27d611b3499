import type { ActionsBlock, KnownBlock } from "@slack/types";
import type { Denied } from "../../changes/authorize/decide-change.ts";
import type { Change } from "../../changes/change.ts";
import type { CommandButton, Problem } from "../../commands/answer.ts";
import { buttonRow, channelButton, selectRow } from "./button.ts";
import { holderMentions } from "./facts.ts";
import { clip, clipMrkdwn, contextBlock, escapeMrkdwn, escapeWithin, limits, type Message, mrkdwn } from "./message.ts";

export interface Refusal {
  readonly purpose?: "read" | "change";
  /** The next steps. */
  readonly buttons?: readonly CommandButton[];
  /** Who asked, and the line that they typed: where it is allowed in one channel only, the message leads there. */
  readonly teamId?: string | undefined;
  readonly typed?: string | undefined;
}

/** Why the reader may not do this, who could, and the next step. Mentions in a message that only one person sees notify nobody. */
export function refusalMessage(
  denied: Denied,
  { purpose = "change", buttons = [], teamId, typed }: Refusal = {},
): Message {
  const { couldDo, channels = [] } = denied;
  const ask = couldDo.length ? ` Who could: ${holderMentions(couldDo, "; ")}.` : "";
  const unchanged = purpose === "change" ? " Nothing was changed." : "";
  const why = refusalWords(denied);
  // Slack shows a channel's name to those who may know it.
  const named = channels.reduce((words, id) => words.replaceAll(id, `<#${id}>`), escapeWithin(why, 1500));
  const there = typed && isPlain(typed) ? `: ask there with \`${typed}\`.` : ": ask there.";
  const text = channels.length > 0 ? named.replace(/\.$/, there) : named;
  const [channel, ...others] = channels;
  const links = channel && teamId && others.length === 0 ? [channelButton(teamId, channel)] : [];
  return {
    text: escapeMrkdwn(`${why}${unchanged}`),
    blocks: [
      { type: "section", text: mrkdwn(`:no_entry: ${text}${unchanged}${ask}`) },
      ...buttonRow(buttons, ...links),
    ],
  };
}

/** Above a form whose sender may not do it themselves. */
export function askingNotice(denied: Denied): readonly KnownBlock[] {
  const [why] = refusalMessage({ ...denied, couldDo: [] }, { purpose: "read" }).blocks;
  return why ? [why, contextBlock("Others may allow it: fill in the form and send it, and you can ask them.")] : [];
}

/** Whether a line can be shown to be copied. Slack's marks around mentions and links would be shown as they are. */
const isPlain = (line: string): boolean => line.length <= 200 && !/[`<>&\n]/.test(line);

/** Why the reader may not do this, in words to them. */
export const refusalWords = ({ reason, toActor = reason }: Denied): string => toActor;

/** Why nothing was done, with buttons for the next step. */
export function problemMessage({ problem, buttons = [], select }: Problem): Message {
  if (select) return noticeMessage(":question:", problem, buttons, selectRow(select));
  return noticeMessage(":warning:", problem, buttons);
}

export function noticeMessage(
  icon: string,
  text: string,
  buttons: readonly CommandButton[] = [],
  select?: ActionsBlock,
): Message {
  return {
    text: escapeMrkdwn(clip(text, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(clipMrkdwn(`${icon} ${escapeMrkdwn(text)}`, limits.sectionText)) },
      ...(select ? [select] : []),
      ...buttonRow(buttons),
    ],
  };
}

/** For those who run Curfew: what to fix, and which change it is about. */
export function reportMessage({ actor, id, words }: Change, note: string): Message {
  return noticeMessage(":wrench:", `Change ${id} (${words}, by ${actor.name}): ${note}`);
}
