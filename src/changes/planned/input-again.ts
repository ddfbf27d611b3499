import { plannedStart } from "../../commands/command.ts";
import { readRecurrenceValue } from "../../commands/exclusion/planned/recurrence-words.ts";
import type { Input } from "../../commands/field.ts";
import { isoDay } from "../../time/recurrence.ts";
import { wallClockAt } from "../../time/wall-clock.ts";
import type { Change } from "../change.ts";

/** What plans a change again as it is: also without the times of a series that were left out of it. `except`: in epoch ms, but not this one. */
export function inputAgain({ input, actor, children = [] }: Change, except?: number): Input {
  const { replaces: _replaces, leftOut, ...rest } = input;
  const zone = readRecurrenceValue(input.every)?.zone ?? actor.timeZone;
  const dayOf = (at: number) => isoDay(wallClockAt(at, zone));
  const left = children
    .filter(({ state }) => state === "withdrawn")
    .flatMap((child) => plannedStart(child.input) ?? []);
  const before = typeof leftOut === "string" ? leftOut.split(" ") : [];
  const days = new Set([...before, ...left.map(dayOf)]);
  if (except !== undefined) days.delete(dayOf(except));
  return days.size === 0 ? rest : { ...rest, leftOut: [...days].sort().join(" ") };
}
