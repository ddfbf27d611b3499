import { messagePayload, type StoredMessage } from "../state/messages.ts";
import { allowances } from "../state/rate-limits.ts";
import type { ApiArguments } from "./api-arguments.ts";
import { type ApiAnswer, type ApiMethod, type ApiWorkspace, fail, succeed } from "./api-method.ts";
import { isAnswer, isEmptyContent, type MessageContent, readMessageContent } from "./message-content.ts";
import { visibleChannel } from "./reachable-channel.ts";

const maxUpdateLength = 4000;

/** Updates only the app's own messages. Text without blocks removes the blocks (PLATFORM.md §12.3). */
export const chatUpdate: ApiMethod = {
  token: "bot",
  scope: "chat:write",
  limit: allowances.tier3,
  takesJson: true,
  run: (args, workspace) => {
    const message = findMessage(args, "ts", workspace);
    if (isAnswer(message)) return message;
    if (!message.isFromApp) return fail("cant_update_message");
    if (workspace.channels.get(message.channelId)?.isArchived === true) return fail("is_inactive");
    if ((args.text("text") ?? "").length > maxUpdateLength) return fail("msg_too_long");
    const content = readMessageContent(args, workspace);
    if (isAnswer(content)) return content;
    if (isEmptyContent(content)) return fail("no_text");
    const updated = rewritten(message, content);
    workspace.messages.replace(updated);
    const { channelId, ts, text } = updated;
    return succeed({ channel: channelId, ts, text, message: messagePayload(updated, workspace) });
  },
};

export const chatDelete: ApiMethod = {
  token: "bot",
  scope: "chat:write",
  limit: allowances.tier3,
  takesJson: true,
  run: (args, workspace) => {
    const message = findMessage(args, "ts", workspace);
    if (isAnswer(message)) return message;
    if (!message.isFromApp) return fail("cant_delete_message");
    workspace.messages.remove(message.channelId, message.ts);
    return succeed({ channel: message.channelId, ts: message.ts });
  },
};

export const chatGetPermalink: ApiMethod = {
  token: "bot",
  scope: null,
  limit: allowances.hundreds,
  takesJson: false,
  run: (args, workspace) => {
    const message = findMessage(args, "message_ts", workspace);
    if (isAnswer(message)) return message;
    const { channelId, ts, threadTs } = message;
    const thread = threadTs === undefined ? "" : `?thread_ts=${threadTs}&cid=${channelId}`;
    const path = `archives/${channelId}/p${ts.replace(".", "")}${thread}`;
    return succeed({ channel: channelId, permalink: `https://${workspace.team.domain}.slack.com/${path}` });
  },
};

/** Slack does not store ephemeral messages, so they are never found. */
function findMessage(args: ApiArguments, tsName: string, workspace: ApiWorkspace): StoredMessage | ApiAnswer {
  const channel = visibleChannel(workspace, args.text("channel") ?? "");
  if (channel === undefined) return fail("channel_not_found");
  const message = workspace.messages.get(channel.id, args.text(tsName) ?? "");
  return message === undefined || message.ephemeralTo !== undefined ? fail("message_not_found") : message;
}

function rewritten(message: StoredMessage, content: MessageContent): StoredMessage {
  const { metadata: before, ...rest } = message;
  const isTextGiven = content.text !== undefined;
  const metadata = content.metadata ?? before;
  const isMetadataKept = metadata !== undefined && Object.keys(metadata).length > 0;
  return {
    ...rest,
    text: content.text ?? message.text,
    blocks: content.blocks ?? (isTextGiven ? [] : message.blocks),
    attachments: content.attachments ?? (isTextGiven ? [] : message.attachments),
    isEdited: message.isEdited || isTextGiven,
    ...(isMetadataKept ? { metadata } : {}),
  };
}
