import type { ActionsBlock, KnownBlock } from "@slack/types";
import type { Denied } from "../../changes/authorize/decide-change.ts";
import type { Change } from "../../changes/change.ts";
import type { CommandButton, Problem } from "../../commands/answer.ts";
import { buttonRow, channelButton, selectRow } from "./button.ts";
import { holderMentions } from "./facts.ts";
import {
  channel,
  clip,
  clipMrkdwn,
  code,
  contextBlock,
  type Icon,
  join,
  limits,
  lines,
  literal,
  type Message,
  type Mrkdwn,
  md,
  mrkdwn,
} from "./message.ts";

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
  const { couldDo, isToAsk, channels = [] } = denied;
  const could = isToAsk ? "Who could ask for it" : "Who could";
  const ask = couldDo.length ? md` ${could}: ${holderMentions(couldDo, "; ")}.` : "";
  const unchanged = purpose === "change" ? " Nothing was changed." : "";
  const why = refusalWords(denied);
  const there = typed && isPlain(typed) ? md`: ask there with ${code(typed)}.` : ": ask there.";
  const text =
    channels.length > 0
      ? md`${withChannels(clip(why.replace(/\.$/, ""), 1500), channels)}${there}`
      : literal(why, 1500);
  const [channel, ...others] = channels;
  const links = channel && teamId && others.length === 0 ? [channelButton(teamId, channel)] : [];
  return {
    text: literal(`${why}${unchanged}`),
    blocks: [
      { type: "section", text: mrkdwn(md`:no_entry: ${text}${unchanged}${ask}`) },
      ...buttonRow(buttons, ...links),
    ],
  };
}

/** The words with their channels' ids as mentions. */
const withChannels = (words: string, [id, ...others]: readonly string[]): Mrkdwn =>
  id === undefined
    ? literal(words)
    : join(
        words.split(id).map((part) => withChannels(part, others)),
        channel(id),
      );

/** Above a form whose sender may not do it themselves. */
export function askingNotice(denied: Denied): readonly KnownBlock[] {
  const [why] = refusalMessage({ ...denied, couldDo: [] }, { purpose: "read" }).blocks;
  return why ? [why, contextBlock(md`Others may allow it: fill in the form and send it, and you can ask them.`)] : [];
}

/** Whether a line can be shown to be copied. Slack's marks around mentions and links would be shown as they are. */
const isPlain = (line: string): boolean => line.length <= 200 && literal(line) === line;

/** Why the reader may not do this, in words to them. */
export const refusalWords = ({ reason, toActor = reason }: Denied): string => toActor;

/** Why nothing was done, with buttons for the next step. */
export function problemMessage({ problem, buttons = [], select }: Problem): Message {
  if (select) return noticeMessage(":question:", problem, buttons, selectRow(select));
  return noticeMessage(":warning:", problem, buttons);
}

/** A notice of several lines, each of them literal. */
export const noticeOfLines = (icon: Icon, texts: readonly string[]): Message => ({
  text: clipMrkdwn(lines(texts), 1000),
  blocks: [{ type: "section", text: mrkdwn(clipMrkdwn(md`${icon} ${lines(texts)}`, limits.sectionText)) }],
});

export function noticeMessage(
  icon: Icon,
  text: string,
  buttons: readonly CommandButton[] = [],
  select?: ActionsBlock,
): Message {
  return {
    text: literal(clip(text, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(clipMrkdwn(md`${icon} ${literal(text)}`, limits.sectionText)) },
      ...(select ? [select] : []),
      ...buttonRow(buttons),
    ],
  };
}

/** For those who run Curfew: what to fix, and which change it is about. */
export function reportMessage({ actor, id, words }: Change, note: string): Message {
  return noticeMessage(":wrench:", `Change ${id} (${words}, by ${actor.name}): ${note}`);
}
