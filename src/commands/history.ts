import type { CommandButton, Fact, Item } from "./answer.ts";
import { defineQuery, type HistoryEntry } from "./command.ts";
import { text } from "./field.ts";

const shown = 15;

export const history = defineQuery({
  words: "history",
  title: "History",
  summary: "Show what was done, by whom and when",
  operation: null,
  fields: {
    which: text({ label: "Which", hint: "“mine”, or a change id", maxLength: 40, positional: true, optional: true }),
  },
  answer: async ({ which }, context) => {
    const onlyMine = which?.toLowerCase() === "mine";
    const id = onlyMine ? undefined : which;
    const entries = await context.history({ id, actorId: onlyMine ? context.actor.userId : undefined, limit: shown });
    if (id) {
      const [entry] = entries;
      if (!entry) return { problem: `There is no change ${id} that you may see. \`history\` shows the latest.` };
      return { title: `Change ${entry.id}`, items: [wholeItem(entry)] };
    }
    return {
      title: onlyMine ? "Your changes" : "Latest changes",
      note: entries.length === shown ? `The latest ${shown}.` : undefined,
      items: entries.map(lineItem),
    };
  },
});

function lineItem(entry: HistoryEntry): Item {
  return {
    title: `${entry.actorName} ${wording(entry)}`,
    facts: [
      { label: "When", value: { at: entry.askedAt } },
      { label: "State", value: entry.state },
      { label: "Change", value: entry.id },
    ],
    buttons: undoButton(entry),
  };
}

function wholeItem(entry: HistoryEntry): Item {
  const steps: Fact[] = entry.transitions.map(({ state, at }) => ({ label: state, value: { at } }));
  const decisions = entry.decisions.flatMap(({ approverName, verdict, note, at }): readonly Fact[] => [
    { label: `${verdict} by ${approverName}`, value: { at } },
    ...(note ? [{ label: `${approverName} said`, value: note }] : []),
  ]);
  return {
    title: `${entry.actorName} ${wording(entry)}`,
    facts: [
      ...entry.description.facts,
      ...(entry.reason ? [{ label: "Reason", value: entry.reason }] : []),
      { label: "Command", value: entry.words },
      ...steps,
      ...decisions,
    ],
    buttons: undoButton(entry),
  };
}

function undoButton({ id, isUndoable }: HistoryEntry): readonly CommandButton[] {
  return isUndoable ? [{ label: "Undo", words: "undo", opens: "result", input: { change: id } }] : [];
}

function wording({ state, description }: HistoryEntry): string {
  return state === "succeeded" ? description.done : `asked to ${description.asked}`;
}
