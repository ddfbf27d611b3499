import { accountOf } from "../../service/account-ids.ts";
import {
  type Answer,
  atMoment,
  type CommandButton,
  type Fact,
  factsIn,
  type Item,
  isProblem,
  type Line,
  type Problem,
  resultButton,
} from "../answer.ts";
import type { ActionChangedElsewhere } from "../changed-elsewhere.ts";
import { defineQuery, type QueryCommand, type QueryContext, type UndoCommand } from "../command.ts";
import { number, text, ticket } from "../field.ts";
import { changesOf, type Filter, readFilter } from "../filter.ts";
import { changesSeen, doneAt, seenLine } from "../lookup/seen-parts.ts";
import { thingsMeant } from "../thing.ts";
import {
  type HistoryEntry,
  type HistoryFilter,
  type HistorySubjects,
  isChangeId,
  type Ruling,
  type WaitingEntry,
} from "./about-changes.ts";
import { deciders, nothingWaits, ownLine, toAsk, waitingItem } from "./approval.ts";

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
      ["mine", "changeId", "ticket", "person", "things", "kinds", "commands", "states", "since", "until", "account"],
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
  const waits = (await context.waiting()).find((each) => each.id === entry.id);
  const approvers = waits ? context.whoMay(entry.words)?.approvers.flatMap(({ members }) => members) : [];
  // Nobody decides on what they asked for themselves.
  const people = approvers?.filter((person) => person !== waits?.actorId);
  return {
    title: `Change ${entry.id}`,
    items: [wholeItem(entry, waits), ...(people?.length ? [deciders([...new Set(people)])] : [])],
  };
}

async function listAnswer(filter: Filter, which: string, page: number, context: QueryContext): Promise<Answer> {
  // One more than is shown, to see whether there are more.
  const found = await context.history({ ...asked(filter, context), skip: (page - 1) * shown, limit: shown + 1 });
  const onPage = found.slice(0, shown);
  const isMore = found.length > shown && page < lastPage;
  const seen = await seenOn(filter, isMore ? onPage.at(-1) : undefined, page, context);
  const isTimed = filter.since !== undefined || filter.until !== undefined;
  const isNone = page === 1 && onPage.length + seen.length === 0;
  if (isNone && isTimed && filter.things) return latestInstead(filter, context);
  const isNarrowed = filter.said.some((part) => part !== "mine");
  const whose = filter.mine ? "Your changes" : isNarrowed ? "Changes" : "Latest changes";
  return {
    title: [whose, ...filter.said.filter((part) => part !== "mine")].join(", "),
    note: noteOn(page, onPage.length + seen.length, { isMore, isNarrowed }),
    items: await inOrder(onPage, seen, context),
    buttons: [
      ...(page > 1 ? [pageButton("Previous", which, page - 1)] : []),
      ...(isMore ? [pageButton("Next", which, page + 1)] : []),
    ],
  };
}

/** Of a thing that nothing was changed of in the time that was asked for, what was changed last. */
async function latestInstead(
  { since: _since, until: _until, ...filter }: Filter,
  context: QueryContext,
): Promise<Answer> {
  const found = await context.history({ ...asked(filter, context), limit: shownInstead });
  const seen = await seenOn(filter, undefined, 1, context);
  const items = (await inOrder(found, seen, context)).slice(0, shownInstead);
  return {
    title: ["Changes", ...filter.said].join(", "),
    note: `There are no such changes that you may see.${items.length > 0 ? " These are the latest of any time." : ""}`,
    items,
  };
}

const shownInstead = 3;

function asked(
  { mine, person, things, commands, states, since, until, kinds, account, ticket: forTicket }: Filter,
  { actor, settings }: QueryContext,
): Partial<HistoryFilter> {
  return {
    actorId: mine ? actor.userId : person,
    about: things && changesOf(things),
    account: account === undefined ? undefined : { name: account, all: Object.keys(settings.accounts) },
    ...{ commands, states, since, until, kinds, ticket: forTicket },
  };
}

/** What was changed in the service itself in the time of a page, up to its last change. A command, state or ticket is of a change here. */
async function seenOn(
  filter: Filter,
  last: HistoryEntry | undefined,
  page: number,
  context: QueryContext,
): Promise<readonly ActionChangedElsewhere[]> {
  const { mine, person, things, commands, states, ticket: said, kinds, account, since = 0, until } = filter;
  if (commands || states || said || (kinds && !kinds.includes("action"))) return [];
  const [before] =
    page > 1 ? await context.history({ ...asked(filter, context), skip: (page - 1) * shown - 1, limit: 1 }) : [];
  const by = mine ? context.actor.userId : person;
  const from = Math.max(since, last?.requestedAt ?? 0);
  const found = await changesSeen({ things, by, since: from, until: before?.requestedAt ?? until }, context);
  const all = account === undefined ? found : found.filter(({ actionId }) => accountOf(actionId) === account);
  return all.slice(0, shown);
}

/** Changes made here and in the service itself, the latest first. */
export async function inOrder(
  entries: readonly HistoryEntry[],
  seen: readonly ActionChangedElsewhere[],
  context: QueryContext,
): Promise<readonly Line[]> {
  const lines = [
    ...entries.map((entry) => ({ at: entry.requestedAt, line: changeLine(entry) })),
    ...(await Promise.all(seen.map(async (each) => ({ at: doneAt(each), line: await seenLine(each, context) })))),
  ];
  return lines.toSorted((one, other) => other.at - one.at).map(({ line }) => line);
}

function pageButton(label: string, which: string, page: number): CommandButton {
  return resultButton(label, "history", { ...(which ? { which } : {}), page });
}

function noteOn(
  page: number,
  shownThere: number,
  { isMore, isNarrowed }: { readonly isMore: boolean; readonly isNarrowed: boolean },
): string | undefined {
  if (shownThere > 0) return isMore || page > 1 ? `Page ${page}` : undefined;
  if (page > 1) return "There are no changes this far back.";
  return isNarrowed
    ? "There are no such changes that you may see. “history” alone shows all of them."
    : "There are no changes that you may see.";
}

/** A change on one line. */
export function changeLine(entry: HistoryEntry): Line {
  const { id, actorName, requestedAt, state, sign, reason, ticket: said, isDone } = entry;
  return {
    id,
    sign,
    name: `${actorName} ${wording(entry)}`,
    parts: [{ at: requestedAt }, ...(isDone ? [] : [state]), ...[reason ?? [], said ?? []].flat()],
    menu: [...undoButton(entry), ...entry.followUp, resultButton("Details", "history", { which: id })],
  };
}

const unknownForMs = 7 * 24 * 3_600_000;

/** The changes of the last week whose outcome nobody knows, with ways to find out; `about` anything without it. */
export async function unknownLines({ history, now }: QueryContext, about?: HistorySubjects): Promise<readonly Line[]> {
  const entries = await history({ about, states: ["unknown"], since: now - unknownForMs, limit: 3 });
  return entries.map(changeLine);
}

/** `expiresAt`: when it lapses, while it waits. */
function wholeItem(entry: HistoryEntry, waits?: WaitingEntry): Item {
  const { approvers, isAwaited } = entry;
  const approval = `${isAwaited ? "Needs" : "Needed"} the approval of`;
  return {
    title: `${entry.actorName} ${wording(entry)}`,
    facts: [
      ...entry.description.facts,
      ...factsIn({
        ...{ Reason: entry.reason, Ticket: entry.ticket, Note: entry.note, "Found out": entry.verified },
        ...{ Undoes: entry.undoes, "Part of": entry.partOf, [approval]: approvers.join(" or ") },
        "At the latest": atMoment(waits?.expiresAt),
      }),
    ],
    steps: [...seriesSteps(entry), ...stepsOf(entry)],
    concerns: waits?.concerns ?? [],
    json: entry.request,
    buttons: [...undoButton(entry), ...entry.followUp, ...partButtons(entry)],
  };
}

const shownParts = 5;

/** Leads to the series of a step, or to the latest steps of a series. */
function partButtons({ partOf, description: { steps = [] } }: HistoryEntry): readonly CommandButton[] {
  const show = (label: string, which: string): CommandButton => resultButton(label, "history", { which });
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
  return isUndoable ? [resultButton("Undo", "undo", { change: id })] : [];
}

function wording({ isDone, description }: HistoryEntry): string {
  return isDone ? description.done : `wanted to ${description.asked}`;
}

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
    const isNamed = !/^(?:last|latest)$/i.test(change);
    const filter: Filter | Problem = isNamed
      ? await readFilter(change, ["mine", "person", "things", "commands", "since", "until"], context)
      : { mine: true, said: [] };
    if (isProblem(filter)) return filter;
    const which = { ...asked(filter, context), limit: searched };
    const found = await Promise.all([
      context.history({ ...which, states: ["succeeded", "planned"] }),
      context.history({ ...which, states: ["withdrawn"] }),
    ]);
    const latest = found.flat().toSorted((one, other) => other.latestAt - one.latestAt);
    const waiting = (await context.waiting()).flatMap(({ id, isOwn }) => (isOwn ? [id] : []));
    const awaited = waiting.length > 0 ? await context.history({ ...which, states: ["awaiting-approval"] }) : [];
    const own = awaited.filter(({ id }) => waiting.includes(id));
    const undoable = latest.filter((each) => wayBack(each) !== undefined);
    const entries = [...own, ...undoable]
      .toSorted((one, other) => other.latestAt - one.latestAt)
      .slice(0, isNamed ? shownUndos : 1);
    const all = isNamed ? `history ${change}` : "history mine";
    const whose = isNamed ? `latest changes ${filter.said.join(", ")}` : "your latest changes";
    if (entries.length === 0) {
      const elsewhere = await changedThere(filter, context);
      const ofOthers = elsewhere ?? undoneByOthers(latest, context);
      if (ofOthers) return ofOthers;
      return { problem: `None of ${whose} can be undone. “${all}” shows them. Nothing was changed.` };
    }
    return {
      title: isNamed
        ? ["Changes that can be undone", ...filter.said].join(", ")
        : "Your latest change that can be undone",
      items: entries.map((entry) => ({ ...changeLine(entry), button: wayBack(entry) ?? withdrawing(entry) })),
    };
  },
});

const withdrawing = ({ id }: HistoryEntry): CommandButton => resultButton("Withdraw", "withdraw", { change: id });

/** Of what somebody may not undo, who may. */
function undoneByOthers(latest: readonly HistoryEntry[], context: QueryContext): Answer | undefined {
  for (const entry of latest) {
    const rights = context.whoMay(entry.words);
    const people = rights?.whyNot ? [...new Set(rights.others.flatMap(({ members }) => members))] : [];
    if (people.length > 0)
      return {
        title: "You may not undo this",
        lead: [...toAsk(people), ". Nothing was changed."],
        items: [changeLine(entry)],
      };
  }
  return undefined;
}

/** What was changed in the service itself is put back there. */
async function changedThere(filter: Filter, context: QueryContext): Promise<Answer | undefined> {
  const seen = filter.things ? (await seenOn(filter, undefined, 1, context)).slice(0, 1) : [];
  if (seen.length === 0) return undefined;
  return {
    title: ["Changed in the service itself", ...filter.said].join(", "),
    note: "I can't undo that: put it back there. Nothing was changed.",
    items: await inOrder([], seen, context),
  };
}

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

type Verdict = Ruling["verdict"];
const verbs = { approved: "approve", denied: "deny", withdrawn: "withdraw" } as const satisfies Record<Verdict, string>;

const said = (label: string) => text({ label, maxLength: 500, keepsMentions: true, optional: true });

/**
 * The requests that may be meant by "approve alice", "deny staging" or "withdraw": by who asked, or by the person or the thing that they
 * are about. Each is shown with its buttons, since nobody decides on what they were not shown.
 */
export const requestsSaid = (verdict: Verdict): QueryCommand =>
  defineQuery({
    words: verbs[verdict],
    title: "Requests that wait",
    summary: "Show the requests that may be meant",
    operation: null,
    fields: { change: said("Request"), reason: said("Reason") },
    answer: async ({ change: named = "", reason: said }, context) => {
      // "withdraw because she found it" names no request.
      const isReason = /^(?:because|since|as)\b/i.test(named);
      const [change, reason] = isReason ? ["", [named, said].filter(Boolean).join(" ")] : [named, said];
      const own = verdict === "withdrawn";
      const waiting = (await context.waiting()).filter(({ isOwn }) => isOwn || !own);
      const plans = own ? await ownPlans(context) : [];
      const fits = await fitting(change, context);
      const [some, planned] = [latestOf(change, waiting.filter(fits)), latestOf(change, plans.filter(fits))];
      if (some.length + planned.length > 0) return answerOf({ waiting: some, planned }, verdict, reason);
      const decided = await decidedLately(context);
      const lately = decided.filter(fits).slice(0, shownDecided);
      // Words that name no request may be the beginning of the reason.
      const why = [change, reason].filter(Boolean).join(" ") || undefined;
      if (decided.length === 0 && waiting.length + plans.length === 0)
        return nothingWaits(context, "No such change waits");
      if (lately.length > 0 || waiting.length + plans.length === 0)
        return {
          title: "No such change waits that you may see",
          note: "These were decided lately.",
          items: (lately.length > 0 ? lately : decided.slice(0, shownDecided)).map(changeLine),
        };
      const all = answerOf({ waiting, planned: plans }, verdict, why);
      return { ...all, note: `No request of “${change}” waits for you. This is all that waits.` };
    },
  });

const ownPlans = ({ history, actor }: QueryContext) =>
  history({ actorId: actor.userId, states: ["planned"], limit: shownPlans });

interface Shown {
  readonly waiting: readonly WaitingEntry[];
  readonly planned: readonly HistoryEntry[];
}

/** Those that the reader may decide on; else their own. `reason`: what they have said against it. */
function answerOf({ waiting, planned }: Shown, verdict: Verdict, reason: string | undefined): Answer {
  const theirs = waiting.filter(({ mayDecide }) => mayDecide);
  const shown = theirs.length > 0 ? theirs : waiting;
  const count = shown.length + planned.length;
  const isOwn = verdict !== "withdrawn" && theirs.length === 0;
  return {
    title: `Nothing is ${verdict} yet: ${count === 1 ? "1 change waits" : `${count} changes wait`}`,
    ...(isOwn ? { note: "You asked for this yourself, so others decide on it." } : {}),
    items: [
      ...shown.map((entry) =>
        entry.mayDecide ? waitingItem(entry, verdict === "denied" ? reason : undefined) : ownLine(entry),
      ),
      ...planned.map((entry) => ({ ...changeLine(entry), button: wayBack(entry) })),
    ],
  };
}

const shownPlans = 10;
const shownDecided = 3;
const readDecided = 30;

async function decidedLately({ history }: QueryContext): Promise<readonly HistoryEntry[]> {
  const entries = await history({ limit: readDecided });
  return entries.filter(({ decisions }) => decisions.length > 0);
}

type Request = Pick<WaitingEntry, "id" | "actorName" | "description"> & { readonly actorId?: string };

const last = /^(?:the )?(?:last|latest|newest)(?: one)?$/i;

function latestOf<E>(said: string, entries: readonly E[]): readonly E[] {
  return last.test(said) ? entries.slice(-1) : entries;
}

/** Whether a request is meant: its words are those of the request, or it is about the thing that they name. */
async function fitting(said: string, context: QueryContext): Promise<(request: Request) => boolean> {
  if (said === "" || last.test(said) || pronoun.test(said)) return () => true;
  const named = said.split(/\s+/).find(isChangeId);
  if (named !== undefined) return ({ id }) => id === named.toLowerCase();
  const mentioned = /^<@([^|>]+)/.exec(said)?.[1];
  const words = wordsOf(said.replace(/['’]s?(?=\s|$)/g, "")).filter((word) => !joiners.has(word));
  const things = await thingsMeant(mentioned === undefined ? words.join(" ") : said, context);
  const about = isProblem(things) ? [] : await context.history({ about: changesOf(things), states, limit: mostAbout });
  const ids = new Set(about.map(({ id }) => id));
  return (request) =>
    ids.has(request.id) ||
    request.actorId === (mentioned ?? "") ||
    (words.length > 0 && words.every((word) => toldBy(request).has(word)));
}

const pronoun = /^(?:it|this|that|all|everything|mine)$/i;
const joiners: ReadonlySet<string> = new Set("the a of by for from about to request requests one".split(" "));
const states = ["awaiting-approval", "approved", "planned"] as const;
const mostAbout = 100;

function toldBy({ actorName, description: { asked, facts } }: Request): ReadonlySet<string> {
  const values = facts.flatMap(({ value }) =>
    typeof value === "string" ? [value] : "list" in value ? value.list : [],
  );
  return new Set([actorName, asked, ...values].flatMap(wordsOf));
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
