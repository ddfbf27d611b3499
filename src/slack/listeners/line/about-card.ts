import type { CardSubject } from "../../../changes/queries/card-subject.ts";
import type { Command } from "../../../commands/command.ts";
import type { Field } from "../../../commands/field.ts";
import { status } from "../../../commands/lookup/status.ts";
import type { LineSplit } from "../../../language/split-line.ts";

/** "It" is what the card is about. */
const pronoun = /^(?:it|this|that|this one|that one)$/i;

/** A line in the thread of a card is about that card where it names nothing else: `extend 1h`, `end it`, `status`, `undo`. */
export function aboutCard(split: LineSplit, card: CardSubject | undefined): LineSplit {
  if (!card || split.kind === "unclear") return split;
  const { command, parts } = split;
  const meant = Object.entries<Field>(command.fields).flatMap(([name, field]) => {
    const said = (parts.get(name) ?? []).map(({ value }) => value).join(" ");
    const value = said === "" || pronoun.test(said) ? meantBy(command, name, field, card) : undefined;
    return value === undefined ? [] : [[name, [{ value, isQuoted: false, start: 0 }]] as const];
  });
  return meant.length === 0 ? split : { ...split, parts: new Map([...parts, ...meant]) };
}

function meantBy(command: Command, name: string, field: Field, card: CardSubject): string | undefined {
  if (field.positional === undefined) return undefined;
  if (field.kind === "reference") return field.to === "exclusion" ? card.exclusionId : undefined;
  if (command.kind === "undo" && name === "change") return card.lastChangeId;
  if (command.kind === "decision" && name === "change") return card.changeId;
  return command.words === status.words ? card.subjectId : undefined;
}
