import { hearOwn } from "../interactions/messages.ts";
import type { JsonObject } from "../json-object.ts";
import type { LiveWorkspace } from "../live-workspace.ts";
import { messageKey, messagePayload, messagesIn, postMessage, type StoredMessage } from "../state/messages.ts";
import { allowances } from "../state/permits.ts";
import { type Channel, isBotIn, openDirect } from "../state/workspace-state.ts";
import { type ApiArguments, type ApiMethod, fail } from "./api.ts";
import { visibleChannel } from "./conversations.ts";
import { readMessageContent } from "./message-content.ts";

const writing = { scope: "chat:write", limit: allowances.tier3, takesJson: true } as const;
const maxUpdateLength = 4000;

export const chatMethods: Readonly<Record<string, ApiMethod>> = {
  /** Not idempotent: the same call twice posts twice (PLATFORM.md §12.2). */
  "chat.postMessage": {
    ...writing,
    limit: allowances.hundreds,
    run: (args, workspace) => {
      const channel = postingTarget(args, workspace);
      const { isCut, ...content } = readMessageContent(args, workspace);
      const wait = workspace.take(`chat.postMessage in ${channel.id}`, allowances.everySecond);
      if (wait !== null) return fail("ratelimited", { retry_after: wait });
      const message = postMessage(workspace, draft(args, channel, content, workspace));
      void hearOwn(workspace, message);
      const warning = "message_truncated";
      return {
        channel: channel.id,
        ts: message.ts,
        message: messagePayload(message, workspace),
        ...(isCut ? { warning, response_metadata: { warnings: [warning] } } : {}),
      };
    },
  },
  /** Only that person sees the message, and it cannot be changed later (PLATFORM.md §12.3). */
  "chat.postEphemeral": {
    ...writing,
    limit: allowances.tier4,
    run: (args, workspace) => {
      if (workspace.people.get(args.text("channel") ?? "") !== undefined) return fail("channel_not_found");
      const channel = postingTarget(args, workspace);
      const ephemeralTo = args.text("user");
      if (ephemeralTo === undefined || !channel.memberIds.includes(ephemeralTo)) return fail("user_not_in_channel");
      const { isCut, ...content } = readMessageContent(args, workspace);
      if (isCut) return fail("msg_too_long");
      const message = draft(args, channel, content, workspace);
      const { threadTs } = message;
      const isShown =
        threadTs === undefined ||
        messagesIn(workspace, channel.id).some((each) => each.threadTs === threadTs && !each.ephemeralTo);
      // Slack accepts the call, but shows nothing in a thread that nobody has replied in.
      if (!isShown) return { message_ts: workspace.ids.timestamp() };
      return { message_ts: postMessage(workspace, { ...message, ephemeralTo }).ts };
    },
  },
  /** Updates only the app's own messages. Text without blocks removes the blocks (PLATFORM.md §12.3). */
  "chat.update": {
    ...writing,
    run: (args, workspace) => {
      const message = findMessage(args, "ts", workspace);
      if (!message.isFromApp) return fail("cant_update_message");
      if (workspace.channels.get(message.channelId)?.isArchived === true) return fail("is_inactive");
      if ((args.text("text") ?? "").length > maxUpdateLength) return fail("msg_too_long");
      const { text, blocks } = readMessageContent(args, workspace);
      const updated = workspace.messages.put({
        ...message,
        text: text ?? message.text,
        blocks: blocks ?? (text === undefined ? message.blocks : []),
        isEdited: message.isEdited || text !== undefined,
      });
      const { channelId: channel, ts } = updated;
      return { channel, ts, text: updated.text, message: messagePayload(updated, workspace) };
    },
  },
  "chat.delete": {
    ...writing,
    run: (args, workspace) => {
      const message = findMessage(args, "ts", workspace);
      if (!message.isFromApp) return fail("cant_delete_message");
      workspace.messages.remove(messageKey(message));
      return { channel: message.channelId, ts: message.ts };
    },
  },
  "chat.getPermalink": {
    limit: allowances.hundreds,
    takesJson: false,
    run: (args, workspace) => {
      const { channelId: channel, ts, threadTs } = findMessage(args, "message_ts", workspace);
      const thread = threadTs === undefined ? "" : `?thread_ts=${threadTs}&cid=${channel}`;
      const path = `archives/${channel}/p${ts.replace(".", "")}${thread}`;
      return { channel, permalink: `https://${workspace.team.domain}.slack.com/${path}` };
    },
  },
};

/** The channel by id or name, or the direct message with a person (PLATFORM.md §12.2). */
function postingTarget(args: ApiArguments, workspace: LiveWorkspace): Channel {
  const { people, channels, manifest } = workspace;
  const target = args.text("channel") ?? fail("channel_not_found");
  const user = people.get(target);
  // The app cannot message bots and deactivated people.
  if (user?.deleted === true || user?.isBot === true) return fail("channel_not_found");
  const named = channels.lookUp(target)?.id ?? target;
  const channel = user === undefined ? visibleChannel(workspace, named) : openDirect(workspace, user.id);
  if (channel.isArchived) return fail("is_archived");
  if (channel.kind === "im") return manifest.home.hasMessagesTab ? channel : fail("messages_tab_disabled");
  const mayPostOutside = channel.kind === "public" && manifest.scopes.includes("chat:write.public");
  return isBotIn(workspace, channel) || mayPostOutside ? channel : fail("not_in_channel");
}

function draft(
  args: ApiArguments,
  channel: Channel,
  {
    text = "",
    blocks = [],
  }: { readonly text?: string | undefined; readonly blocks?: readonly JsonObject[] | undefined },
  { app }: LiveWorkspace,
) {
  const threadTs = args.text("thread_ts");
  const thread = threadTs === undefined ? {} : { threadTs };
  return { channelId: channel.id, userId: app.botUserId, isFromApp: true, text, blocks, ...thread };
}

/** Slack does not store ephemeral messages, so they are never found. */
function findMessage(args: ApiArguments, tsName: string, workspace: LiveWorkspace): StoredMessage {
  const { id: channelId } = visibleChannel(workspace, args.text("channel") ?? "");
  const message = workspace.messages.get(messageKey({ channelId, ts: args.text(tsName) ?? "" }));
  return message === undefined || message.ephemeralTo !== undefined ? fail("message_not_found") : message;
}
