import type { CommandButton } from "../../../commands/answer.ts";
import { anHourMore } from "../../../commands/exclusion/exclusion-extend.ts";

/** The version makes a press on the redrawn card a new one, and a double click one. */
export function extendButtons(
  exclusionId: string,
  endsAt: number | undefined,
  version: string,
): readonly CommandButton[] {
  return [
    { ...anHourMore(exclusionId, endsAt), version },
    { label: "Extend…", words: "exclusion extend", opens: "form", input: { exclusion: exclusionId } },
  ];
}

export function endButton(exclusionId: string): CommandButton {
  return { label: "End now", words: "exclusion end", opens: "result", input: { exclusion: exclusionId } };
}
