import { createHash } from "node:crypto";
import type { ModalView } from "@slack/types";
import { z } from "zod";
import type { Command, Thread } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";
import { limits } from "../messages/text.ts";

/** The metadata of a form: its command, and where its result goes. */
const formMeta = z.strictObject({
  words: z.string(),
  channelId: z.string().nullable(),
  /** The thread there in which it was asked for. */
  threadTs: z.string().optional(),
  /** Opened from the Home tab, in the name of that channel. */
  fromHome: z.literal(true).optional(),
  responseUrl: z.url().optional(),
  /** The fields that name the edited thing. They are fixed, so that no other thing can get these values. */
  edits: z.record(z.string(), z.unknown()).optional(),
  /** What was said on a line and has no input here, such as `--another`. */
  kept: z.record(z.string(), z.unknown()).optional(),
  /** What a field means while its input is empty: a length that is added to an end which is not known yet. */
  otherwise: z.record(z.string(), z.unknown()).optional(),
  /** The fingerprint of the thing when the form was filled. */
  version: z.string().optional(),
  /** The meanings of the resource words that it showed. */
  shown: z.string().optional(),
  /** The rarer fields are shown. They stay, so that nothing typed there is lost. */
  more: z.literal(true).optional(),
  /** The values of inputs that a choice took away, by block, for when they come back. */
  aside: z.record(z.string(), z.unknown()).optional(),
  /** How often a ready answer was chosen, by field: each time the input gets a new block, or Slack would keep the old value. */
  chosen: z.record(z.string(), z.int().positive()).optional(),
});
export type FormMeta = z.infer<typeof formMeta>;

/** The metadata of a form; undefined for a view that is not a form of this version. */
export function readMeta(privateMetadata: string | undefined): FormMeta | undefined {
  if (privateMetadata === undefined) return undefined;
  try {
    return formMeta.safeParse(JSON.parse(privateMetadata)).data;
  } catch {
    return undefined;
  }
}

/** The values that the form does not ask for. */
export const fixedBy = ({ kept, edits }: Pick<FormMeta, "kept" | "edits">): Input => ({ ...kept, ...edits });

interface OpenedFrom extends Pick<FormMeta, "channelId"> {
  readonly askedIn?: Thread | undefined;
  readonly fromHome?: boolean | undefined;
  readonly responseUrl: string | undefined;
}

export function metaFor(command: Command, { channelId, askedIn, fromHome, responseUrl }: OpenedFrom): FormMeta {
  const thread = askedIn ? { threadTs: askedIn.ts } : {};
  const asked = { words: command.words, channelId, ...thread, ...(responseUrl ? { responseUrl } : {}) };
  return fromHome ? { ...asked, fromHome: true } : asked;
}

type Values = Readonly<Record<string, unknown>>;

/** A form's values, with those of inputs that a choice took away before. */
export function withAside(values: unknown, aside: Values = {}): Values {
  return typeof values === "object" && values !== null ? { ...aside, ...values } : aside;
}

/**
 * Keeps in the metadata what was typed into inputs that the form no longer has, for when they come back. What does not fit is kept by
 * Slack only until the next redraw.
 */
export function putAside(view: ModalView, values: Values): ModalView {
  const meta = readMeta(view.private_metadata ?? "");
  if (!meta) return view;
  const drawn = new Set(view.blocks.map(({ block_id }) => fieldOf(block_id ?? "")));
  const aside = Object.fromEntries(
    Object.entries(values).filter(([block, value]) => !drawn.has(fieldOf(block)) && isFilled(value)),
  );
  const { aside: _former, ...rest } = meta;
  const kept = JSON.stringify(Object.keys(aside).length > 0 ? { ...rest, aside } : rest);
  return kept.length > limits.privateMetadata ? view : { ...view, private_metadata: kept };
}

/** A ready answer gives a field a new block, with a number behind its id. */
const fieldOf = (blockId: string): string => blockId.replace(/#\d+$/, "");

/** Whether somebody typed or chose something. */
function isFilled(block: unknown): boolean {
  const states: unknown[] = typeof block === "object" && block !== null ? Object.values(block) : [];
  return states.some((state) => {
    const { type: _type, ...rest } = Object(state);
    return Object.values(rest).some(
      (value) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0),
    );
  });
}

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
