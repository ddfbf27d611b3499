import type { KnownBlock, RichTextBlock } from "@slack/types";
import { type Answer, type Item, isLine, type Line } from "../../commands/answer.ts";
import { buttonRow, selectRow } from "./button.ts";
import { concernBlocks, factFields, factLine, lineBlock } from "./facts.ts";
import { contextBlock, type Message, message, section } from "./message.ts";
import { bold, clip, join, limits, literal, type Mrkdwn, md, sentence, spelledOut } from "./text.ts";

/** How much of a message or view an answer may fill. */
export interface Room {
  readonly blocks: number;
  readonly characters: number;
}

/** The answer to a query. `zone` is the reader's time zone. */
export function answerMessage(answer: Answer, zone: string): Message {
  const room = { blocks: limits.blocksInMessage, characters: limits.messageCharacters };
  return message(answer.title, answerBlocks(answer, zone, room));
}

/** A heading, then each item. Items that do not fit are counted, with `more` that the answer leaves out. */
export function answerBlocks(answer: Answer, zone: string, room: Room, more = 0): KnownBlock[] {
  const blocks: KnownBlock[] = [
    answer.isEmpty ? contextBlock(literal(answer.title, 200)) : section(headline(answer, zone)),
  ];
  if (answer.note) blocks.push(contextBlock(literal(answer.note, limits.fieldText)));
  const select = answer.select && selectRow(answer.select);
  const [row] = buttonRow(answer.buttons ?? []);
  const footer = select ? [{ ...select, elements: [...(row?.elements ?? []), ...select.elements] }] : row ? [row] : [];
  let left = answer.items.length + more;
  for (const items of shares(answer.items, room.blocks - blocks.length - footer.length - 1)) {
    const drawn = items.length > 1 ? [sharedBlock(items, zone)] : items.flatMap((item) => itemBlocks(item, zone));
    if (!fits([...blocks, ...drawn, ...footer], room)) break;
    blocks.push(...drawn);
    left -= items.length;
  }
  if (left > 0) blocks.push(contextBlock(md`… and ${left} more.`));
  return [...blocks, ...footer];
}

function headline({ title, lead }: Answer, zone: string): Mrkdwn {
  const name = bold(title, 200);
  return lead ? md`${name}: ${sentence(lead, zone)}` : name;
}

type Items = readonly (Item | Line)[];

/** Items of text alone share blocks, where there are more of them than blocks. */
function shares(items: Items, blocks: number): readonly Items[] {
  const isText = items.every(
    (item) => !isLine(item) && !item.buttons && !item.json && !item.concerns && item.title !== "",
  );
  const size = isText && blocks > 0 ? Math.ceil(items.length / blocks) : 1;
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

function sharedBlock(items: Items, zone: string): KnownBlock {
  const text = join(
    items.flatMap((item) => (isLine(item) ? [] : [itemText(item, zone)])),
    "\n",
  );
  return section(text);
}

/** An item with a title has its facts below. Without a title its facts are the whole answer, in columns. */
function itemBlocks(item: Item | Line, zone: string): KnownBlock[] {
  if (isLine(item)) return [lineBlock(item, zone)];
  const { title, facts, concerns = [], json, buttons } = item;
  if (title === "") return [...columns(factFields(facts, zone)), ...buttonRow(buttons ?? [])];
  const exact = json === undefined ? [] : exactly(json);
  return [section(itemText(item, zone)), ...concernBlocks(concerns, zone), ...exact, ...buttonRow(buttons ?? [])];
}

function itemText({ title, facts, steps = [], isOneLine }: Item, zone: string): Mrkdwn {
  const head = join([bold(title, 200), factLine(facts, zone)].filter(Boolean), isOneLine ? " · " : "\n");
  return join([head, factLine(steps, zone, limits.sectionText - head.length - 10, "\n")].filter(Boolean), "\n");
}

const shownJson = 7000;

/** JSON without markup, in which nothing is invisible. */
function exactly(json: string): KnownBlock[] {
  const text = spelledOut(json);
  const block: RichTextBlock = {
    type: "rich_text",
    elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text: clip(text, shownJson) }] }],
  };
  // The last character shown is an ellipsis.
  const left = text.length - shownJson + 1;
  return [
    block,
    ...(left > 1 ? [contextBlock(md`:warning: ${left} more characters of the request do not fit here.`)] : []),
  ];
}

function columns(fields: ReturnType<typeof factFields>): KnownBlock[] {
  const sections: KnownBlock[] = [];
  for (let start = 0; start < fields.length; start += limits.fieldsInSection) {
    sections.push({ type: "section", fields: fields.slice(start, start + limits.fieldsInSection) });
  }
  return sections;
}

/** Leaves one block for the line that counts the rest. */
function fits(blocks: readonly KnownBlock[], room: Room): boolean {
  return blocks.length < room.blocks && JSON.stringify(blocks).length < room.characters;
}
