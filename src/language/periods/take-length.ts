import type { Command } from "../../commands/command.ts";
import type { Field } from "../../commands/field.ts";
import { unquoted } from "../take-start.ts";
import { phrases, skip } from "../time-words/phrases.ts";
import { readLength } from "../time-words/read-length.ts";
import { timeWords } from "../time-words/time-words.ts";
import type { Word } from "../tokenize.ts";

interface Taking {
  readonly command: Command;
  readonly fields: readonly (readonly [string, Field])[];
  readonly parts: Map<string, readonly Word[]>;
}

const before = phrases("before it stops|before|ahead|earlier|beforehand|in advance|in front");

/** Takes `1h before` from the line of a question that has a length: "warn me about staging 1h before". */
export function takeLength(words: readonly Word[], { command, fields, parts }: Taking): readonly Word[] {
  const name = fields.find(([each, { kind }]) => kind === "length" && !parts.has(each))?.[0];
  if (name === undefined || command.kind !== "query") return words;
  const typed = timeWords(unquoted(words));
  for (let at = 0; at < words.length; at++) {
    const length = readLength(typed, at);
    if (!length) continue;
    parts.set(name, words.slice(at, length.end));
    return [...words.slice(0, at), ...words.slice(skip(typed, length.end, before))];
  }
  return words;
}
