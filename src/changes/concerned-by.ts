import { commandOf } from "../commands/catalogue.ts";
import { type Change, occurrenceOf } from "./change.ts";

/** The e-mail address, as it was before the change, of the person whose own account it altered. */
export function concernedBy(change: Change): string | undefined {
  const command = commandOf(change.words);
  return command?.kind === "change" && change.state === "succeeded"
    ? command.concerns?.(occurrenceOf(change))
    : undefined;
}
