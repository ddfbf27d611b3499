import type { ContextBlock, SectionBlock } from "@slack/types";
import type { Line, Sentence, Sign } from "../../commands/answer.ts";
import { commandButton, commandMenu } from "./button.ts";
import { bold, contextBlock, cut, type Icon, join, md, mrkdwn, partText, sentence } from "./message.ts";

/** Slack clients fold a section that is much longer. */
const shownName = 80;
const shownPart = 100;
const shownLine = 400;

export const signs: Readonly<Record<Sign, `${Icon} ` | "">> = {
  on: ":large_green_circle: ",
  off: ":mute: ",
  over: ":white_circle: ",
  planned: ":spiral_calendar_pad: ",
  waiting: ":large_yellow_circle: ",
  done: ":white_check_mark: ",
  failed: ":x: ",
  unknown: ":grey_question: ",
  run: ":alarm_clock: ",
  none: "",
};

/** A thing in a list: one line, with a button or a menu at its right. */
export function lineBlock(line: Line, zone: string): SectionBlock {
  const { sign, name, parts } = line;
  let text = md`${signs[sign]}${bold(name, shownName)}`;
  for (const part of parts) {
    const more = md` · ${partText(part, zone, shownPart)}`;
    if (text.length + more.length > shownLine) break;
    text = md`${text}${more}`;
  }
  const right = accessoryOf(line);
  return { type: "section", text: mrkdwn(text), ...(right ? { accessory: right } : {}) };
}

/** A menu of one entry is a button. */
function accessoryOf({ id, button, menu }: Line) {
  const key = cut(id, shownPart);
  const [first, ...others] = menu;
  const only = button ?? (others.length === 0 ? first : undefined);
  // The id keeps apart what is pressed on each line.
  return only ? commandButton({ ...only, version: only.version ?? key }) : commandMenu(key, menu);
}

/** Warnings, one a line, in small print; none without one. */
export function concernBlocks(concerns: readonly Sentence[], zone: string): readonly ContextBlock[] {
  const lines = concerns.map((parts) => md`:warning: ${sentence(parts, zone)}`);
  return lines.length > 0 ? [contextBlock(join(lines, "\n"))] : [];
}
