import type { KnownBlock } from "@slack/types";
import type { Answer, Item } from "../../commands/answer.ts";
import { buttonRow } from "./button.ts";
import { clip } from "./clip.ts";
import { factFields, factLine } from "./facts.ts";
import { limits } from "./limits.ts";
import type { Message } from "./message.ts";
import { escapeMrkdwn, mrkdwn } from "./mrkdwn.ts";

/** A query's answer: a heading, then each item; what would not fit is counted. `zone` is the reader's. */
export function answerMessage(answer: Answer, zone: string): Message {
  const heading: KnownBlock[] = [{ type: "section", text: mrkdwn(`*${escapeMrkdwn(clip(answer.title, 200))}*`) }];
  const note: KnownBlock[] = answer.note ? [{ type: "context", elements: [mrkdwn(escapeMrkdwn(answer.note))] }] : [];
  const blocks = [...heading, ...note];
  const foot = buttonRow(answer.buttons ?? []);
  let left = answer.items.length;
  for (const item of answer.items) {
    const drawn = drawItem(item, zone);
    if (!fits([...blocks, ...drawn, ...foot])) break;
    blocks.push(...drawn);
    left--;
  }
  if (left > 0) blocks.push({ type: "context", elements: [mrkdwn(`… and ${left} more.`)] });
  return { text: escapeMrkdwn(answer.title), blocks: [...blocks, ...foot] };
}

/** A title makes an item a line of a list; without one its facts are the whole answer, in columns. */
function drawItem({ title, facts, buttons }: Item, zone: string): KnownBlock[] {
  if (title === "") return columns(factFields(facts, zone));
  const text = [`*${escapeMrkdwn(clip(title, 200))}*`, factLine(facts, zone)].filter(Boolean).join("\n");
  return [{ type: "section", text: mrkdwn(clip(text, limits.sectionText)) }, ...buttonRow(buttons ?? [])];
}

function columns(fields: ReturnType<typeof factFields>): KnownBlock[] {
  const sections: KnownBlock[] = [];
  for (let start = 0; start < fields.length; start += limits.fieldsInSection) {
    sections.push({ type: "section", fields: fields.slice(start, start + limits.fieldsInSection) });
  }
  return sections;
}

/** Room is left for the line that counts the rest. */
function fits(blocks: readonly KnownBlock[]): boolean {
  return blocks.length < limits.blocksInMessage && JSON.stringify(blocks).length < limits.messageCharacters;
}
