import type { HistoryEntry } from "./about-changes.ts";
import type { CommandButton, Fact, Item } from "./answer.ts";
import { defineQuery, type UndoCommand } from "./command.ts";
import { number, text } from "./field.ts";

const shown = 15;
/** Older changes are found by id, or by those who run Curfew. */
const lastPage = 100;

export const history = defineQuery({
  words: "history",
  title: "History",
  summary: "Show what was done, by whom and when",
  operation: null,
  fields: {
    which: text({ label: "Which", hint: "“mine”, or a change id", maxLength: 40, positional: true, optional: true }),
    page: number({
      label: "Page",
      hint: "2 for older changes",
      minimum: 1,
      maximum: lastPage,
      optional: true,
    }),
  },
  answer: async ({ which, page = 1 }, context) => {
    const onlyMine = which?.toLowerCase() === "mine";
    const id = onlyMine ? undefined : which;
    const actorId = onlyMine ? context.actor.userId : undefined;
    const skip = id ? 0 : (page - 1) * shown;
    // One more than is shown, to see whether there are more.
    const [entries, hasMore] = split(await context.history({ id, actorId, skip, limit: shown + 1 }));
    if (id) {
      const [entry] = entries;
      if (!entry) return { problem: `There is no change ${id} that you may see. \`history\` shows the latest.` };
      return { title: `Change ${entry.id}`, items: [wholeItem(entry)] };
    }
    const isMore = hasMore && page < lastPage;
    return {
      title: onlyMine ? "Your changes" : "Latest changes",
      note: noteOn(page, entries.length, isMore),
      items: entries.map(lineItem),
      buttons: isMore
        ? [{ label: "More", words: "history", opens: "result", input: { ...(which ? { which } : {}), page: page + 1 } }]
        : [],
    };
  },
});

function noteOn(page: number, shownThere: number, isMore: boolean): string | undefined {
  if (shownThere === 0) return page > 1 ? "There are no changes this far back." : "There are no changes yet.";
  return isMore || page > 1 ? `Page ${page}, the latest first.` : undefined;
}

const split = (found: readonly HistoryEntry[]): readonly [readonly HistoryEntry[], boolean] => [
  found.slice(0, shown),
  found.length > shown,
];

function lineItem(entry: HistoryEntry): Item {
  return {
    title: `${entry.actorName} ${wording(entry)}`,
    facts: [
      { label: "When", value: { at: entry.requestedAt } },
      { label: "State", value: entry.state },
      { label: "Change", value: entry.id },
    ],
    buttons: undoButton(entry),
  };
}

function wholeItem(entry: HistoryEntry): Item {
  const { approvers, isAwaited } = entry;
  const approval = `${isAwaited ? "Needs" : "Needed"} the approval of`;
  return {
    title: `${entry.actorName} ${wording(entry)}`,
    facts: [
      ...entry.description.facts,
      ...(entry.reason ? [{ label: "Reason", value: entry.reason }] : []),
      ...(entry.note ? [{ label: "Note", value: entry.note }] : []),
      { label: "Command", value: entry.words },
      ...(approvers.length > 0 ? [{ label: approval, value: approvers.join(" or ") }] : []),
    ],
    steps: stepsOf(entry),
    buttons: undoButton(entry),
  };
}

/** Its states and the decisions on it, in order of time. */
function stepsOf({ transitions, decisions }: HistoryEntry): readonly Fact[] {
  const [asked = [], ...then] = transitions.map(({ state, at }) => [{ at, fact: { label: state, value: { at } } }]);
  const decided = decisions.flatMap(({ approverName, verdict, note, at }) => [
    { at, fact: { label: `${verdict} by ${approverName}`, value: { at } } },
    ...(note ? [{ at, fact: { label: `${approverName} said`, value: note } }] : []),
  ]);
  const steps: { readonly at: number; readonly fact: Fact }[] = [...asked, ...decided, ...then.flat()];
  return steps.sort((one, other) => one.at - other.at).map(({ fact }) => fact);
}

function undoButton({ id, isUndoable }: HistoryEntry): readonly CommandButton[] {
  return isUndoable ? [{ label: "Undo", words: "undo", opens: "result", input: { change: id } }] : [];
}

function wording({ isDone, description }: HistoryEntry): string {
  return isDone ? description.done : `asked to ${description.asked}`;
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
      label: "Change id",
      hint: "Its card and the history show it",
      example: "chg-1a2b3c4d5",
      maxLength: 40,
      positional: true,
    }),
  },
  changeId: ({ change }) => String(change),
};

export const historyCommands = [history, undo] as const;
