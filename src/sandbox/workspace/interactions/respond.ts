import { isJsonObject, type JsonObject, parseJson } from "../json-object.ts";
import type { LiveWorkspace } from "../live-workspace.ts";
import { messageKey, postMessage } from "../state/messages.ts";
import type { ResponseTarget } from "../state/workspace-state.ts";
import { ApiArguments, SlackError } from "../web-api/api.ts";
import { readMessageContent } from "../web-api/message-content.ts";

export interface HookAnswer {
  readonly status: number;
  readonly body: string;
}

const refusals = { used: "used_url", expired: "expired_url", unknown: "no_such_url" } as const;

/** Handles a post to a `response_url` (PLATFORM.md §4). A rejected message also counts as a use. */
export function respondToUrl(path: string, contentType: string, body: string, workspace: LiveWorkspace): HookAnswer {
  const message = contentType.toLowerCase().startsWith("application/json") ? parseJson(body) : undefined;
  if (!isJsonObject(message)) return { status: 400, body: "invalid_payload" };
  const target = workspace.responseUrls.use(path);
  if (typeof target === "string") return { status: 404, body: refusals[target] };
  const error = respond(message, target, workspace);
  return error === undefined ? { status: 200, body: "ok" } : { status: 400, body: error };
}

/** Posts a message from a `response_url` or a command's acknowledgement. Returns an error code when the message is invalid. */
export function respond(message: JsonObject, target: ResponseTarget, workspace: LiveWorkspace): string | undefined {
  const { source, channelId } = target;
  try {
    const { text, blocks = [] } = readMessageContent(new ApiArguments(message), workspace);
    const key = messageKey({ channelId, ts: source?.ts ?? "" });
    const original = workspace.messages.get(key);
    if (message.delete_original === true && original !== undefined) workspace.messages.remove(key);
    if ((text ?? "") === "" && blocks.length === 0) return source === undefined ? "no_text" : undefined;
    if (message.replace_original === true && source !== undefined) {
      if (original === undefined) return "message_not_found";
      const isEdited = original.ephemeralTo === undefined;
      workspace.messages.put({ ...original, text: text ?? "", blocks, isEdited });
      return undefined;
    }
    postAnswer(message, { text: text ?? "", blocks }, target, workspace);
    return undefined;
  } catch (error) {
    if (error instanceof SlackError) return error.code;
    throw error;
  }
}

/** An answer to an ephemeral message stays ephemeral. */
function postAnswer(
  { response_type, thread_ts, replace_original }: JsonObject,
  content: { readonly text: string; readonly blocks: readonly JsonObject[] },
  { channelId, userId, source }: ResponseTarget,
  workspace: LiveWorkspace,
): void {
  const isPublic = response_type === "in_channel" && source?.isEphemeral !== true;
  const isThreaded = isPublic && typeof thread_ts === "string" && replace_original === false;
  postMessage(workspace, {
    channelId,
    userId: workspace.app.botUserId,
    isFromApp: true,
    ...content,
    ...(isPublic ? {} : { ephemeralTo: userId }),
    ...(isThreaded ? { threadTs: thread_ts } : {}),
  });
}
