import type { Command } from "../commands/command.ts";
import type { Field, Input } from "../commands/field.ts";
import { withoutFillers, withoutOpening, withoutStop } from "./fillers.ts";
import { type FindPeriod, mayRepeat } from "./periods/find-period.ts";
import type { FindSpan } from "./periods/read-span.ts";
import { findPhrase, type Phrased } from "./phrases.ts";
import { isTime, type Taking, takeFlags } from "./take-flags.ts";
import { isNoJoiner, takePositionals } from "./take-positionals.ts";
import {
  type FindTime,
  inEachPeriod,
  isStart,
  takeLength,
  takePeriod,
  takeSpan,
  takeStart,
  takeTimesOfSeries,
  unquoted,
  withEveryFirst,
} from "./take-times.ts";
import { takeTicket, ticketFieldOf, ticketFormsOf, ticketWithin } from "./ticket-words.ts";
import { tokenize, type Word } from "./tokenize.ts";

/** A line split into the words of each field of its command. */
export interface SplitLine {
  readonly kind: "split";
  readonly command: Command;
  readonly parts: ReadonlyMap<string, readonly Word[]>;
  /** Values that follow from how the command was said. */
  readonly sets: Input;
  /** What is wrong with the line, in sentences. */
  readonly problems: readonly string[];
  /** The words that mean nothing here. While there are any, nothing may be done. */
  readonly unexplained: readonly Word[];
  /** All words of the line. */
  readonly words: readonly Word[];
  /** More changes that the line asks for, each by itself. */
  readonly also?: readonly SplitLine[];
  /** What must be said beside the answer. */
  readonly note?: string | undefined;
  /** The change that it is about, for those who may not do it in any case. */
  readonly meant?: string | undefined;
}

/** A line that names no command. */
export interface UnclearLine {
  readonly kind: "unclear";
  readonly problem: string;
  readonly words: readonly Word[];
  /** Lines of the grammar that may be meant, or lead on, the likeliest first. */
  readonly offers?: readonly string[];
  /** The change that it is about, for those who may not do it in any case. */
  readonly meant?: string | undefined;
  /** The offers only lead on: those that change something open their form. `hasForm`: that of the change is offered too. */
  readonly isLead?: true;
  readonly hasForm?: true;
  /** It only answers thanks. */
  readonly isCourtesy?: true;
}

export type LineSplit = SplitLine | UnclearLine;

/** How times are read for somebody. */
interface Times {
  readonly findTime: FindTime;
  readonly findPeriod: FindPeriod;
  readonly findSpan: FindSpan;
}

/** A longer line is refused whole, since a part of it would mean something else. */
export const maxLineLength = 4000;
const tooLong =
  "A line can have at most 4,000 characters, and this one is longer. Nothing was changed: send a shorter one.";

/** Finds the command of a line, and the field that each of its words belongs to. A word that belongs to none is unexplained. */
export function splitLine(
  line: string,
  commands: readonly Command[],
  findTime: FindTime,
  findPeriod: FindPeriod = () => undefined,
  findSpan: FindSpan = () => undefined,
): LineSplit {
  const times = { findTime, findPeriod, findSpan };
  if (line.length > maxLineLength) return { kind: "unclear", problem: tooLong, words: [] };
  const tokens = tokenize(line);
  if (tokens.kind === "unclosed") {
    const problem = `The quote ${tokens.quote} is not closed. Nothing was changed: close it and send the line again.`;
    return { kind: "unclear", problem, words: [] };
  }
  const { words } = tokens;
  return severalOf(apart(words), commands, times) ?? splitWords(words, commands, times);
}

/** "end web; keep staging up until 22:00" */
function apart(words: readonly Word[]): readonly (readonly Word[])[] {
  const ends = words.flatMap(({ value, isQuoted }, at) => (!isQuoted && value.endsWith(";") ? [at + 1] : []));
  return [0, ...ends].map((start, index) => words.slice(start, ends[index])).filter((each) => each.length > 0);
}

/** Several lines as one, where each is understood, and all change something or all ask. */
function severalOf(
  lines: readonly (readonly Word[])[],
  commands: readonly Command[],
  times: Times,
): SplitLine | undefined {
  if (lines.length < 2 || lines.length > mostAtOnce) return undefined;
  const each = lines.map((line) => splitWords(withoutStop(line), commands, times));
  const whole = each.flatMap((split) => (split.kind === "split" && isUnderstood(split) ? [split] : []));
  const [first, ...others] = whole;
  if (!first || whole.length < each.length || others.some((split) => isQuery(split) !== isQuery(first)))
    return undefined;
  return { ...first, also: [...(first.also ?? []), ...others.flatMap((split) => [split, ...(split.also ?? [])])] };
}

const mostAtOnce = 8;
const isQuery = ({ command }: SplitLine): boolean => command.kind === "query";
const isUnderstood = ({ problems, unexplained }: SplitLine): boolean => problems.length + unexplained.length === 0;

function splitWords(words: readonly Word[], commands: readonly Command[], times: Times): LineSplit {
  const { findPeriod } = times;
  const withTicket = findWithTicket(words, commands, findPeriod);
  if (withTicket) return assign(withTicket.found, words, times, withTicket.ticket);
  const found = findCommand(words, commands, findPeriod);
  const isPlanned = found && Object.values<Field>(found.command.fields).some(isStart);
  const several = isPlanned
    ? severalOf(inEachPeriod(words, findPeriod, found.sets.process === "start"), commands, times)
    : undefined;
  if (several) return several;
  if (found) return assign(found, words, times);
  const typed = words.slice(0, 2).map(({ value }) => value);
  const problem = `I didn't understand “${typed.join(" ")}”. Nothing was changed. “help” shows what you can say.`;
  return { kind: "unclear", problem, words };
}

function findCommand(
  words: readonly Word[],
  commands: readonly Command[],
  findPeriod: FindPeriod,
): Phrased | undefined {
  const said = withoutOpening(words);
  const series = mayRepeat(unquoted(said)) ? withEveryFirst(said, findPeriod) : undefined;
  const repeated = series && findPhrase(withoutStop(series), commands);
  const isSeries = [...(repeated?.named.keys() ?? [])].some(
    (name) => repeated?.command.fields[name]?.kind === "recurrence",
  );
  if (isSeries) return repeated;
  // "… before staging stops?" has one word more without its question mark.
  const [asSaid, stopped] = [findPhrase(said, commands), findPhrase(withoutStop(said), commands)];
  return stopped && stopped.length > (asSaid?.length ?? 0) ? stopped : asSaid;
}

interface FoundWithTicket {
  readonly found: Phrased;
  readonly ticket: Word;
}

/** The command of a line that says a ticket of the form which this command asks for. */
function findWithTicket(
  words: readonly Word[],
  commands: readonly Command[],
  findPeriod: FindPeriod,
): FoundWithTicket | undefined {
  for (const [pattern, form] of ticketFormsOf(commands)) {
    const said = takeTicket(words, form);
    const found = said && findCommand(said.rest, commands, findPeriod);
    if (found && ticketFieldOf(found.command)?.form.pattern === pattern) return { found, ticket: said.ticket };
  }
  return undefined;
}

type Parts = Map<string, readonly Word[]>;

/** Takes from the words what belongs to flags, to the reason and to the time; positionals get the rest. */
function assign(
  { command, rest, named, sets, afterThing }: Phrased,
  words: readonly Word[],
  times: Times,
  ticket?: Word,
): SplitLine {
  const fields = Object.entries<Field>(command.fields).filter(
    ([, { hidden }]) => hidden !== "all" && hidden !== "line",
  );
  const parts: Parts = new Map();
  const problems: string[] = [];
  const ticketField = ticketFieldOf(command);
  if (ticket && ticketField) parts.set(ticketField.name, [ticket]);
  // A new name or the reason of a denial may contain any word.
  const isChosen = command.kind === "change" || (command.kind === "decision" && "reason" in command.fields);
  const isFree = isChosen && fields.some(([, { kind, positional }]) => kind === "text" && positional === "rest");
  const taking = { command, fields, parts, problems, sets, ...times, isFree, afterThing };
  for (const [field, part] of named) {
    const kept = takeFlags(part, taking);
    const kind = command.fields[field]?.kind;
    const plain = kind === "text" || kind === "length" ? kept : withoutFillers(kept);
    const value = kind === "resource-ids" ? plain.filter(isNoJoiner) : plain;
    if (value.length > 0) parts.set(field, value);
  }
  const afterFlags = takeFlags(isFree ? rest : withoutStop(rest), taking);
  const afterSeries = takeTimesOfSeries(afterFlags, taking);
  const afterSpan = takeSpan(takeLength(afterSeries, taking), taking);
  const afterTime = takeTime(takeStart(takePeriod(afterSpan, taking), taking), taking);
  const afterProject = isFree ? afterTime : takeProject(afterTime, taking);
  const unexplained = takePositionals(isFree ? afterProject : withoutFillers(afterProject), fields, parts);
  const within = ticketField && ticketWithin(parts.get("reason") ?? [], ticketField.form);
  if (ticketField && within && !parts.has(ticketField.name)) parts.set(ticketField.name, [within]);
  return { kind: "split", command, parts, sets, problems, unexplained, words };
}

/** Takes `in <project>` at the end of a line whose command has a flag for it. */
function takeProject(words: readonly Word[], { fields, parts }: Taking): readonly Word[] {
  const isProject = (field: Field) => field.kind === "reference" && field.to === "project" && !field.positional;
  const [name] = fields.find(([each, field]) => isProject(field) && !parts.has(each)) ?? [];
  const at = words.findLastIndex(({ value, isQuoted }) => !isQuoted && value.toLowerCase() === "in");
  const project = withoutFillers(words.slice(at + 1));
  if (name === undefined || at < 1 || project.length === 0 || project.length > maxProjectWords) return words;
  parts.set(name, project);
  return words.slice(0, at);
}

/** More would be a sentence. */
const maxProjectWords = 4;

/** Takes what is a time, also a second one: the field then reports two ends. What follows an unread `for` or `until` counts as one too. */
function takeTime(words: readonly Word[], { fields, parts, findTime }: Taking): readonly Word[] {
  const field = fields.find(([, each]) => isTime(each) && !isStart(each))?.[0];
  if (field === undefined) return words;
  let rest = words;
  for (let found = 0; found < 2; found++) {
    const time = findTime(unquoted(rest));
    if (!time) break;
    parts.set(field, [...(parts.get(field) ?? []), ...rest.slice(time.start, time.end)]);
    rest = [...rest.slice(0, time.start), ...rest.slice(time.end)];
  }
  const unread = unquoted(rest).findIndex((word) => /^(?:for|until|till|til)$/i.test(word));
  // `for the fair` behind a time that was read is no second one.
  const isReason = parts.has(field) && /^for [^\d]/i.test(unquoted(rest.slice(unread)).join(" "));
  if (unread === -1 || isReason) return rest;
  parts.set(field, [...(parts.get(field) ?? []), ...rest.slice(unread)]);
  return rest.slice(0, unread);
}
