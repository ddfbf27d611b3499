import type { KnownBlock } from "@slack/types";
import type { Answer, Item } from "../../commands/answer.ts";
import { buttonRow } from "./button.ts";
import { factFields, factLine } from "./facts.ts";
import type { Message } from "./message.ts";
import { escapeMrkdwn, escapeWithin, limits, mrkdwn } from "./message.ts";

/** How much an answer may take up of what it stands in. */
export interface Room {
  readonly blocks: number;
  readonly characters: number;
}

/** A query's answer. `zone` is the reader's. */
export function answerMessage(answer: Answer, zone: string): Message {
  const room = { blocks: limits.blocksInMessage, characters: limits.messageCharacters };
  return { text: escapeMrkdwn(answer.title), blocks: answerBlocks(answer, zone, room) };
}

/** A heading, then each item; what would not fit is counted. */
export function answerBlocks(answer: Answer, zone: string, room: Room): KnownBlock[] {
  const heading: KnownBlock[] = [{ type: "section", text: mrkdwn(`*${escapeWithin(answer.title, 200)}*`) }];
  const note: KnownBlock[] = answer.note
    ? [{ type: "context", elements: [mrkdwn(escapeWithin(answer.note, limits.fieldText))] }]
    : [];
  const blocks = [...heading, ...note];
  const foot = buttonRow(answer.buttons ?? []);
  let left = answer.items.length;
  for (const item of answer.items) {
    const drawn = drawItem(item, zone);
    if (!fits([...blocks, ...drawn, ...foot], room)) break;
    blocks.push(...drawn);
    left--;
  }
  if (left > 0) blocks.push({ type: "context", elements: [mrkdwn(`… and ${left} more.`)] });
  return [...blocks, ...foot];
}

/** A title makes an item a line of a list; without one its facts are the whole answer, in columns. */
function drawItem({ title, facts, steps = [], buttons }: Item, zone: string): KnownBlock[] {
  if (title === "") return [...columns(factFields(facts, zone)), ...buttonRow(buttons ?? [])];
  const above = [`*${escapeWithin(title, 200)}*`, factLine(facts, zone)].filter(Boolean).join("\n");
  const text = [above, factLine(steps, zone, limits.sectionText - above.length - 10, "\n")].filter(Boolean).join("\n");
  return [{ type: "section", text: mrkdwn(text) }, ...buttonRow(buttons ?? [])];
}

function columns(fields: ReturnType<typeof factFields>): KnownBlock[] {
  const sections: KnownBlock[] = [];
  for (let start = 0; start < fields.length; start += limits.fieldsInSection) {
    sections.push({ type: "section", fields: fields.slice(start, start + limits.fieldsInSection) });
  }
  return sections;
}

/** One block is left for the line that counts the rest. */
function fits(blocks: readonly KnownBlock[], room: Room): boolean {
  return blocks.length < room.blocks && JSON.stringify(blocks).length < room.characters;
}
