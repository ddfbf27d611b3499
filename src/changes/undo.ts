import { type CommandButton, type Problem, resultButton } from "../commands/answer.ts";
import { commandOf } from "../commands/catalogue.ts";
import type { ChangeCommand, Inverse, UndoQuestion } from "../commands/command.ts";
import { type Input, ticketOf } from "../commands/field.ts";
import type { Directory } from "../directory/directory.ts";
import {
  type Change,
  forgottenPerson,
  forgottenText,
  isCreation,
  isRemoval,
  occurrenceOf,
  stateWords,
} from "./change.ts";
import type { ChangeStore, UndoSaid } from "./ports.ts";
import { isInParts } from "./steps/parts.ts";
import { isSeries } from "./steps/series.ts";

export interface UndoPlan {
  readonly command: ChangeCommand;
  readonly input: Input;
  readonly undoes: string;
  readonly said?: UndoSaid | undefined;
}

interface UndoAsked {
  readonly requesterId?: string | undefined;
  readonly said?: UndoSaid | undefined;
  /** It was planned before, so nothing is asked again. */
  readonly isAnswered?: boolean;
}

/**
 * The command that undoes a change. It runs like any other, with the rights of its requester. If the change cannot be
 * undone, the reason could reveal the change and other people, so it becomes an obstacle that only people with the right
 * to the command see.
 */
export async function planUndo(
  store: Pick<ChangeStore, "find" | "about" | "lastAbout"> & Pick<Directory, "get">,
  changeId: string,
  now: number,
  { requesterId, said, isAnswered }: UndoAsked = {},
): Promise<UndoPlan | Problem> {
  const change = await store.find(changeId);
  if (!change) return { problem: `There is no change ${changeId}. “history” shows the latest. Nothing was changed.` };
  const question = questionAbout(change);
  const answer = question?.answers.find(({ value, inverse }) => (isAnswered ? inverse : value === said?.was));
  const inverse = inverseOf(change) ?? answer?.inverse;
  const command = commandOf((inverse ?? possibleInverse(question))?.words ?? change.words);
  if (command?.kind !== "change") return ownChange(changeId);
  const why = await whyNot(store, change, now, requesterId);
  const obstacle =
    why !== undefined ? cannotBe(change, why) : inverse ? undefined : unanswered(change, question, answer, said);
  return {
    command: obstacle ? blocked(command, change, obstacle) : command,
    input: { ...inverse?.input, ...saidOf(change, said, answer?.label, await formerReason(change, store)) },
    undoes: change.id,
    said,
  };
}

/** What is made again is for what it was made for. */
async function formerReason(change: Change, store: Pick<ChangeStore, "about">): Promise<readonly string[]> {
  if (!isRemoval(change) || change.subjectId === null) return [];
  const [first] = await store.about(change.subjectKind, change.subjectId);
  return first?.reason ? [first.reason] : [];
}

/** The reason of an undo, and its ticket: that of the change, unless another is given. */
function saidOf(
  { input }: Change,
  said: UndoSaid | undefined,
  answer: string | undefined,
  former: readonly string[],
): Input {
  const [given, taken] = [said?.ticket, ticketOf(input)];
  const ticket = given ?? taken;
  const notes = [
    ...(answer === undefined ? [] : [`said: ${answer}`]),
    ...(given === undefined && taken !== null ? ["with its ticket"] : []),
  ];
  return { reason: [...former, "undo", ...notes].join(", "), ...(ticket ? { ticket } : {}) };
}

/** Everybody may see this answer, so it does not say what the change was; the history does, to those who may see it. */
function ownChange(id: string): Problem {
  return {
    problem: `Change ${id} is not undone by this: “history ${id}” shows what was before. Nothing was changed.`,
  };
}

/**
 * The inverse of a succeeded change, from its command; of a series, that of its first step that has one. Of an exclusion that was made
 * in part, that part is ended.
 */
function inverseOf(change: Change): Inverse | undefined {
  const { children = [] } = change;
  if (isInParts(change))
    return isMade(change) && (isCreation(change) || change.state === "succeeded") ? commandInverse(change) : undefined;
  if (isSeries(change))
    return !isMade(change) ? undefined : children.map(inverseOf).find((inverse) => inverse !== undefined);
  return change.state === "succeeded" ? commandInverse(change) : undefined;
}

function commandInverse(change: Change): Inverse | undefined {
  const command = commandOf(change.words);
  return command?.kind === "change" ? command.undo?.(occurrenceOf(change)) : undefined;
}

const isMade = ({ state }: Change): boolean => state === "succeeded" || state === "partly";

/** What must be said to undo a change that was made; undefined where its inverse is known, or there is none. */
function questionAbout(change: Change): UndoQuestion | undefined {
  if (!isMade(change) || inverseOf(change)) return undefined;
  const { children = [] } = change;
  if (isSeries(change)) return children.map(questionAbout).find((question) => question !== undefined);
  const command = commandOf(change.words);
  return command?.kind === "change" ? command.undoAsks?.(occurrenceOf(change)) : undefined;
}

const possibleInverse = (question: UndoQuestion | undefined): Inverse | undefined =>
  question?.answers.find(({ inverse }) => inverse)?.inverse;

/** Whether a change has a way back, perhaps after a question. */
export const hasWayBack = (change: Change): boolean =>
  (inverseOf(change) ?? possibleInverse(questionAbout(change))) !== undefined;

function cannotBe({ id }: Change, why: string): Problem {
  return {
    problem: `Change ${id} cannot be undone: ${why}. Nothing was changed. “history ${id}” shows what it did.`,
  };
}

function unanswered(
  change: Change,
  question: UndoQuestion | undefined,
  answer: UndoQuestion["answers"][number] | undefined,
  said: UndoSaid | undefined,
): Problem {
  if (!question || answer) return cannotBe(change, `${answer?.label ?? "it"}, so there is nothing to take back`);
  const buttons = question.answers.map(({ value, label }): CommandButton => {
    const input = { ...said, change: change.id, was: value };
    return resultButton(`${label.charAt(0).toUpperCase()}${label.slice(1)}`, "undo", input);
  });
  return { problem: `${question.text} Nothing was changed yet.`, buttons };
}

/** A blocked undo needs only the subject, since nothing is sent. */
function blocked(command: ChangeCommand, { subjectId }: Change, obstacle: Problem): ChangeCommand {
  return { ...command, subjectId: () => subjectId, prepare: async (input) => input, obstacle };
}

async function whyNot(
  store: Pick<ChangeStore, "about" | "lastAbout"> & Pick<Directory, "get">,
  change: Change,
  now: number,
  requesterId: string | undefined,
): Promise<string | undefined> {
  if (!isMade(change)) return `it is ${stateWords[change.state]}, so there is nothing to take back`;
  if (isCreation(change) && change.subjectId === null)
    return "its id is not known, since the service's answer could not be read; look in the service";
  if (!hasWayBack(change)) return "it has no way back";
  const sent = JSON.stringify([change.before, change.request]);
  if (sent.includes(forgottenPerson) || sent.includes(forgottenText))
    return "it has a text of a person who was forgotten since";
  return (await changedSince(store, change, requesterId)) ?? isOverBy(store, change, now);
}

/** An exclusion that has ended prevents no run, so there is nothing to undo. */
async function isOverBy(
  store: Pick<Directory, "get">,
  { subjectKind, subjectId }: Change,
  now: number,
): Promise<string | undefined> {
  if (subjectKind !== "exclusion" || subjectId === null) return undefined;
  const { expiryDate } = (await store.get("exclusion", subjectId))?.body ?? {};
  return expiryDate && Date.parse(expiryDate) <= now ? "it has come to its end already" : undefined;
}

/** A later change of the entity that is known to Curfew; undefined if it is as this change left it. */
async function changedSince(
  store: Pick<ChangeStore, "about" | "lastAbout"> & Pick<Directory, "get">,
  change: Change,
  requesterId: string | undefined,
): Promise<string | undefined> {
  if (change.subjectId === null) return undefined;
  if (change.parentId !== undefined) return `it is a step of change ${change.parentId}, which is undone as one`;
  const since = await changesSince(store, change, change.subjectId);
  const who = ({ actor }: Change) => (actor.userId === requesterId ? "you have" : `${actor.name} has`);
  const undone = since.find(({ undoes }) => undoes === change.id);
  if (undone) return `${who(undone)} undone it already (change ${undone.id})`;
  const later = notUndone(since).at(-1);
  if (later) return `${who(later)} changed the same thing since (change ${later.id})`;
  const now = await store.get(change.subjectKind, change.subjectId);
  if (now && change.answer !== null && content(now.body) !== content(change.answer))
    return "the thing has been changed elsewhere since";
  return undefined;
}

/** The later changes of the same entity; only the last one if it alone shows that the entity is different. */
async function changesSince(
  store: Pick<ChangeStore, "about" | "lastAbout">,
  { id, subjectKind }: Change,
  subjectId: string,
): Promise<readonly Change[]> {
  const last = await store.lastAbout(subjectKind, subjectId);
  if (!last || last.id === id) return [];
  if (last.undoes === null && last.parentId !== id) return [last];
  const all = await store.about(subjectKind, subjectId);
  return all.slice(all.findIndex((each) => each.id === id) + 1).filter(({ parentId }) => parentId !== id);
}

/** The changes of one entity, oldest first, without those that were undone and their undos. */
export function notUndone(changes: readonly Change[]): readonly Change[] {
  const left: Change[] = [];
  for (const change of changes) {
    if (change.undoes !== null && change.undoes === left.at(-1)?.id) left.pop();
    else left.push(change);
  }
  return left;
}

/** The content of a body, without who last changed it and when, and without its sync state. */
function content(body: unknown): string {
  const { lastModifiedDate, lastModifiedBy, lastAccessDate, syncState, ...rest } = Object.fromEntries(
    Object.entries(body ?? {}),
  );
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
  const compared = fields.map(([name, value]) => [name, timestampPattern.test(String(value)) ? second(value) : value]);
  return JSON.stringify(compared.sort(([one], [other]) => String(one).localeCompare(String(other))));
}

/** The same moment may be written with or without its milliseconds. */
const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const second = (timestamp: unknown): number => Math.floor(Date.parse(String(timestamp)) / 1000);
