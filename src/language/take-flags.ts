import type { Field } from "../commands/field.ts";
import { isOfDays } from "./day-list.ts";
import { nearestWord } from "./nearest-word.ts";
import { type FindTime, unquoted } from "./take-times.ts";
import type { Word } from "./tokenize.ts";

export interface Taking {
  readonly fields: NamedFields;
  readonly parts: Map<string, readonly Word[]>;
  readonly problems: string[];
  readonly findTime: FindTime;
  readonly isFree: boolean;
}

type NamedFields = readonly (readonly [string, Field])[];

const flagPattern = /^--([a-z][\w-]*)(?:=(.*))?$/is;
const isFlag = ({ value, isQuoted }: Word): boolean => !isQuoted && flagPattern.test(value);

/** Takes `--flag value` and `because …`. A reason reaches to the next flag, and a time over all its words. */
export function takeFlags(words: readonly Word[], taking: Taking): readonly Word[] {
  const { fields, parts, isFree } = taking;
  const hasReason = !isFree && fields.some(([name]) => name === "reason");
  const rest: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at];
    if (!word) break;
    const flag = flagPattern.exec(word.value);
    if (flag && !(word.isQuoted && flag[2] === undefined)) {
      at += takeFlag(words.slice(at), flag, taking);
    } else if (hasReason && !word.isQuoted && /^(?:because|bc)$/i.test(word.value) && !parts.has("reason")) {
      const reason = upToFlag(words.slice(at + 1));
      parts.set("reason", reason.length > 0 ? reason : [word]);
      at += 1 + reason.length;
    } else {
      rest.push(word);
      at++;
    }
  }
  return rest;
}

/** How many words the flag takes, with its value. */
function takeFlag([word, ...after]: readonly Word[], flag: RegExpExecArray, taking: Taking): number {
  const { fields, parts, problems } = taking;
  const [, given = "", inline] = flag;
  const [name, field] = fields.find(([field]) => flagOf(field) === given.toLowerCase()) ?? [];
  if (!word) return 1;
  if (name === undefined || !field) {
    if (problems.length < maxProblems) problems.push(unknownFlag(given, fields));
    return inline === undefined && after[0] && !isFlag(after[0]) ? 2 : 1;
  }
  if (inline !== undefined || field.kind === "switch") {
    if (inline === "") problems.push(`--${given} needs a value.`);
    else parts.set(name, withEnd(field, [{ ...word, value: inline ?? "yes" }], taking));
    return 1;
  }
  const value = flagValue(name, field, after, taking);
  if (value.length === 0 || value.every((each) => each.value === "")) problems.push(`--${given} needs a value.`);
  else parts.set(name, withEnd(field, value, taking));
  return 1 + value.length;
}

export const isTime = ({ kind }: Field): boolean => kind === "moment" || kind === "extension";

/** The time of a flag is an end, as after `until`, unless it is a length. */
function withEnd(field: Field, value: readonly Word[], { findTime }: Taking): readonly Word[] {
  const [first] = value;
  if (!isTime(field)) return value;
  const isEnd = findTime(["until", ...unquoted(value)])?.start === 0;
  if (!first || !isEnd || findTime(unquoted(value))?.reading.kind === "length") return value;
  return [{ ...first, value: "until" }, ...value];
}

function flagValue(name: string, field: Field, after: readonly Word[], { findTime }: Taking): readonly Word[] {
  const [first] = after;
  if (!first || first.isQuoted) return after.slice(0, 1);
  if (name === "reason") return upToFlag(after);
  if (field.kind === "rules") return tagRules(after);
  if (field.kind === "recurrence") return upTo(after, (word) => isFlag(word) || /^(?:because|bc)$/i.test(word.value));
  if (field.kind === "days") return upTo(after, ({ value }) => !isOfDays(value));
  if (!isTime(field)) return after.slice(0, 1);
  const time = findTime(["until", ...unquoted(after).slice(0, maxTimeWords)]);
  return after.slice(0, time?.start === 0 ? time.end - 1 : 1);
}

/** `Environment=staging Team=web`, with or without commas. */
function tagRules(after: readonly Word[]): readonly Word[] {
  return upTo(after, ({ value }) => value.startsWith("--") || !value.includes("="));
}

/** The first word, and those that follow up to the first which ends the value. */
function upTo(after: readonly Word[], isEnd: (word: Word) => boolean): readonly Word[] {
  const [first] = after;
  const end = first && isEnd(first) ? 1 : after.findIndex(isEnd);
  return end === -1 ? after : after.slice(0, end);
}

/** A quoted reason ends with its quote. */
function upToFlag(words: readonly Word[]): readonly Word[] {
  if (words[0]?.isQuoted) return words.slice(0, 1);
  const end = words.findIndex(isFlag);
  return end === -1 ? words : words.slice(0, end);
}

function unknownFlag(given: string, fields: NamedFields): string {
  const flags = fields.map(([field]) => flagOf(field));
  const near = nearestWord(given.toLowerCase(), flags);
  const isNear = near !== undefined && near.differences <= Math.max(2, near.word.length / 3);
  return `There is no --${given} here.${isNear ? ` Did you mean --${near.word}?` : flags.length ? ` There are ${flags.map((flag) => `--${flag}`).join(", ")}.` : ""}`;
}

const maxTimeWords = 12;
/** More problems than these help nobody, and each looks for the nearest flag. */
const maxProblems = 5;

/** The flag of a field on a line: `mfaType` is `--mfa-type`. */
export function flagOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
