import type { ActionsBlock, InputBlock, KnownBlock, ModalView } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import { isProblem } from "../../commands/answer.ts";
import type {
  ChangeCommand,
  Command,
  CommandContext,
  DecisionCommand,
  FillContext,
  Preview,
} from "../../commands/command.ts";
import type { Field, Fields, Input, MomentField } from "../../commands/field.ts";
import { presentFields } from "../../commands/field-values.ts";
import { asRequired } from "../../commands/required-fields.ts";
import { resourceTypeOf, typeWords } from "../../directory/resources.ts";
import { type Logger, logWithReference } from "../../observability/log.ts";
import { formatDuration } from "../../time/duration.ts";
import { within } from "../../time/within.ts";
import { blockIdOf, type NewNames, plainText } from "../fields/field-kind.ts";
import { kindOf } from "../fields/kind-of.ts";
import { quickMoment, startGiven } from "../fields/kinds/moment.ts";
import type { FieldsRead } from "../fields/read-fields.ts";
import { buttonRow } from "../messages/button.ts";
import { contextBlock, type Message, section } from "../messages/message.ts";
import { bold, clip, clipMrkdwn, code, join, limits, lines, literal, type Mrkdwn, md } from "../messages/text.ts";
import { type FormMeta, fingerprint, type Meanings, noteShown, type ShownWords, shownAs } from "./form-meta.ts";

export const formCallback = "command-form";

interface Shown extends Pick<FieldsRead, "input" | "problems" | "typed" | "meanings" | "newNames"> {
  /** The fields that are still needed. */
  readonly missing?: readonly string[];
  /** Why the sent form was refused, and the next steps. */
  readonly notice?: readonly KnownBlock[];
  /** The values that follow from the others. */
  readonly derived?: readonly string[];
  /** The form opens because a typed line lacks them. */
  readonly isFromLine?: boolean;
  /** What Curfew makes of the values, by field. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
}

/** The form of a command, filled with the given input and with known values; or a notice why there is no form. */
export async function formFor(asked: Command, read: Shown, meta: FormMeta, context: FillContext): Promise<ModalView> {
  const command = asRequired(asked, context.settings);
  if (command.kind === "decision") return decisionForm(command, read, meta, context);
  if (command.kind !== "change") return drawForm(command, read, meta, context);
  const edits = command.fill && editedBy(command, read.input);
  if (command.fill && !edits) return drawForm({ ...command, fields: namingFields(command) }, read, meta, context);
  const filled = await command.fill?.(read.input, context);
  if (filled && isProblem(filled)) return noticeView(command.title, md`:warning: ${literal(filled.problem)}`);
  const given = { ...filled, ...read.input };
  const input = { ...given, ...(await command.propose?.(given, context)) };
  const [preview = { lines: [tooSlow], buttons: [] }, notes] = await Promise.all([
    previewSoon(command, input, context),
    command.notes?.(input, context),
  ]);
  const fixed = edits ? { edits, ...(await versionOf(command, edits, context)) } : {};
  const present = new Set(presentFields(command.fields, input).map(([name]) => name));
  const missing = read.missing?.filter((name) => present.has(name) && input[name] === undefined) ?? [];
  return drawForm(command, { ...read, missing, input, notes }, { ...fixed, ...meta }, context, preview);
}

/** It names the request that is decided on, and does not ask for it again. */
async function decisionForm(command: DecisionCommand, read: Shown, meta: FormMeta, context: FillContext) {
  const id = command.changeId(read.input);
  const request = id === undefined ? undefined : await context.requestOf?.(id, command.verdict);
  const { change } = command.fields;
  if (!request || !change) return drawForm(command, read, meta, context);
  const { requester, asked } = request;
  const verb = command.verdict === "denied" ? "Deny" : "Approve";
  const isOwn = command.verdict === "withdrawn";
  const named = {
    ...command,
    title: isOwn ? command.title : clip(`${verb} ${requester}'s request`, limits.viewTitle),
    fields: { ...command.fields, change: { ...change, hidden: "form" } as const },
  };
  const sentence = section(md`${bold(requester)} wants to ${literal(asked, 1000)}`);
  return drawForm(named, { ...read, notice: [...(read.notice ?? []), sentence] }, meta, context);
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

/** An input for each field, filled with known values, with the problems and notes below; the rarer fields under *More*. */
export async function drawForm(
  command: Command,
  shown: Shown,
  meta: FormMeta,
  context: CommandContext,
  preview: Preview = { lines: [], buttons: [] },
): Promise<ModalView> {
  const { input, missing = [], isFromLine, meanings, notice = [] } = shown;
  const blocks: KnownBlock[] = [...notice];
  if (command.kind !== "query" && command.confirms) blocks.push(section(md`:warning: ${literal(command.confirms)}`));
  const lacking = missing.flatMap((name) => command.fields[name] ?? []);
  if (isFromLine && lacking.length > 0) blocks.push(section(missingText(command, lacking)));
  const fields = presentFields(command.fields, input).filter(([, { hidden }]) => !hidden || hidden === "line");
  const inSight = fields.filter((each) => isInSight(each, shown, meta));
  const folded = fields.filter((each) => each[1].folded !== "known" && !inSight.includes(each));
  const draw = async ([name, field]: NamedField) => {
    const drawn = await drawField(command, [name, field], shown, meta, context);
    if (drawn === "cut off") return [];
    blocks.push(...drawn);
    return drawn;
  };
  for (const each of inSight) if ((await draw(each)).length === 0) return noticeView(command.title, tooLong(each[1]));
  if (folded.length > 0 && !meta.more) blocks.push(moreRow);
  for (const each of meta.more ? folded : [])
    if ((await draw(each)).length === 0) return noticeView(command.title, tooLong(each[1]));
  if (preview.lines.length > 0) blocks.push(section(clipMrkdwn(lines(preview.lines), 2000)));
  return {
    type: "modal",
    callback_id: formCallback,
    title: plainText((command.kind === "change" && command.formTitle?.(input)) || command.title),
    submit: plainText((command.kind === "change" && command.submit?.(input)) || command.title),
    close: plainText("Cancel"),
    private_metadata: JSON.stringify({ ...meta, ...keptBy(command, input), ...shownBy(command, input, meanings) }),
    blocks: [...blocks, ...buttonRow(preview.buttons)],
  };
}

type NamedField = readonly [name: string, field: Field];

const isDerived = (name: string, { derived = [] }: Shown): boolean => derived.includes(name);

/** A field is needed once what could determine it is given and does not. */
function isNeeded([name, { derivedFrom }]: NamedField, { missing = [], input }: Shown): boolean {
  return missing.includes(name) && (derivedFrom === undefined || input[derivedFrom] !== undefined);
}

function isInSight([name, field]: NamedField, shown: Shown, { more }: FormMeta): boolean {
  if (!field.folded || isNeeded([name, field], shown)) return true;
  const isGiven = shown.input[name] !== undefined && !isDerived(name, shown);
  return !more && (isGiven || name in shown.problems || name in shown.typed);
}

/** The input of a field with what is to be said about it; "cut off" where the form would send less back. */
async function drawField(
  command: Command,
  [name, field]: NamedField,
  shown: Shown,
  meta: FormMeta,
  context: CommandContext,
): Promise<readonly KnownBlock[] | "cut off"> {
  const { input, problems, typed, newNames, notes = {} } = shown;
  if (meta.edits && name in meta.edits) return [section(await namedThing(field, meta.edits[name], context))];
  // What follows from the others stays open, or it would stay when they change.
  const isBeside = field.kind === "resource-ids" && input[field.chosenIn ?? ""] !== undefined;
  // What is chosen beside it would be typed there as well.
  const value = isBeside || (field.folded && isDerived(name, shown)) ? undefined : input[name];
  const asked = { value, typed: typed[name], isNeeded: isNeeded([name, field], shown), isBeside };
  const drawn = await drawInput(blockIdOf(command, name, meta.chosen?.[name]), field, asked, context);
  if (meta.edits && isCutOff(drawn, value)) return "cut off";
  const problem = problems[name];
  const text = notes[name];
  return [
    drawn,
    ...(problem ? [section(md`:warning: ${bold(field.label)}: ${literal(problem, 1000)}`)] : []),
    ...(newNames && field.kind === "resource-ids"
      ? [section(md`:question: ${literal(newNamesText(newNames), 1000)}`)]
      : []),
    ...(text && !problem ? [contextBlock(literal(text, 1000))] : []),
    ...(field.kind === "moment" ? quickRow(name, field, context, startGiven({ command, given: input })) : []),
  ];
}

/** What was said and has no input. A length has no place in a picker, until the end that it is added to is known. */
function keptBy({ fields }: Command, input: Input): Pick<FormMeta, "kept" | "otherwise"> {
  const noted = (name: "kept" | "otherwise", isMeant: (field: Field, value: unknown) => unknown) => {
    const meant = Object.entries(input).filter(([key, value]) => fields[key] && isMeant(fields[key], value));
    return meant.length > 0 ? { [name]: Object.fromEntries(meant) } : {};
  };
  return {
    ...noted("kept", ({ hidden, isKept }) => hidden === "form" || isKept),
    ...noted("otherwise", ({ kind }, value) => kind === "extension" && lengthIn(value)),
  };
}

function lengthIn(value: unknown): number | undefined {
  const forMs = typeof value === "object" && value !== null && "forMs" in value ? value.forMs : undefined;
  return typeof forMs === "number" ? forMs : undefined;
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

function missingText({ kind }: Command, lacking: readonly Field[]): Mrkdwn {
  const labels = join(
    lacking.map(({ label }) => bold(label)),
    ", ",
  );
  const [are, them] = lacking.length === 1 ? (["is", "it"] as const) : (["are", "them"] as const);
  return md`:pencil2: ${labels} ${are} missing. ${kind === "query" ? "Fill" : "Nothing was changed yet: fill"} ${them} in here.`;
}

async function namedThing(field: Field, id: unknown, { directory }: CommandContext): Promise<Mrkdwn> {
  const thing = field.kind === "reference" ? await directory.get(field.to, String(id)) : undefined;
  const name = thing?.name ? `${thing.name} (${thing.id})` : String(id);
  return md`${bold(`${field.label}:`)} ${literal(name)}`;
}

/** Whether the input is too short for the value: the form would send less back. */
function isCutOff({ element }: InputBlock, value: unknown): boolean {
  const shown = "initial_value" in element && typeof element.initial_value === "string" ? element.initial_value : "";
  // One less where a surrogate pair would have been cut.
  return typeof value === "string" ? shown !== "" && shown.length < value.length : shown.length >= limits.inputText - 1;
}

function tooLong({ label }: Field): Mrkdwn {
  return md`:warning: ${bold(label)} is too long for a form and would be cut off. Type a line with only what you want to change: the rest stays as it is.`;
}

async function drawInput(
  blockId: string,
  field: Field,
  shown: {
    readonly value: unknown;
    readonly typed: string | undefined;
    readonly isNeeded: boolean;
    readonly isBeside: boolean;
  },
  context: CommandContext,
): Promise<InputBlock> {
  const added = field.kind === "extension" ? lengthIn(shown.value) : undefined;
  const hint = field.hint ?? (added === undefined ? zoneHint(field, context) : addedHint(added));
  return {
    type: "input",
    block_id: blockId,
    label: plainText(field.label),
    optional:
      added !== undefined || shown.isBeside || (field.optional ?? (field.derivedFrom !== undefined && !shown.isNeeded)),
    ...(field.redraws ? { dispatch_action: true } : {}),
    element: await kindOf(field).draw(field, shown, context),
    ...(hint ? { hint: plainText(hint) } : {}),
  };
}

const addedHint = (ms: number): string => `If empty, it ends ${formatDuration(ms)} from its present end`;

/** Slack draws the picker in the person's own zone; the hint names it. */
function zoneHint(field: Field, { actor }: CommandContext): string | undefined {
  return field.kind === "moment" || field.kind === "extension" ? `In your time zone, ${actor.timeZone}` : undefined;
}

/** Buttons in a form that only redraw it. The value of a ready answer is its words. */
export const moreAction = "more";
export const quickAction = "quick";

const moreRow: ActionsBlock = {
  type: "actions",
  elements: [{ type: "button", action_id: moreAction, text: plainText("More…"), value: moreAction }],
};

/** The ready answers that are still ahead. */
function quickRow(
  name: string,
  { quick = [] }: MomentField,
  context: Pick<CommandContext, "actor" | "channelId" | "settings" | "now">,
  start: number | undefined,
): readonly ActionsBlock[] {
  const ahead = quick.filter(({ words }) => (quickMoment(words, context, start) ?? 0) > context.now);
  const elements = ahead.map(({ label, words }, index) => ({
    ...({ type: "button", action_id: `${quickAction}:${name}:${index}`, value: words } as const),
    text: plainText(label),
  }));
  return elements.length > 0 ? [{ type: "actions", elements }] : [];
}

/** Says how names that Curfew sees for the first time will be used: they may be ordinary words. */
export function newNamesText({ names, type }: NewNames): string {
  const list = names.map((name) => `“${name}”`).join(", ");
  const what = `${typeWords[type]} name`;
  return names.length === 1
    ? `${list} is new to Curfew. Sending this form uses it as ${/^[AEIOR]/.test(what) ? "an" : "a"} ${what}.`
    : `${list} are new to Curfew. Sending this form uses them as ${what}s.`;
}

/** Whether the form had not yet said so when it was sent. */
export function isUnannounced({ names }: NewNames, shown: ShownWords | undefined): boolean {
  return !names.every((name) => shown !== undefined && shownAs(shown, name) === "an id");
}

/** A preview is optional: a form or an answer waits no longer for it. */
const waitMs = 1500;

/** The preview of a command's effect, with the hours that it comes to; undefined when it takes too long. */
export async function previewSoon(
  command: ChangeCommand,
  input: Input,
  context: FillContext,
): Promise<Preview | undefined> {
  return within(waitMs, previewOf(command, input, context));
}

async function previewOf(command: ChangeCommand, input: Input, context: FillContext): Promise<Preview> {
  const [preview = nothing, hours] = await Promise.all([
    command.preview?.(input, context),
    context.hoursAhead?.(command, input),
  ]);
  if (!hours || hours.lines.length === 0) return preview;
  const { lines, forOthers = lines, buttons, answer = { effect: [], lines } } = preview;
  return {
    lines: [...hours.lines, ...lines],
    forOthers: [...hours.lines, ...forOthers],
    buttons,
    answer: { ...answer, lines: [...hours.over, ...answer.lines] },
  };
}

const nothing: Preview = { lines: [], buttons: [] };

/** Slack's trigger lives 3 s (PLATFORM.md §5). A form that takes longer than this is opened as a loading view first. */
const drawMs = 700;

interface Place {
  readonly triggerId: string;
  /** An open form that this one replaces. */
  readonly viewId?: string | undefined;
  /** Stopped when a loading view is opened. */
  readonly progress?: { stop(): Promise<void> } | undefined;
}

/** Opens the form, or first a loading view when the form is not ready soon. */
export async function openForm(
  { client, log }: { readonly client: WebClient; readonly log: Logger },
  { triggerId, viewId, progress }: Place,
  title: string,
  draw: () => Promise<ModalView>,
): Promise<void> {
  if (viewId !== undefined) {
    await client.views.update({ view_id: viewId, view: await draw() });
    return;
  }
  const form = draw();
  const soon = await within(drawMs, form);
  if (soon) {
    await client.views.open({ trigger_id: triggerId, view: soon });
    return;
  }
  const loading = noticeView(title, md`:hourglass_flowing_sand: One moment…`);
  const { view } = await client.views.open({ trigger_id: triggerId, view: loading });
  // The loading view already says that the request is in progress.
  await progress?.stop();
  const drawn = await form.catch((error: unknown) => {
    const reference = logWithReference(log, error, "could not draw a form");
    const text = md`:warning: Curfew could not prepare this form (${code(reference)}). Nothing was changed: try again.`;
    return noticeView(title, text);
  });
  if (view?.id) await client.views.update({ view_id: view.id, view: drawn });
}

/** An answer in a view: to a question on the Home tab, or to a button of a form. What is pressed in it has the same origin. */
export function answerView({ title }: Pick<Command, "title">, { blocks }: Message, meta: FormMeta): ModalView {
  return { ...plainView(title, blocks), private_metadata: JSON.stringify(meta) };
}

/** A view without inputs, shown while a form is prepared or instead of it. */
export function noticeView(title: string, text: Mrkdwn): ModalView {
  return plainView(title, [section(text)]);
}

const plainView = (title: string, blocks: readonly KnownBlock[]): ModalView => ({
  type: "modal",
  title: plainText(clip(title, limits.viewTitle)),
  close: plainText("Close"),
  blocks: [...blocks],
});
