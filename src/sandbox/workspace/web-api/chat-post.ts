import { messagePayload, type StoredMessage } from "../state/messages.ts";
import { allowances } from "../state/rate-limits.ts";
import type { ApiArguments } from "./api-arguments.ts";
import { type ApiAnswer, type ApiMethod, type ApiWorkspace, fail, failScope, succeed } from "./api-method.ts";
import { isAnswer, isEmptyContent, type MessageContent, readMessageContent } from "./message-content.ts";
import { postingTarget } from "./reachable-channel.ts";

const maxEphemeralLength = 40_000;

/** Not idempotent: the same call twice posts twice (PLATFORM.md §12.2). */
export const chatPostMessage: ApiMethod = {
  token: "bot",
  scope: "chat:write",
  limit: allowances.hundreds,
  takesJson: true,
  run: (args, workspace) => {
    const target = args.text("channel");
    if (target === undefined) return fail("channel_not_found");
    const channel = postingTarget(workspace, target);
    if (typeof channel === "string") return fail(channel);
    if (customSender(args) !== undefined && !workspace.manifest.scopes.includes("chat:write.customize")) {
      return failScope("chat:write.customize", workspace);
    }
    const content = readMessageContent(args, workspace);
    if (isAnswer(content)) return content;
    if (isEmptyContent(content)) return fail("no_text");
    const wait = workspace.limits.take(`chat.postMessage in ${channel.id}`, allowances.everySecond);
    if (wait !== null) return fail("ratelimited", { retry_after: wait });
    const threadTs = args.text("thread_ts");
    const sender = customSender(args);
    const message = workspace.messages.post({
      ...draft(content, channel.id, workspace),
      ...(threadTs === undefined ? {} : { threadTs }),
      ...(sender === undefined ? {} : { sender }),
    });
    workspace.hearOwn(message);
    return succeed({
      channel: channel.id,
      ts: message.ts,
      message: messagePayload(message, workspace),
      ...warnings(content),
    });
  },
};

/** Only that person sees the message, and it cannot be changed later (PLATFORM.md §12.3). */
export const chatPostEphemeral: ApiMethod = {
  token: "bot",
  scope: "chat:write",
  limit: allowances.tier4,
  takesJson: true,
  run: (args, workspace) => {
    const target = args.text("channel");
    if (target === undefined || workspace.people.get(target) !== undefined) return fail("channel_not_found");
    const channel = postingTarget(workspace, target);
    if (typeof channel === "string") return fail(channel);
    const userId = args.text("user");
    if (userId === undefined || !channel.memberIds.includes(userId)) return fail("user_not_in_channel");
    const content = readMessageContent(args, workspace);
    if (isAnswer(content)) return content;
    if (isEmptyContent(content)) return fail("no_text");
    if ((args.text("text") ?? "").length > maxEphemeralLength) return fail("msg_too_long");
    const threadTs = args.text("thread_ts");
    // Slack accepts the call, but shows nothing in a thread that nobody has replied in.
    if (threadTs !== undefined && !hasReplies(threadTs, channel.id, workspace))
      return succeed({ message_ts: workspace.ids.timestamp() });
    const message = workspace.messages.post({
      ...draft(content, channel.id, workspace),
      ephemeralTo: userId,
      ...(threadTs === undefined ? {} : { threadTs }),
    });
    return succeed({ message_ts: message.ts });
  },
};

function hasReplies(threadTs: string, channelId: string, { messages }: ApiWorkspace): boolean {
  return messages.in(channelId).some((each) => each.threadTs === threadTs && each.ephemeralTo === undefined);
}

function draft(
  content: MessageContent,
  channelId: string,
  { app }: ApiWorkspace,
): Omit<StoredMessage, "ts" | "isEdited"> {
  const { text = "", blocks = [], attachments = [], metadata } = content;
  const base = { channelId, userId: app.botUserId, isFromApp: true, text, blocks, attachments };
  return metadata === undefined ? base : { ...base, metadata };
}

function customSender(args: ApiArguments): Record<string, string> | undefined {
  const given = ["username", "icon_emoji", "icon_url"].flatMap((name) => {
    const value = args.text(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function warnings({ warning }: MessageContent): Partial<ApiAnswer> {
  return warning === undefined ? {} : { warning, response_metadata: { warnings: [warning] } };
}
