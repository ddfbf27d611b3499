import { createHash } from "node:crypto";

/** The ids that each word of a resource input stands for, by the word in lower case. A group's name stands for the group's ids. */
export type Meanings = ReadonlyMap<string, readonly string[]>;

/** The meanings that a form showed, in short marks: a form's metadata holds 3,000 characters (PLATFORM.md §7). */
export interface ShownWords {
  /** By the word's mark: the mark of the group's ids, or empty for an id. */
  readonly marks: ReadonlyMap<string, string>;
  /** The form is being sent: no word may mean anything else than what was shown. */
  readonly isSent: boolean;
}

/** The marks as written into a form's metadata. */
export function noteShown(meanings: Meanings): string {
  const marks: string[] = [];
  let length = 0;
  for (const [word, ids] of meanings) {
    const mark = isItself(word, ids) ? wordMark(word) : `${wordMark(word)}:${idsMark(ids)}`;
    length += mark.length + 1;
    if (length > maxLength) break;
    marks.push(mark);
  }
  return marks.join(" ");
}

/** Leaves room for the rest of a form's metadata. */
const maxLength = 2400;

export function readShown(note: string | undefined, isSent: boolean): ShownWords | undefined {
  if (note === undefined) return undefined;
  const marks = note.split(" ").map((mark): [string, string] => {
    const [word = "", ids = ""] = mark.split(":");
    return [word, ids];
  });
  return { marks: new Map(marks), isSent };
}

type Shown = "nothing" | "an id" | "this group" | "another group";

/** Compares what a word was shown to mean with the ids that a group of this name has now. */
export function shownAs({ marks }: ShownWords, word: string, ids: readonly string[] = []): Shown {
  const mark = marks.get(wordMark(word));
  if (mark === undefined) return "nothing";
  if (mark === "") return "an id";
  return mark === idsMark(ids) ? "this group" : "another group";
}

const isItself = (word: string, ids: readonly string[]): boolean => ids.length === 1 && ids[0]?.toLowerCase() === word;

const wordMark = (word: string): string => fingerprint(word.toLowerCase()).slice(0, 4);
const idsMark = (ids: readonly string[]): string => fingerprint(ids).slice(0, 8);

/** Whether two values are the same, in few characters: fits into a form's metadata. */
export function fingerprint(body: unknown): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 16);
}
