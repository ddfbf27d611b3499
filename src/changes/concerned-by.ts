import { commandOf } from "../commands/catalogue.ts";
import { type Change, occurrenceOf } from "./change.ts";

/** The e-mail address, as it was before the change, of the person whose own account it altered. */
export function affectedAccountOwner(change: Change): string | undefined {
  return change.state === "succeeded" ? wouldAffectAccountOf(change) : undefined;
}

/** The same of a change whatever has become of it. */
export function wouldAffectAccountOf(change: Change): string | undefined {
  const command = commandOf(change.words);
  return command?.kind === "change" ? command.accountOwner?.(occurrenceOf(change)) : undefined;
}
