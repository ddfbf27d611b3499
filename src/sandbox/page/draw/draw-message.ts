import { isJsonObject, type JsonObject, stringAt } from "../../workspace/json-object.ts";
import type { StoredMessage } from "../../workspace/state/messages.ts";
import { blocksOf } from "../../workspace/state/views.ts";
import { initialState } from "../../workspace/validate/state-values.ts";
import type { DrawnBlock, DrawnMessage } from "../wire.ts";
import { drawBlocks } from "./draw-block.ts";
import type { DrawContext } from "./draw-context.ts";
import { drawMrkdwn } from "./draw-mrkdwn.ts";

/** Draws the blocks, or the text when there are none. */
export function drawMessage(message: StoredMessage, context: DrawContext): DrawnMessage {
  const { channelId, ts, userId, text, blocks, attachments, threadTs, isEdited, ephemeralTo, isFromApp } = message;
  return {
    channelId,
    ts,
    at: Math.floor(Number(ts) * 1000),
    from: stringAt(message.sender?.username) ?? context.authorOf(userId),
    fromKind: isFromApp ? "app" : userId === "USLACK" ? "slack" : "person",
    isOnlyForYou: ephemeralTo !== undefined,
    isEdited,
    ...(threadTs === undefined || threadTs === ts ? {} : { threadTs }),
    hasShortcuts: ephemeralTo === undefined,
    blocks: drawContent(text, blocks, context),
    attachments: attachments.filter(isJsonObject).map((each) => drawAttachment(each, context)),
  };
}

function drawContent(text: string, blocks: readonly JsonObject[], context: DrawContext): readonly DrawnBlock[] {
  if (blocks.length > 0) return withLastingIds(drawBlocks(blocks, context));
  return text === "" ? [] : [{ id: "text", kind: "rich", text: drawMrkdwn(text, context.viewer) }];
}

/** Slack's ids are new whenever the message is redrawn, which must not take the focus or close a menu. */
function withLastingIds(blocks: readonly DrawnBlock[]): readonly DrawnBlock[] {
  const counts = new Map<string, number>();
  return blocks.map((block) => {
    const nth = counts.get(block.kind) ?? 0;
    counts.set(block.kind, nth + 1);
    return { ...block, id: `${nth}` };
  });
}

function drawAttachment(attachment: JsonObject, context: DrawContext): readonly DrawnBlock[] {
  const blocks = blocksOf(attachment);
  const text = stringAt(attachment.text) ?? stringAt(attachment.fallback) ?? "";
  return drawContent(text, blocks, { ...context, state: { ...initialState(blocks), ...context.state } });
}
