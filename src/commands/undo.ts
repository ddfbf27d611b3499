import type { UndoCommand } from "./command.ts";
import { text } from "./field.ts";

export const undo: UndoCommand = {
  kind: "undo",
  words: "undo",
  title: "Undo a change",
  summary: "Take a change back, where that is possible",
  operation: null,
  confirms: "What the change did is taken back, and everyone is told.",
  fields: {
    change: text({
      label: "Change id",
      hint: "As history and the cards show it",
      example: "chg-1a2b3c4d5",
      maxLength: 40,
      positional: true,
    }),
  },
  changeId: ({ change }) => String(change),
};
