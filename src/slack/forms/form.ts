import type { InputBlock, KnownBlock, ModalView } from "@slack/types";
import { z } from "zod";
import { isProblem } from "../../commands/answer.ts";
import type { ChangeCommand, Command, CommandContext, FillContext, Preview } from "../../commands/command.ts";
import { type Field, type Fields, type Input, presentFields } from "../../commands/field.ts";
import { resourceTypeOf } from "../../directory/resources-in-text.ts";
import { blockIdOf, plainText } from "../fields/field-kind.ts";
import { kindOf } from "../fields/kind-of.ts";
import type { FieldsRead } from "../fields/read-fields.ts";
import { buttonRow } from "../messages/button.ts";
import { clip, escapeMrkdwn, limits, mrkdwn } from "../messages/message.ts";
import { fingerprint } from "./fingerprint.ts";
import { newNamesText } from "./new-names.ts";
import { previewSoon } from "./preview.ts";
import { type Meanings, noteShown } from "./shown-words.ts";

export const formCallback = "command-form";

/** The metadata of a form: its command, and where its result goes. */
const formMeta = z.strictObject({
  words: z.string(),
  channelId: z.string().nullable(),
  responseUrl: z.url().optional(),
  /** The fields that name the edited thing. They are fixed, so that no other thing can get these values. */
  edits: z.record(z.string(), z.unknown()).optional(),
  /** What was said on a line and has no input here, such as `--another`. */
  kept: z.record(z.string(), z.unknown()).optional(),
  /** The fingerprint of the thing when the form was filled. */
  version: z.string().optional(),
  /** The meanings of the resource words that it showed (shown-words.ts). */
  shown: z.string().optional(),
});
export type FormMeta = z.infer<typeof formMeta>;

/** The metadata of a form; undefined for a view that is not a form of this version. */
export function readMeta(privateMetadata: string): FormMeta | undefined {
  try {
    return formMeta.safeParse(JSON.parse(privateMetadata)).data;
  } catch {
    return undefined;
  }
}

/** The values that the form does not ask for. */
export const fixedBy = ({ kept, edits }: Pick<FormMeta, "kept" | "edits">): Input => ({ ...kept, ...edits });

export function metaFor(
  command: Command,
  { channelId, responseUrl }: Pick<FormMeta, "channelId"> & { readonly responseUrl: string | undefined },
): FormMeta {
  return { words: command.words, channelId, ...(responseUrl ? { responseUrl } : {}) };
}

interface Shown extends Pick<FieldsRead, "input" | "problems" | "typed" | "meanings" | "newNames"> {
  /** The fields that are still needed. */
  readonly missing?: readonly string[];
  /** The form opens because a typed line lacks them. */
  readonly isFromLine?: boolean;
}

/** The form of a command, filled with the given input and with known values; or a notice why there is no form. */
export async function formFor(command: Command, read: Shown, meta: FormMeta, context: FillContext): Promise<ModalView> {
  if (command.kind !== "change") return drawForm(command, read, meta, context);
  const edits = command.fill && editedBy(command, read.input);
  if (command.fill && !edits) return drawForm({ ...command, fields: namingFields(command) }, read, meta, context);
  const filled = await command.fill?.(read.input, context);
  if (filled && isProblem(filled)) return noticeView(command.title, `:warning: ${escapeMrkdwn(filled.problem)}`);
  const given = { ...filled, ...read.input };
  const input = { ...given, ...(await command.propose?.(given, context)) };
  const preview = (await previewSoon(command, input, context)) ?? { lines: [tooSlow], buttons: [] };
  const fixed = edits ? { edits, ...(await versionOf(command, edits, context)) } : {};
  const missing = read.missing?.filter((name) => filled?.[name] === undefined) ?? [];
  return drawForm(command, { ...read, missing, input }, { ...fixed, ...meta }, context, preview);
}

/** The version of the edited thing, so that a form filled from an older state is recognized when it is sent. */
export async function versionOf(
  command: ChangeCommand,
  input: Input,
  { directory }: CommandContext,
): Promise<Pick<FormMeta, "version">> {
  const id = command.subjectId(input);
  const thing = id === null ? undefined : await directory.get(command.about, id);
  return thing ? { version: fingerprint(thing.body) } : {};
}

const tooSlow = "Curfew could not work out the effect in time.";

/** The fields that name the edited thing. The form asks for the rest once these are known. */
function namingFields({ fields }: Command): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field.positional));
}

function editedBy(command: Command, input: Input): Input | undefined {
  const names = Object.keys(namingFields(command));
  return names.every((name) => name in input)
    ? Object.fromEntries(names.map((name) => [name, input[name]]))
    : undefined;
}

/** An input for each field, filled with known values, with the problems above. */
export async function drawForm(
  command: Command,
  { input, problems, typed, missing = [], isFromLine, meanings, newNames }: Shown,
  meta: FormMeta,
  context: CommandContext,
  preview: Preview = { lines: [], buttons: [] },
): Promise<ModalView> {
  const blocks: KnownBlock[] = [];
  if (command.kind !== "query" && command.confirms) blocks.push(note(`:warning: ${escapeMrkdwn(command.confirms)}`));
  const lacking = missing.flatMap((name) => command.fields[name] ?? []);
  if (isFromLine && lacking.length > 0) blocks.push(note(missingText(command, lacking)));
  for (const [name, field] of presentFields(command.fields, input).filter(([, { hidden }]) => !hidden)) {
    if (meta.edits && name in meta.edits) {
      blocks.push(note(await namedThing(field, meta.edits[name], context)));
      continue;
    }
    const problem = problems[name];
    if (problem) blocks.push(note(`:warning: *${escapeMrkdwn(field.label)}*: ${escapeMrkdwn(clip(problem, 1000))}`));
    if (newNames && field.kind === "resource-ids")
      blocks.push(note(`:question: ${escapeMrkdwn(clip(newNamesText(newNames), 1000))}`));
    // A derived field is needed only if no missing field could supply it.
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
    private_metadata: JSON.stringify({ ...meta, ...keptBy(command, input), ...shownBy(command, input, meanings) }),
    blocks: [...blocks, ...buttonRow(preview.buttons)],
  };
}

function keptBy({ fields }: Command, input: Input): Pick<FormMeta, "kept"> {
  const kept = Object.entries(input).filter(([name]) => fields[name]?.hidden === "form");
  return kept.length > 0 ? { kept: Object.fromEntries(kept) } : {};
}

/** Notes the typed words, which stay in the form, and the ids that fill it. */
function shownBy({ fields }: Command, input: Input, meanings: Meanings = new Map()): Pick<FormMeta, "shown"> {
  const ids = Object.entries(fields).flatMap(([name, { kind }]) => {
    const value = kind === "resource-ids" ? input[name] : undefined;
    return Array.isArray(value) ? value.map(String) : [];
  });
  if (ids.length === 0) return {};
  const opaque = ids.filter((id) => !resourceTypeOf([id]) && !meanings.has(id.toLowerCase()));
  return { shown: noteShown(new Map([...meanings, ...opaque.map((id) => [id.toLowerCase(), [id]] as const)])) };
}

function missingText({ kind }: Command, lacking: readonly Field[]): string {
  const labels = lacking.map(({ label }) => `*${escapeMrkdwn(label)}*`).join(", ");
  const [are, them] = lacking.length === 1 ? ["is", "it"] : ["are", "them"];
  return `:pencil2: ${labels} ${are} missing. ${kind === "query" ? "Fill" : "Nothing was changed yet: fill"} ${them} in here.`;
}

async function namedThing(field: Field, id: unknown, { directory }: CommandContext): Promise<string> {
  const thing = field.kind === "reference" ? await directory.get(field.to, String(id)) : undefined;
  const name = thing?.name ? `${thing.name} (${thing.id})` : String(id);
  return `*${escapeMrkdwn(field.label)}:* ${escapeMrkdwn(name)}`;
}

/** Whether the input is too short for the value: the form would send less back. */
function isCutOff({ element }: InputBlock, value: unknown): boolean {
  const shown = "initial_value" in element && typeof element.initial_value === "string" ? element.initial_value : "";
  // One less where a surrogate pair would have been cut.
  return typeof value === "string" ? shown !== "" && shown.length < value.length : shown.length >= limits.inputText - 1;
}

function tooLong({ label }: Field): string {
  return `:warning: *${escapeMrkdwn(label)}* is too long for a form and would be cut off. Type a line with only what you want to change: the rest stays as it is.`;
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

/** Slack draws the picker in the person's own zone; the hint names it. */
function zoneHint(field: Field, { actor }: CommandContext): string | undefined {
  return field.kind === "moment" || field.kind === "extension" ? `In your time zone, ${actor.timeZone}` : undefined;
}

/** A view without inputs, shown while a form is prepared or instead of it. */
export function noticeView(title: string, text: string): ModalView {
  return {
    type: "modal",
    title: plainText(clip(title, limits.viewTitle)),
    close: plainText("Close"),
    blocks: [{ type: "section", text: mrkdwn(clip(text, limits.sectionText)) }],
  };
}
