import { fingerprint } from "./form.ts";

/** The ids that each word of an input of resources stands for, by the word in lower case: several or others than itself for a group. */
export type Meanings = ReadonlyMap<string, readonly string[]>;

/** What a form showed its words to mean, kept in few characters: a form holds 3,000 of them (platform.md §7). */
export interface ShownWords {
  /** By the word's mark: that of the ids of a group, or nothing for an id. */
  readonly marks: ReadonlyMap<string, string>;
  /** It is being sent: nothing may mean anything else than what was shown. */
  readonly isSent: boolean;
}

/** As it stands in a form's metadata. */
export function noteShown(meanings: Meanings): string {
  const marks: string[] = [];
  let length = 0;
  for (const [word, ids] of meanings) {
    const mark = isItself(word, ids) ? wordMark(word) : `${wordMark(word)}:${idsMark(ids)}`;
    length += mark.length + 1;
    if (length > longest) break;
    marks.push(mark);
  }
  return marks.join(" ");
}

/** Leaves room for the rest of a form's metadata. */
const longest = 2400;

export function readShown(note: string | undefined, isSent: boolean): ShownWords | undefined {
  if (note === undefined) return undefined;
  const marks = note.split(" ").map((mark): [string, string] => {
    const [word = "", ids = ""] = mark.split(":");
    return [word, ids];
  });
  return { marks: new Map(marks), isSent };
}

export type Shown = "nothing" | "an id" | "this group" | "another group";

/** What a word was shown to mean, compared with the ids that a group of this name has now. */
export function shownAs({ marks }: ShownWords, word: string, ids: readonly string[] = []): Shown {
  const mark = marks.get(wordMark(word));
  if (mark === undefined) return "nothing";
  if (mark === "") return "an id";
  return mark === idsMark(ids) ? "this group" : "another group";
}

const isItself = (word: string, ids: readonly string[]): boolean => ids.length === 1 && ids[0]?.toLowerCase() === word;

const wordMark = (word: string): string => fingerprint(word.toLowerCase()).slice(0, 4);
const idsMark = (ids: readonly string[]): string => fingerprint(ids).slice(0, 8);
