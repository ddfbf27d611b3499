import { createHash } from "node:crypto";
import type { InputBlock, KnownBlock, ModalView } from "@slack/types";
import { z } from "zod";
import { isProblem } from "../../commands/answer.ts";
import type { ChangeCommand, Command, CommandContext, FillContext, Preview } from "../../commands/command.ts";
import { type Field, type Fields, type Input, presentFields } from "../../commands/field.ts";
import { resourceTypeOf } from "../../directory/resources-in-text.ts";
import { blockIdOf, plainText } from "../fields/field-kind.ts";
import { kindOf } from "../fields/field-kinds.ts";
import type { FieldsRead } from "../fields/read-fields.ts";
import { buttonRow } from "../messages/button.ts";
import { clip, escapeMrkdwn, limits, mrkdwn } from "../messages/message.ts";
import { previewSoon } from "./preview.ts";
import { type Meanings, noteShown } from "./shown-words.ts";

export const formCallback = "command-form";

/** What a form must know when it comes back: whose form it is, and where its result goes. */
const formMeta = z.strictObject({
  words: z.string(),
  channelId: z.string().nullable(),
  responseUrl: z.url().optional(),
  /** The fields that say what a form edits: settled, so that no other thing can get the values of this one. */
  edits: z.record(z.string(), z.unknown()).optional(),
  /** What the thing was like when the form was filled, by its fingerprint. */
  version: z.string().optional(),
  /** What it showed the words among its resources to mean (shown-words.ts). */
  shown: z.string().optional(),
});
export type FormMeta = z.infer<typeof formMeta>;

/** What a form carried; undefined for a view that is not a form of this version. */
export function readMeta(privateMetadata: string): FormMeta | undefined {
  try {
    return formMeta.safeParse(JSON.parse(privateMetadata)).data;
  } catch {
    return undefined;
  }
}

export function metaFor(
  command: Command,
  { channelId, responseUrl }: Pick<FormMeta, "channelId"> & { readonly responseUrl: string | undefined },
): FormMeta {
  return { words: command.words, channelId, ...(responseUrl ? { responseUrl } : {}) };
}

interface Shown extends Pick<FieldsRead, "input" | "problems" | "typed" | "meanings"> {
  /** What is still needed, as far as it is known. */
  readonly missing?: readonly string[];
  /** A line was typed that lacks it. */
  readonly isFromLine?: boolean;
}

/** The form of a command, filled with what the service or Curfew knows beside what was given; or a notice why there is none. */
export async function formFor(command: Command, read: Shown, meta: FormMeta, context: FillContext): Promise<ModalView> {
  if (command.kind !== "change") return drawForm(command, read, meta, context);
  const edits = command.fill && editedBy(command, read.input);
  if (command.fill && !edits) return drawForm({ ...command, fields: namingFields(command) }, read, meta, context);
  const filled = await command.fill?.(read.input, context);
  if (filled && isProblem(filled)) return noticeView(command.title, `:warning: ${escapeMrkdwn(filled.problem)}`);
  const given = { ...filled, ...read.input };
  const input = { ...given, ...(await command.propose?.(given, context)) };
  const preview = (await previewSoon(command, input, context)) ?? { lines: [tooSlow], buttons: [] };
  const settled = edits ? { edits, ...(await versionOf(command, edits, context)) } : {};
  const missing = read.missing?.filter((name) => filled?.[name] === undefined) ?? [];
  return drawForm(command, { ...read, missing, input }, { ...settled, ...meta }, context, preview);
}

/** What is known of the thing that a form edits, so that a form filled from an older state can be told apart when it is sent. */
export async function versionOf(
  command: ChangeCommand,
  input: Input,
  { directory }: CommandContext,
): Promise<Pick<FormMeta, "version">> {
  const id = command.subjectId(input);
  const thing = id === null ? undefined : await directory.get(command.about, id);
  return thing ? { version: fingerprint(thing.body) } : {};
}

const tooSlow = "What this would do could not be found out in time.";

/** The fields that name the thing a command edits; the rest of its form comes when they are known. */
function namingFields({ fields }: Command): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field.positional));
}

function editedBy(command: Command, input: Input): Input | undefined {
  const names = Object.keys(namingFields(command));
  return names.every((name) => name in input)
    ? Object.fromEntries(names.map((name) => [name, input[name]]))
    : undefined;
}

/** An input per field, filled with what is known and marked where it was wrong. */
export async function drawForm(
  command: Command,
  { input, problems, typed, missing = [], isFromLine, meanings }: Shown,
  meta: FormMeta,
  context: CommandContext,
  preview: Preview = { lines: [], buttons: [] },
): Promise<ModalView> {
  const blocks: KnownBlock[] = [];
  if (command.kind !== "query" && command.confirms) blocks.push(note(`:warning: ${escapeMrkdwn(command.confirms)}`));
  const lacking = missing.flatMap((name) => command.fields[name] ?? []);
  if (isFromLine && lacking.length > 0) blocks.push(note(lackingText(command, lacking)));
  for (const [name, field] of presentFields(command.fields, input)) {
    if (meta.edits && name in meta.edits) {
      blocks.push(note(await namedThing(field, meta.edits[name], context)));
      continue;
    }
    const problem = problems[name];
    if (problem) blocks.push(note(`:warning: *${escapeMrkdwn(field.label)}*: ${escapeMrkdwn(clip(problem, 1000))}`));
    // Nothing else is to come from which it could follow.
    const isNeeded = missing.includes(name) && lacking.every(({ derivedFrom }) => derivedFrom);
    const shown = { value: input[name], typed: typed[name], isNeeded };
    const drawn = await drawInput(blockIdOf(command, name), field, shown, context);
    if (meta.edits && isCutOff(drawn, input[name])) return noticeView(command.title, tooLong(field));
    blocks.push(drawn);
  }
  if (preview.lines.length > 0) blocks.push(note(escapeMrkdwn(clip(preview.lines.join("\n"), 2000))));
  return {
    type: "modal",
    callback_id: formCallback,
    title: plainText(command.title),
    submit: plainText(command.title),
    close: plainText("Cancel"),
    private_metadata: JSON.stringify({ ...meta, ...shownBy(command, input, meanings) }),
    blocks: [...blocks, ...buttonRow(preview.buttons)],
  };
}

/** The words that were typed, which stay in the form, and the ids that it is filled with. */
function shownBy({ fields }: Command, input: Input, meanings: Meanings = new Map()): Pick<FormMeta, "shown"> {
  const ids = Object.entries(fields).flatMap(([name, { kind }]) => {
    const value = kind === "resource-ids" ? input[name] : undefined;
    return Array.isArray(value) ? value.map(String) : [];
  });
  if (ids.length === 0) return {};
  const opaque = ids.filter((id) => !resourceTypeOf([id]) && !meanings.has(id.toLowerCase()));
  return { shown: noteShown(new Map([...meanings, ...opaque.map((id) => [id.toLowerCase(), [id]] as const)])) };
}

function lackingText({ kind }: Command, lacking: readonly Field[]): string {
  const labels = lacking.map(({ label }) => `*${escapeMrkdwn(label)}*`).join(", ");
  return `:pencil2: The line lacks ${labels}. ${kind === "query" ? "Fill" : "Nothing was changed yet: fill"} it in here.`;
}

async function namedThing(field: Field, id: unknown, { directory }: CommandContext): Promise<string> {
  const thing = field.kind === "reference" ? await directory.get(field.to, String(id)) : undefined;
  const name = thing?.name ? `${thing.name} (${thing.id})` : String(id);
  return `*${escapeMrkdwn(field.label)}:* ${escapeMrkdwn(name)}`;
}

/** Whether a form would send less back than there is. */
function isCutOff({ element }: InputBlock, value: unknown): boolean {
  const shown = "initial_value" in element && typeof element.initial_value === "string" ? element.initial_value : "";
  // One less where a sign of two would have been cut in two.
  return typeof value === "string" ? shown !== "" && shown.length < value.length : shown.length >= limits.inputText - 1;
}

function tooLong({ label }: Field): string {
  return `:warning: *${escapeMrkdwn(label)}* is too long for a form, and would be cut off. Type a line that names only what shall change: the rest stays as it is.`;
}

function note(text: string): KnownBlock {
  return { type: "section", text: mrkdwn(clip(text, limits.sectionText)) };
}

async function drawInput(
  blockId: string,
  field: Field,
  shown: { readonly value: unknown; readonly typed: string | undefined; readonly isNeeded: boolean },
  context: CommandContext,
): Promise<InputBlock> {
  const hint = field.hint ?? zoneHint(field, context);
  return {
    type: "input",
    block_id: blockId,
    label: plainText(field.label),
    optional: field.optional ?? (field.derivedFrom !== undefined && !shown.isNeeded),
    ...(field.redraws ? { dispatch_action: true } : {}),
    element: await kindOf(field).draw(field, shown, context),
    ...(hint ? { hint: plainText(hint) } : {}),
  };
}

/** Slack draws the picker in the person's own zone; this says which that is. */
function zoneHint(field: Field, { actor }: CommandContext): string | undefined {
  return field.kind === "moment" || field.kind === "extension" ? `In your time zone, ${actor.timeZone}` : undefined;
}

/** A view with no inputs: shown while a form is made ready, or in its place. */
export function noticeView(title: string, text: string): ModalView {
  return {
    type: "modal",
    title: plainText(clip(title, limits.viewTitle)),
    close: plainText("Close"),
    blocks: [{ type: "section", text: mrkdwn(clip(text, limits.sectionText)) }],
  };
}

/** Tells whether two answers about a thing are the same, in few characters. */
export function fingerprint(body: unknown): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 16);
}
