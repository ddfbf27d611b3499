import type { Description } from "../commands/answer.ts";
import { commandOf } from "../commands/catalogue.ts";
import { type Change, occurrenceOf } from "./change.ts";

/** The change as its command describes it; by the command's words alone if the command no longer exists. */
export function describeChange(change: Change): Description {
  const command = commandOf(change.words);
  const describe = command?.kind === "change" || command?.kind === "query" ? command.describe : undefined;
  return describe?.(occurrenceOf(change)) ?? { done: `did “${change.words}”`, asked: change.words, facts: [] };
}

/** The e-mail address, before the change, of the person whose account it altered. */
export function affectedAccountOwner(change: Change): string | undefined {
  const command = commandOf(change.words);
  return change.state === "succeeded" && command?.kind === "change"
    ? command.accountOwner?.(occurrenceOf(change))
    : undefined;
}
