import { commandOf } from "../commands/catalogue.ts";
import { type Change, occurrenceOf } from "./change.ts";

/** The e-mail address, as it was before the change, of the person whose own account it altered. */
export function concernedBy(change: Change): string | undefined {
  return change.state === "succeeded" ? wouldConcern(change) : undefined;
}

/** The same of a change whatever has become of it. */
export function wouldConcern(change: Change): string | undefined {
  const command = commandOf(change.words);
  return command?.kind === "change" ? command.concerns?.(occurrenceOf(change)) : undefined;
}
