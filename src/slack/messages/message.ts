import type { Button, ContextBlock, KnownBlock, Overflow, SectionBlock } from "@slack/types";
import { clipMrkdwn, code, join, limits, lines, literal, type Mrkdwn, md } from "./text.ts";

/** A message to post: blocks, and the text for notifications and screen readers. */
export interface Message {
  readonly text: Mrkdwn;
  readonly blocks: KnownBlock[];
}

/** `text`: in plain words. */
export const message = (text: string, blocks: readonly KnownBlock[]): Message => ({
  text: literal(text, 1000),
  blocks: [...blocks],
});

/** Begins the id of a block that says no more than its card in the same channel needs. */
export const aboveCardBlock = "above-card:";

/** The message where no card stands below it: with what was done. */
export function withoutCard({ text, blocks }: Message): Message {
  const isAboveCard = blocks.some(({ block_id: id }) => id?.startsWith(aboveCardBlock));
  return { text, blocks: isAboveCard ? [section(text), ...blocks] : blocks };
}

/** A paragraph, with a button or menu at its right. */
export function section(text: Mrkdwn, right?: Button | Overflow): SectionBlock {
  const block = { type: "section", text: mrkdwn(clipMrkdwn(text, limits.sectionText)) } as const;
  return right ? { ...block, accessory: right } : block;
}

/** Small print. */
export function contextBlock(text: Mrkdwn): ContextBlock {
  return { type: "context", elements: [mrkdwn(clipMrkdwn(text, limits.fieldText))] };
}

/**
 * A grey line of the parts that fit whole, since half a date or mention is rubbish; none for no parts. `changeId`: where people may
 * have to name the change.
 */
export function greyLine(parts: readonly Mrkdwn[], changeId?: string): readonly ContextBlock[] {
  const id = changeId === undefined ? [] : [code(changeId)];
  const shown: Mrkdwn[] = [];
  let room = limits.fieldText - id.join("").length;
  for (const part of parts.filter(Boolean)) {
    room -= part.length + separator.length;
    if (room < 0) break;
    shown.push(part);
  }
  const all = [...shown, ...id];
  return all.length === 0 ? [] : [contextBlock(join(all, separator))];
}

const separator = " · ";

/** Several messages below each other, each with what was done. */
export const asOne = (messages: readonly Message[]): Message => ({
  text: join(
    messages.map(({ text }) => text),
    "\n",
  ),
  blocks: messages.flatMap((each) => withoutCard(each).blocks).slice(0, limits.blocksInMessage),
});

/** Adds plain sentences before the buttons of the message. */
export function withLines({ text, blocks }: Message, sentences: readonly string[]): Message {
  if (sentences.length === 0) return { text, blocks };
  const note = contextBlock(clipMrkdwn(lines(sentences), 1500));
  const buttons = blocks.filter(({ type }) => type === "actions");
  return { text, blocks: [...blocks.filter(({ type }) => type !== "actions"), note, ...buttons] };
}

/** With a sentence in front. */
export function withNote({ text, blocks }: Message, sentence: string): Message {
  const note = clipMrkdwn(literal(sentence), 1500);
  return { text: md`${note} ${text}`, blocks: [section(note), ...blocks] };
}

/** `verbatim`: otherwise Slack links names and addresses that it finds in the text (PLATFORM.md §10). */
export function mrkdwn(text: Mrkdwn) {
  return { type: "mrkdwn", text, verbatim: true } as const;
}

/**
 * Whether Slack takes the message, by the rules that a text or a list can break (PLATFORM.md §8). Where Slack reports nothing when it
 * refuses a message, nothing else may be sent.
 */
export function fitsSlack({ text, blocks }: Message): boolean {
  const parts = blocks.flatMap((block) => partsIn(block));
  const actionIds = parts.flatMap(({ action_id: id }) => (typeof id === "string" ? [id] : []));
  const characters = parts.reduce((sum, part) => sum + (typeof part.text === "string" ? part.text.length : 0), 0);
  return (
    text !== "" &&
    blocks.length <= limits.blocksInMessage &&
    characters <= limits.messageCharacters &&
    new Set(actionIds).size === actionIds.length &&
    blocks.every(blockFits) &&
    parts.every(partFits)
  );
}

type Part = Readonly<Record<string, unknown>>;

/** Every object in a block. */
function partsIn(value: unknown): readonly Part[] {
  if (Array.isArray(value)) return value.flatMap(partsIn);
  if (typeof value !== "object" || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(partsIn)];
}

function blockFits(block: KnownBlock): boolean {
  if (block.type === "section") return (block.fields?.length ?? 1) <= limits.fieldsInSection;
  if (block.type !== "actions" && block.type !== "context") return true;
  const most = block.type === "actions" ? limits.elementsInActions : limits.elementsInContext;
  return block.elements.length > 0 && block.elements.length <= most;
}

function partFits({ type, text, value = "", action_id: id = "" }: Part): boolean {
  if (typeof text === "string") return text !== "" && text.length <= limits.sectionText;
  if (type !== "button") return true;
  const label = String(partsIn(text)[0]?.text ?? "");
  const isShort = String(value).length <= limits.buttonValue && String(id).length <= limits.actionId;
  return isShort && label.length <= limits.buttonText;
}
