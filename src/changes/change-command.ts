import type { Description } from "../commands/answer.ts";
import { commandOf } from "../commands/catalogue.ts";
import { type Change, occurrenceOf } from "./change.ts";
import { stepLines } from "./steps/step-lines.ts";

/** The change as its command describes it; by the command's words alone if the command no longer exists. */
export function describeChange(change: Change): Description {
  const command = commandOf(change.words);
  const describe = command?.kind === "change" || command?.kind === "query" ? command.describe : undefined;
  const described = describe?.(occurrenceOf(change)) ?? {
    done: `did “${change.words}”`,
    asked: change.words,
    facts: [],
  };
  const steps = stepLines(change);
  return steps.length > 0 ? { ...described, steps } : described;
}
