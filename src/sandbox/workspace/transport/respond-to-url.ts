import { isJsonObject, type JsonObject, parseJson } from "../json-object.ts";
import type { StoredMessage } from "../state/messages.ts";
import type { ResponseTarget } from "../state/response-urls.ts";
import type { WorkspaceState } from "../state/workspace-state.ts";
import { createApiArguments } from "../web-api/api-arguments.ts";
import { isAnswer, isEmptyContent, type MessageContent, readMessageContent } from "../web-api/message-content.ts";

export interface HookAnswer {
  readonly status: number;
  readonly body: string;
}

/** Handles a post to a `response_url` (PLATFORM.md §4). A rejected message also counts as a use. */
export function respondToUrl(path: string, contentType: string, body: string, workspace: WorkspaceState): HookAnswer {
  if (!contentType.toLowerCase().startsWith("application/json")) return { status: 400, body: "invalid_payload" };
  const message = parseJson(body);
  if (!isJsonObject(message)) return { status: 400, body: "invalid_payload" };
  const target = workspace.responseUrls.use(path);
  if (typeof target === "string") return { status: 404, body: target };
  const error = respond(message, target, workspace);
  return error === undefined ? { status: 200, body: "ok" } : { status: 400, body: error };
}

/** Posts a message from a `response_url` or a command's acknowledgement. Returns an error code when the message is invalid. */
export function respond(message: JsonObject, target: ResponseTarget, workspace: WorkspaceState): string | undefined {
  const content = readMessageContent(createApiArguments(message), workspace);
  if (isAnswer(content)) return String(content.error);
  const { source, channelId } = target;
  const original = source === undefined ? undefined : workspace.messages.get(channelId, source.ts);
  if (message.delete_original === true && original !== undefined) workspace.messages.remove(channelId, original.ts);
  if (isEmptyContent(content)) return message.delete_original === true && source !== undefined ? undefined : "no_text";
  if (message.replace_original === true && source !== undefined) return replaceOriginal(original, content, workspace);
  postNew(message, content, target, workspace);
  return undefined;
}

function replaceOriginal(
  original: StoredMessage | undefined,
  content: MessageContent,
  workspace: WorkspaceState,
): string | undefined {
  if (original === undefined) return "message_not_found";
  const { text = "", blocks = [], attachments = [] } = content;
  workspace.messages.replace({ ...original, text, blocks, attachments, isEdited: original.ephemeralTo === undefined });
  return undefined;
}

/** An answer to an ephemeral message stays ephemeral. */
function postNew(
  message: JsonObject,
  content: MessageContent,
  target: ResponseTarget,
  workspace: WorkspaceState,
): void {
  const { text = "", blocks = [], attachments = [], metadata } = content;
  const isPublic = message.response_type === "in_channel" && target.source?.isEphemeral !== true;
  const isThreaded = isPublic && typeof message.thread_ts === "string" && message.replace_original === false;
  workspace.messages.post({
    channelId: target.channelId,
    userId: workspace.app.botUserId,
    isFromApp: true,
    text,
    blocks,
    attachments,
    ...(metadata === undefined ? {} : { metadata }),
    ...(isPublic ? {} : { ephemeralTo: target.userId }),
    ...(isThreaded ? { threadTs: String(message.thread_ts) } : {}),
  });
}
