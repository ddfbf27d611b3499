import type { Description } from "../commands/answer.ts";
import { commandOf } from "../commands/catalogue.ts";
import { type Change, occurrenceOf } from "./change.ts";

/** The change in its command's words; by its command's name where that no longer exists. */
export function describeChange(change: Change): Description {
  const command = commandOf(change.words);
  const describe = command?.kind === "change" || command?.kind === "query" ? command.describe : undefined;
  return describe?.(occurrenceOf(change)) ?? { done: `did “${change.words}”`, asked: change.words, facts: [] };
}
