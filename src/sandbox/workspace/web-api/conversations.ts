import type { JsonObject } from "../json-object.ts";
import type { LiveWorkspace } from "../live-workspace.ts";
import { allowances } from "../state/permits.ts";
import { type Channel, isBotIn } from "../state/workspace-state.ts";
import { type ApiArguments, type ApiMethod, cursorPage, fail, failScope } from "./api.ts";

export const conversationsMethods: Readonly<Record<string, ApiMethod>> = {
  "conversations.info": {
    limit: allowances.tier3,
    takesJson: false,
    run: (args, workspace) => {
      const channel = readableChannel(args, workspace);
      const count = args.flag("include_num_members") ? { num_members: channel.memberIds.length } : {};
      return { channel: { ...channelObject(channel, workspace), ...count } };
    },
  },
  "conversations.members": {
    limit: allowances.tier4,
    takesJson: false,
    run: (args, workspace) => {
      const { items: members, response_metadata } = cursorPage(readableChannel(args, workspace).memberIds, args, 100);
      return { members, response_metadata };
    },
  },
};

/** Public channels, and the private channels and direct messages that the bot is in. */
export function visibleChannel(workspace: LiveWorkspace, id: string): Channel {
  const channel = workspace.channels.get(id);
  const isVisible = channel !== undefined && (channel.kind === "public" || isBotIn(workspace, channel));
  return isVisible ? channel : fail("channel_not_found");
}

const readScopes = { public: "channels:read", private: "groups:read", im: "im:read" } as const;

/** The scope depends on the kind of conversation, so it is checked after the lookup. */
function readableChannel(args: ApiArguments, workspace: LiveWorkspace): Channel {
  const { scopes } = workspace.manifest;
  const anyScope = Object.values(readScopes);
  if (!anyScope.some((scope) => scopes.includes(scope))) return failScope(anyScope.join(","), workspace);
  const channel = visibleChannel(workspace, args.text("channel") ?? "");
  const needed = readScopes[channel.kind];
  return scopes.includes(needed) ? channel : failScope(needed, workspace);
}

function channelObject(channel: Channel, workspace: LiveWorkspace): JsonObject {
  const created = Math.floor(channel.createdAt / 1000);
  const { id, name, kind, isShared, isArchived: is_archived, memberIds } = channel;
  if (kind === "im") {
    const user = memberIds.find((memberId) => memberId !== workspace.app.botUserId);
    return { id, created, is_im: true, is_org_shared: false, is_archived, user };
  }
  return {
    id,
    name,
    name_normalized: name,
    is_channel: kind === "public",
    is_group: kind === "private",
    is_im: false,
    is_mpim: false,
    is_private: kind === "private",
    is_archived,
    is_general: false,
    is_member: isBotIn(workspace, channel),
    is_shared: isShared,
    is_ext_shared: isShared,
    is_org_shared: false,
    is_pending_ext_shared: false,
    context_team_id: workspace.team.id,
    creator: "USLACKBOT",
    created,
    topic: { value: "", creator: "", last_set: 0 },
    purpose: { value: "", creator: "", last_set: 0 },
  };
}
