import { type CommandButton, isProblem, type Problem } from "../answer.ts";
import { defineQuery, type UndoCommand } from "../command.ts";
import { text } from "../field.ts";
import { readFilter } from "../filter/filter.ts";
import type { Filter } from "../filter/filter-parts.ts";
import { ticket } from "../reason-and-ticket.ts";
import { type HistoryEntry, isChangeId } from "./about-changes.ts";
import { asked, changeLine, undoButton } from "./history.ts";

const searched = 10;
const shownUndos = 3;

/** Shows the latest changes that can be undone, each with the button that does it: of what is named, else the requester's latest. */
const undoLatest = defineQuery({
  words: "undo last",
  title: "Undo my latest change",
  summary: "Show my latest change that can be undone",
  operation: null,
  fields: { change: text({ label: "Change", maxLength: 200, keepsMentions: true, optional: true }) },
  answer: async ({ change = "last" }, context) => {
    const isNamed = !isLast(change);
    const filter: Filter | Problem = isNamed
      ? await readFilter(change, ["mine", "person", "things", "commands", "since"], context)
      : { mine: true, said: [] };
    if (isProblem(filter)) return filter;
    const which = { ...asked(filter, context), limit: searched };
    const found = await Promise.all([
      context.history({ ...which, states: ["succeeded", "planned"] }),
      context.history({ ...which, states: ["withdrawn"] }),
    ]);
    const latest = found.flat().toSorted((one, other) => other.latestAt - one.latestAt);
    const entries = latest.filter((each) => wayBack(each) !== undefined).slice(0, isNamed ? shownUndos : 1);
    const all = isNamed ? `history ${change}` : "history mine";
    const whose = isNamed ? `latest changes ${filter.said.join(", ")}` : "your latest changes";
    if (entries.length === 0)
      return { problem: `None of ${whose} can be undone. “${all}” shows them. Nothing was changed.` };
    return {
      title: isNamed
        ? `Changes that can be undone, ${filter.said.join(", ")}`
        : "Your latest change that can be undone",
      items: entries.map((entry) => ({ ...changeLine(entry), button: wayBack(entry) })),
    };
  },
});

/** Of a plan it is to withdraw it, and of a withdrawal to plan it again. */
export function wayBack(entry: HistoryEntry): CommandButton | undefined {
  const [undone] = undoButton(entry);
  const ofPlan = entry.followUp.find(
    ({ words, input, opens }) =>
      (words === entry.words && opens === "result") || (words === "withdraw" && input.occurrence === undefined),
  );
  return undone ?? ofPlan;
}

export const undo: UndoCommand = {
  kind: "undo",
  words: "undo",
  title: "Undo a change",
  summary: "Undo a change, where that is possible",
  operation: null,
  confirms: "This takes back what the change did, and announces it.",
  fields: {
    change: text({
      label: "Change",
      hint: "What was changed, who changed it or the change's id; without it, your latest",
      example: "staging",
      maxLength: 200,
      positional: true,
      keepsMentions: true,
      optional: true,
    }),
    was: text({ label: "State before", example: "enabled", maxLength: 40, hidden: "form", optional: true }),
    ticket,
  },
  changeId: ({ change }) => (isChangeId(change) ? change : undefined),
  latest: undoLatest,
};

const isLast = (change: string): boolean => /^(?:last|latest)$/i.test(change);
