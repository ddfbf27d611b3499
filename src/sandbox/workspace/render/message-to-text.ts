import { isJsonObject, objectsIn, stringAt } from "../json-object.ts";
import { blockToText, type Drawing } from "./block-to-text.ts";
import { mrkdwnToText } from "./mrkdwn.ts";
import { stripControls } from "./strip-controls.ts";
import type { Viewer } from "./viewer.ts";

export interface ShownMessage {
  readonly text?: string | undefined;
  readonly blocks?: readonly unknown[] | undefined;
  readonly attachments?: readonly unknown[] | undefined;
}

/** Renders the blocks, or the text when there are none, then the attachments with a bar. */
export function messageToText(message: ShownMessage, viewer: Viewer & { readonly width?: number }): string {
  const drawing: Drawing = { ...viewer, width: viewer.width ?? 80, state: {}, errors: {} };
  const attachments = (message.attachments ?? []).filter(isJsonObject).map(({ text, fallback, blocks }) => {
    const inner = content({ text: stringAt(text) ?? stringAt(fallback), blocks: objectsIn(blocks) }, drawing);
    return inner
      .split("\n")
      .map((line) => `│ ${line}`)
      .join("\n");
  });
  return stripControls([content(message, drawing), ...attachments].filter((part) => part !== "").join("\n"));
}

function content({ text = "", blocks = [] }: ShownMessage, drawing: Drawing): string {
  if (blocks.length === 0) return mrkdwnToText(text, drawing);
  return objectsIn(blocks)
    .map((block) => blockToText(block, drawing))
    .join("\n");
}
