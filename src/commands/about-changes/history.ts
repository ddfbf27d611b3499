import {
  type Answer,
  type CommandButton,
  type Fact,
  type Item,
  isProblem,
  type Line,
  type Problem,
} from "../answer.ts";
import { defineQuery, type QueryContext, type UndoCommand } from "../command.ts";
import { number, text } from "../field.ts";
import { readFilter } from "../filter/filter.ts";
import type { Filter } from "../filter/filter-parts.ts";
import { changesOf } from "../filter/history-of.ts";
import { ticket } from "../reason-and-ticket.ts";
import type { HistoryEntry, HistoryFilter, HistorySubjects } from "./about-changes.ts";

const shown = 10;
/** Older changes are found by a filter, by id, or by those who run Curfew. */
const lastPage = 100;

export const history = defineQuery({
  words: "history",
  title: "History",
  summary: "Show what was done, by whom and when",
  operation: null,
  fields: {
    which: text({
      label: "Filter",
      hint: "“mine”, a change id, person, thing, command or state, “since monday”",
      example: "failed since monday",
      maxLength: 200,
      positional: "rest",
      keepsMentions: true,
      optional: true,
    }),
    page: number({
      label: "Page",
      hint: "2 for older changes",
      minimum: 1,
      maximum: lastPage,
      optional: true,
    }),
  },
  answer: async ({ which = "", page = 1 }, context) => {
    const filter = await readFilter(
      which,
      ["mine", "changeId", "ticket", "person", "things", "commands", "states", "since"],
      context,
    );
    if (isProblem(filter)) return filter;
    const { changeId } = filter;
    return changeId === undefined ? listAnswer(filter, which, page, context) : oneChange(changeId, filter, context);
  },
});

async function oneChange(id: string, filter: Filter, context: QueryContext): Promise<Answer | Problem> {
  const [entry] = await context.history({ ...asked(filter, context), id, limit: 1 });
  if (!entry) return { problem: `There is no change ${id} that you may see. “history” shows the latest.` };
  return { title: `Change ${entry.id}`, items: [wholeItem(entry)] };
}

async function listAnswer(filter: Filter, which: string, page: number, context: QueryContext): Promise<Answer> {
  // One more than is shown, to see whether there are more.
  const found = await context.history({ ...asked(filter, context), skip: (page - 1) * shown, limit: shown + 1 });
  const isMore = found.length > shown && page < lastPage;
  const isNarrowed = filter.said.some((part) => part !== "mine");
  const whose = filter.mine ? "Your changes" : isNarrowed ? "Changes" : "Latest changes";
  return {
    title: [whose, ...filter.said.filter((part) => part !== "mine")].join(", "),
    note: noteOn(page, Math.min(found.length, shown), { isMore, isNarrowed }),
    items: found.slice(0, shown).map(changeLine),
    buttons: [
      ...(page > 1 ? [pageButton("Previous", which, page - 1)] : []),
      ...(isMore ? [pageButton("Next", which, page + 1)] : []),
    ],
  };
}

function asked(
  { mine, person, things, commands, states, since, ticket: forTicket }: Filter,
  { actor }: QueryContext,
): Partial<HistoryFilter> {
  return {
    actorId: mine ? actor.userId : person,
    about: things && changesOf(things),
    ...{ commands, states, since, ticket: forTicket },
  };
}

function pageButton(label: string, which: string, page: number): CommandButton {
  return { label, words: "history", opens: "result", input: { ...(which ? { which } : {}), page } };
}

function noteOn(
  page: number,
  shownThere: number,
  { isMore, isNarrowed }: { readonly isMore: boolean; readonly isNarrowed: boolean },
): string | undefined {
  if (shownThere > 0) return isMore || page > 1 ? `Page ${page}, the latest first.` : undefined;
  if (page > 1) return "There are no changes this far back.";
  return isNarrowed
    ? "There are no such changes that you may see. “history” alone shows all of them."
    : "There are no changes yet.";
}

/** A change on one line. */
export function changeLine(entry: HistoryEntry): Line {
  const { id, actorName, requestedAt, state, sign, reason, ticket: said, isDone } = entry;
  return {
    id,
    sign,
    name: `${actorName} ${wording(entry)}`,
    parts: [{ at: requestedAt }, ...(isDone ? [] : [state]), ...[reason ?? [], said ?? []].flat(), id],
    menu: [
      ...undoButton(entry),
      ...entry.followUp,
      { label: "Details", words: "history", opens: "result", input: { which: id } },
    ],
  };
}

const unknownForMs = 7 * 24 * 3_600_000;

/** The changes of the last week whose outcome nobody knows, with ways to find out; `about` anything without it. */
export async function unknownLines({ history, now }: QueryContext, about?: HistorySubjects): Promise<readonly Line[]> {
  const entries = await history({ about, states: ["unknown"], since: now - unknownForMs, limit: 3 });
  return entries.map(changeLine);
}

function wholeItem(entry: HistoryEntry): Item {
  const { approvers, isAwaited } = entry;
  const approval = `${isAwaited ? "Needs" : "Needed"} the approval of`;
  return {
    title: `${entry.actorName} ${wording(entry)}`,
    facts: [
      ...entry.description.facts,
      ...(entry.reason ? [{ label: "Reason", value: entry.reason }] : []),
      ...(entry.ticket ? [{ label: "Ticket", value: entry.ticket }] : []),
      ...(entry.note ? [{ label: "Note", value: entry.note }] : []),
      ...(entry.verified ? [{ label: "Found out", value: entry.verified }] : []),
      { label: "Command", value: entry.words },
      ...(entry.partOf ? [{ label: "Part of", value: entry.partOf }] : []),
      ...(approvers.length > 0 ? [{ label: approval, value: approvers.join(" or ") }] : []),
    ],
    steps: [...seriesSteps(entry), ...stepsOf(entry)],
    json: entry.request,
    buttons: [...undoButton(entry), ...entry.followUp, ...partButtons(entry)],
  };
}

const shownParts = 5;

/** Leads to the series of a step, or to the latest steps of a series. */
function partButtons({ partOf, description: { steps = [] } }: HistoryEntry): readonly CommandButton[] {
  const show = (label: string, which: string): CommandButton => ({
    ...{ label, words: "history", opens: "result", input: { which } },
  });
  const parts = steps.flatMap(({ text, id }) => (id === undefined ? [] : [show(text, id)]));
  return [...(partOf ? [show("Show the series", partOf)] : []), ...parts.slice(-shownParts)];
}

function seriesSteps({ description: { steps = [] } }: HistoryEntry): readonly Fact[] {
  return steps.map(({ sign, text, id }) => ({
    label: sign === "none" || sign === "over" ? "" : sign,
    value: id ? `${text} (${id})` : text,
  }));
}

/** Its states, the decisions on it and who was notified, in order of time. */
function stepsOf({ transitions, decisions, notices }: HistoryEntry): readonly Fact[] {
  const [asked = [], ...then] = transitions.map(({ state, at }) => [{ at, fact: { label: state, value: { at } } }]);
  const decided = decisions.flatMap(({ approverName, verdict, note, at }) => [
    { at, fact: { label: `${verdict} by ${approverName}`, value: { at } } },
    ...(note ? [{ at, fact: { label: `${approverName} said`, value: note } }] : []),
  ]);
  const notified = notices.map((notice) => ({
    at: notice.at,
    fact: { label: noticeWords(notice), value: { at: notice.at } },
  }));
  const steps: { readonly at: number; readonly fact: Fact }[] = [...asked, ...decided, ...then.flat(), ...notified];
  return steps.sort((one, other) => one.at - other.at).map(({ fact }) => fact);
}

function noticeWords({ name, about, isOwner }: HistoryEntry["notices"][number]): string {
  const whose = isOwner ? "the account's owner" : "another address of the account";
  return `${name} (${whose}) was notified of the ${about === "asked" ? "request" : "change"}`;
}

function undoButton({ id, isUndoable }: HistoryEntry): readonly CommandButton[] {
  return isUndoable ? [{ label: "Undo", words: "undo", opens: "result", input: { change: id } }] : [];
}

function wording({ isDone, description }: HistoryEntry): string {
  return isDone ? description.done : `wanted to ${description.asked}`;
}

/** Shows the requester's latest change that can be undone, with the button that does it. */
const undoLatest = defineQuery({
  words: "undo last",
  title: "Undo my latest change",
  summary: "Show my latest change that can be undone",
  operation: null,
  fields: {},
  answer: async (_input, context) => {
    const asked = { actorId: context.actor.userId, limit: shown };
    const found = await Promise.all([
      context.history({ ...asked, states: ["succeeded", "planned"] }),
      context.history({ ...asked, states: ["withdrawn"] }),
    ]);
    const latest = found.flat().toSorted((one, other) => other.latestAt - one.latestAt);
    const entry = latest.find((each) => wayBack(each) !== undefined);
    if (!entry)
      return {
        problem: "None of your latest changes can be undone. “history mine” shows them. Nothing was changed.",
      };
    return {
      title: "Your latest change that can be undone",
      items: [{ ...changeLine(entry), button: wayBack(entry) }],
    };
  },
});

/** Of a plan it is to withdraw it, and of a withdrawal to plan it again. */
function wayBack(entry: HistoryEntry): CommandButton | undefined {
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
      label: "Change id",
      hint: "Its card and the history show it. Without it, your latest",
      example: "chg-1a2b3c4d5",
      maxLength: 40,
      positional: true,
      optional: true,
    }),
    was: text({ label: "State before", example: "enabled", maxLength: 40, hidden: "form", optional: true }),
    ticket,
  },
  changeId: ({ change }) => (change === undefined || isLast(String(change)) ? undefined : String(change)),
  latest: undoLatest,
};

const isLast = (change: string): boolean => /^(?:last|latest)$/i.test(change);

export const historyCommands = [history, undo] as const;
