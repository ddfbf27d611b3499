import type { Command, CommandContext } from "../../../commands/command.ts";
import type { Asked } from "../../../commands/exclusion/day-of.ts";
import { allAsRequired } from "../../../commands/required-fields.ts";
import { findTime } from "../../../language/read-time.ts";
import { type LineSplit, splitLine } from "../../../language/split-line.ts";
import { timeContextOf } from "../../fields/kinds/moment.ts";

/** Splits a typed line, with the times as this person means them here. An empty line asks for help. */
export function understandLine(
  text: string,
  commands: readonly Command[],
  context: Asked & Pick<CommandContext, "now">,
): LineSplit {
  const times = timeContextOf(context);
  const asked = allAsRequired(commands, context.settings);
  return splitLine(text.trim() || "help", asked, (words) => findTime(words, times));
}
