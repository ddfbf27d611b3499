import type { CommandButton } from "../../../commands/answer.ts";

const hourMs = 3_600_000;

export function extendButtons(exclusionId: string, version: string): readonly CommandButton[] {
  const input = { exclusion: exclusionId };
  return [
    {
      label: "Extend 1 h",
      words: "exclusion extend",
      opens: "result",
      input: { ...input, until: { forMs: hourMs } },
      version,
    },
    { label: "Extend…", words: "exclusion extend", opens: "form", input },
  ];
}

export function endButton(exclusionId: string): CommandButton {
  return { label: "End now", words: "exclusion end", opens: "result", input: { exclusion: exclusionId } };
}
