import type { Description } from "../commands/answer.ts";
import { commandOf } from "../commands/catalogue.ts";
import { type Change, occurrenceOf } from "./change.ts";

/** The change in its command's words; by its command's name where that no longer exists. */
export function describeChange(change: Change): Description {
  const command = commandOf(change.words);
  const describe = command?.kind === "change" || command?.kind === "query" ? command.describe : undefined;
  return describe?.(occurrenceOf(change)) ?? { done: `did “${change.words}”`, asked: change.words, facts: [] };
}

/** The e-mail address, as it was before the change, of the person whose own account it altered. */
export function affectedAccountOwner(change: Change): string | undefined {
  return change.state === "succeeded" ? wouldAffectAccountOf(change) : undefined;
}

/** The same of a change whatever has become of it. */
export function wouldAffectAccountOf(change: Change): string | undefined {
  const command = commandOf(change.words);
  return command?.kind === "change" ? command.accountOwner?.(occurrenceOf(change)) : undefined;
}
