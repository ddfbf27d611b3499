import {
  type Answer,
  type CommandButton,
  factsIn,
  formButton,
  type Item,
  type Line,
  type LinePart,
  resultButton,
} from "../answer.ts";
import { type DecisionCommand, defineQuery, type OutcomeCommand, type QueryContext } from "../command.ts";
import { choice, type Input, number, text, toggle } from "../field.ts";
import { approvalsLacking, isChangeId, type WaitingEntry } from "./about-changes.ts";

export const approvalList = defineQuery({
  words: "approval list",
  aliases: ["approvals"],
  title: "Approvals",
  summary: "Show changes that wait for my approval, and my own that wait",
  operation: null,
  fields: {
    whose: choice(
      [
        { value: "for-me", label: "Waits for me" },
        { value: "mine", label: "I asked for it" },
      ],
      { label: "Whose", positional: true, optional: true },
    ),
    change: text({ label: "Change", maxLength: 40, hidden: "all", optional: true }),
    isBrief: toggle({ label: "Each on one line", hidden: "all", optional: true }),
  },
  answer: async ({ whose, change, isBrief }, context) => {
    const waiting = await context.waiting();
    const shown = waiting.filter(
      ({ id, isOwn }) => (whose === undefined || isOwn === (whose === "mine")) && (change ?? id) === id,
    );
    if (shown.length === 0 && whose === undefined) return nothingWaits(context);
    if (shown.length === 0) return { title: "No change waits", items: [] };
    return {
      title: shown.length === 1 ? "1 change waits" : `${shown.length} changes wait`,
      items: shown.map(isBrief ? waitingLine : change === undefined ? waitingShown : reviewItem),
    };
  },
});

/** What others asked for is only seen by those who decide on it, so nothing is not none. */
export function nothingWaits({ whoMay }: Pick<QueryContext, "whoMay">, title = "No change waits"): Answer {
  const people = [...new Set(whoMay(mostGuarded)?.approvers.flatMap(({ members }) => members) ?? [])];
  const asked = toAsk(people);
  const lead = [...asked, `${asked.length > 0 ? " about others. " : ""}“history” shows what was decided.`];
  return { title: `${title} that you may see`, lead, items: [] };
}

/** "ask carol or bob" */
export const toAsk = (people: readonly string[]) =>
  people.slice(0, shownPeople).map((person, at) => ({ before: at === 0 ? "ask " : " or ", person }));

/** Whoever decides on this knows of the requests about accounts. */
const mostGuarded = "user remove-mfa";
const shownPeople = 10;

export const deciders = (people: readonly string[]): Line => ({
  ...{ id: "deciders", sign: "none", name: "Who decides", menu: [] },
  parts: people.slice(0, shownPeople).map((person) => ({ person })),
});

export const waitingShown = (entry: WaitingEntry): Item | Line =>
  entry.mayDecide ? waitingItem(entry) : ownLine(entry);

/** It leads to all that its reader must know to decide. */
const waitingLine = ({ id, actorName, description, reason, expiresAt, concerns: { length } }: WaitingEntry): Line => ({
  ...{ id, sign: "waiting", name: `${actorName} wants to ${description.asked}`, menu: [] },
  parts: [
    ...(reason ? [reason] : []),
    { before: "until ", at: expiresAt },
    ...(length > 0 ? [length === 1 ? "1 warning" : `${length} warnings`] : []),
  ],
  button: reviewButton("Review…", id),
});

const reviewButton = (label: string, id: string): CommandButton =>
  resultButton(label, "approval list", { whose: "for-me", change: id });

/** `reason`: what the reader has said against it. */
export function waitingItem(entry: WaitingEntry, reasonSaid?: string): Item {
  const { id, actorName, description, reason, ticket, expiresAt, beyond, concerns } = entry;
  return {
    title: `${actorName} wants to ${description.asked}`,
    isOneLine: true,
    facts: [
      ...[reason, ticket, beyond].flatMap((value) => (value ? [{ label: "", value }] : [])),
      { label: "Until", value: { at: expiresAt } },
    ],
    concerns,
    buttons: [...buttonsFor(id, reasonSaid), reviewButton("Details", id)],
  };
}

/** All of one request. */
function reviewItem(entry: WaitingEntry): Item | Line {
  if (!entry.mayDecide) return ownLine(entry);
  const { id, description, reason, ticket, requestedAt, expiresAt, beyond } = entry;
  const { isOneLine: _, ...item } = waitingItem(entry);
  return {
    ...item,
    facts: [
      ...factsIn({
        "Waits for": waitsFor(entry),
        Since: { at: requestedAt },
        "At the latest": { at: expiresAt },
        ...{ Reason: reason, Ticket: ticket, "Because it is": beyond },
      }),
      ...description.facts,
    ],
    buttons: buttonsFor(id),
  };
}

function waitsFor({ isApproved, approvers, lacking }: WaitingEntry): string {
  if (isApproved) return "the service, which could not be reached";
  return `${approvalsLacking(lacking)} of ${approvers.join(" or ")}`;
}

/** "needs @carol", "needs 2 of admin or deputy". */
function needsPart(entry: WaitingEntry): LinePart {
  const { isApproved, approvers, lacking, deciders: people } = entry;
  if (isApproved) return `waits for ${waitsFor(entry)}`;
  const [person, ...others] = people;
  if (lacking === 1 && person !== undefined && others.length === 0) return { before: "needs ", person };
  return `needs ${lacking === 1 ? "one" : lacking} of ${approvers.join(" or ")}`;
}

function buttonsFor(id: string, reason?: string): readonly CommandButton[] {
  const input = { change: id };
  return [
    resultButton("Approve", "approve", input),
    formButton("Deny…", "deny", reason === undefined ? input : { ...input, reason }),
  ];
}

/** A request of the reader's own, which they may withdraw. */
export function ownLine(entry: WaitingEntry): Line {
  const { id, description, reason, ticket, requestedAt, expiresAt } = entry;
  return {
    ...{ id, sign: "waiting", name: `You want to ${description.asked}` },
    parts: [
      needsPart(entry),
      { before: "until ", at: expiresAt },
      { before: "since ", at: requestedAt },
      ...[reason ?? [], ticket ?? []].flat(),
    ],
    menu: [resultButton("Withdraw", "withdraw", { change: id })],
  };
}

const change = text({
  label: "Request",
  hint: "A person, a thing, “last” or the id on its card; without it, all that wait",
  example: "alice",
  maxLength: 200,
  positional: "rest",
  keepsMentions: true,
  optional: true,
});

const changeId = (input: Input): string | undefined => (isChangeId(input.change) ? input.change : undefined);

const approve: DecisionCommand = {
  kind: "decision",
  words: "approve",
  title: "Approve a change",
  summary: "Approve a change that somebody else asked for",
  operation: null,
  verdict: "approved",
  confirms: "It is done when all approvals are there.",
  fields: { change, note: text({ label: "Note", maxLength: 500, optional: true, multiline: true }) },
  changeId,
  ruling: ({ note }) => ({ verdict: "approved", note: typeof note === "string" ? note : null }),
};

const deny: DecisionCommand = {
  kind: "decision",
  words: "deny",
  title: "Deny a change",
  summary: "Deny a change that somebody else asked for, and say why",
  operation: null,
  verdict: "denied",
  fields: {
    change: { ...change, positional: true },
    reason: text({
      label: "Reason",
      example: "not before the release",
      hint: "The requester sees it",
      maxLength: 500,
      multiline: true,
      positional: "rest",
    }),
  },
  changeId,
  ruling: ({ reason }) => ({ verdict: "denied", note: String(reason).replace(/^because\s+/i, "") }),
};

export const withdraw: DecisionCommand = {
  kind: "decision",
  words: "withdraw",
  title: "Withdraw a change",
  summary: "Withdraw a change that waits for approval or is planned",
  operation: null,
  verdict: "withdrawn",
  confirms: "Then it isn't done.",
  fields: {
    change,
    occurrence: number({ label: "Occurrence", minimum: 0, optional: true, hidden: "all" }),
  },
  changeId,
  ruling: ({ occurrence }) => ({
    ...{ verdict: "withdrawn", note: null },
    ...(typeof occurrence === "number" ? { occurrence } : {}),
  }),
};

export const approvalCommands = [approvalList, approve, deny, withdraw] as const;

const unknownChange = text({
  label: "Change id",
  hint: "Its card shows it",
  example: "chg-1a2b3c4d5",
  maxLength: 40,
  positional: true,
});

type OutcomeDeclaration = Pick<OutcomeCommand, "words" | "title" | "summary"> & Partial<OutcomeCommand>;

const defineOutcome = (declaration: OutcomeDeclaration): OutcomeCommand => ({
  ...{ kind: "outcome", operation: null, fields: { change: unknownChange } },
  changeId: (input) => String(input.change),
  seen: () => undefined,
  ...declaration,
});

const recheck = defineOutcome({
  words: "recheck",
  title: "Check an outcome",
  summary: "Find out whether a change with an unknown outcome was made",
});

const outcome = defineOutcome({
  words: "outcome",
  title: "Report an outcome",
  summary: "Say what the service shows for a change with an unknown outcome",
  confirms: "The history will name you as having seen this in the service.",
  fields: {
    change: unknownChange,
    seen: choice(
      [
        { value: "done", label: "It was done" },
        { value: "not-done", label: "It was not done" },
      ],
      { label: "What you saw", positional: true },
    ),
  },
  seen: ({ seen }) => (seen === "done" ? "done" : "not-done"),
});

const retry = defineOutcome({
  words: "retry",
  aliases: ["try again"],
  title: "Try again",
  summary: "Run what is left of a change",
  isRetry: true,
});

export const outcomeCommands = [recheck, outcome, retry] as const;
