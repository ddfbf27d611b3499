import { z } from "zod";
import type { Command, Thread } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";

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
  /** The meanings of the resource words that it showed (shown-words.ts). */
  shown: z.string().optional(),
  /** The rarer fields are shown. They stay, so that nothing typed there is lost. */
  more: z.literal(true).optional(),
  /** The values of inputs that a choice took away, by block, for when they come back (put-aside.ts). */
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
