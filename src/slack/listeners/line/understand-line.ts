import type { Command, CommandContext } from "../../../commands/command.ts";
import type { Asked } from "../../../commands/exclusion/day-of.ts";
import { allAsRequired } from "../../../commands/required-fields.ts";
import { findPeriod } from "../../../language/periods/take-period.ts";
import { findTime } from "../../../language/read-time.ts";
import { type LineSplit, splitLine } from "../../../language/split-line.ts";
import { timeContextOf } from "../../fields/kinds/moment.ts";
import { withoutLookalikes } from "../../messages/message.ts";

/** Splits a typed line, with the times as this person means them here. An empty line asks for help. */
export function understandLine(
  text: string,
  commands: readonly Command[],
  context: Asked & Pick<CommandContext, "now">,
): LineSplit {
  const times = timeContextOf(context);
  const asked = allAsRequired(commands, context.settings);
  const find = (words: readonly string[]) => findTime(words, times);
  const period = (words: readonly string[], isAfterThing: boolean) => findPeriod(words, times, isAfterThing);
  return splitLine(withoutLookalikes(text.trim()) || "help", asked, find, period);
}
