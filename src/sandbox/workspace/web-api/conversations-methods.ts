import type { JsonObject } from "../json-object.ts";
import type { Channel } from "../state/channels.ts";
import { isForeign } from "../state/enterprise.ts";
import { allowances } from "../state/rate-limits.ts";
import type { ApiArguments } from "./api-arguments.ts";
import { type ApiAnswer, type ApiMethod, type ApiWorkspace, fail, failScope, succeed } from "./api-method.ts";
import { cursorPage } from "./cursor-page.ts";
import { isAnswer } from "./message-content.ts";
import { isBotIn, visibleChannel } from "./reachable-channel.ts";

const readScopes = { public: "channels:read", private: "groups:read", im: "im:read" } as const;
const defaultPageSize = 100;

export const conversationsInfo: ApiMethod = {
  token: "bot",
  scope: null,
  limit: allowances.tier3,
  takesJson: false,
  run: (args, workspace) => {
    const channel = readableChannel(args, workspace);
    if (isAnswer(channel)) return channel;
    const count = args.flag("include_num_members") ? { num_members: channel.memberIds.length } : {};
    return succeed({ channel: { ...channelObject(channel, workspace), ...count } });
  },
};

export const conversationsMembers: ApiMethod = {
  token: "bot",
  scope: null,
  limit: allowances.tier4,
  takesJson: false,
  run: (args, workspace) => {
    const channel = readableChannel(args, workspace);
    if (isAnswer(channel)) return channel;
    const page = cursorPage(channel.memberIds, args, defaultPageSize);
    return typeof page === "string" ? fail(page) : succeed({ members: page.items, response_metadata: page.metadata });
  },
};

/** Opens a direct message with one person. Group direct messages are not simulated. */
export const conversationsOpen: ApiMethod = {
  token: "bot",
  scope: "im:write",
  limit: allowances.tier3,
  takesJson: true,
  run: (args, workspace) => {
    const channelId = args.text("channel");
    const users = args.text("users");
    if (channelId !== undefined) return reopen(channelId, workspace);
    if (users === undefined) return fail("users_list_not_supplied");
    const ids = users.split(",").map((id) => id.trim());
    if (ids.length > 8) return fail("too_many_users");
    if (ids.length > 1) return failScope("mpim:write", workspace);
    return openWith(ids[0] ?? "", args, workspace);
  },
};

export const conversationsJoin: ApiMethod = {
  token: "bot",
  scope: "channels:join",
  limit: allowances.tier3,
  takesJson: true,
  run: (args, workspace) => {
    const channel = visibleChannel(workspace, args.text("channel") ?? "");
    if (channel === undefined) return fail("channel_not_found");
    if (channel.kind !== "public") return fail("method_not_supported_for_channel_type");
    if (channel.isArchived) return fail("is_archived");
    const warning = "already_in_channel";
    const warnings = isBotIn(workspace, channel) ? { warning, response_metadata: { warnings: [warning] } } : {};
    workspace.channels.setMember(channel.id, workspace.app.botUserId, true);
    return succeed({ channel: channelObject(workspace.channels.named(channel.id), workspace), ...warnings });
  },
};

/** The scope depends on the kind of conversation, so it is checked after the lookup. */
function readableChannel(args: ApiArguments, workspace: ApiWorkspace): Channel | ApiAnswer {
  const { scopes } = workspace.manifest;
  const anyScope = Object.values(readScopes);
  if (!anyScope.some((scope) => scopes.includes(scope))) return failScope(anyScope.join(","), workspace);
  const channel = visibleChannel(workspace, args.text("channel") ?? "");
  if (channel === undefined) return fail("channel_not_found");
  const needed = readScopes[channel.kind];
  return scopes.includes(needed) ? channel : failScope(needed, workspace);
}

function reopen(channelId: string, workspace: ApiWorkspace): ApiAnswer {
  const channel = visibleChannel(workspace, channelId);
  if (channel === undefined) return fail("channel_not_found");
  return channel.kind === "im"
    ? succeed({ no_op: true, already_open: true, channel: { id: channel.id } })
    : fail("method_not_supported_for_channel_type");
}

function openWith(userId: string, args: ApiArguments, workspace: ApiWorkspace): ApiAnswer {
  const { people, channels, app } = workspace;
  const user = people.get(userId);
  if (user === undefined) return fail("user_not_found");
  if (user.deleted === true) return fail("user_disabled");
  if (user.isBot === true) return fail("cannot_dm_bot");
  const sharesChannel = channels.all().some((each) => each.memberIds.includes(userId) && isBotIn(workspace, each));
  if (isForeign(user, workspace) && !sharesChannel) return fail("invalid_user_combination");
  const already = channels.direct(userId, app.botUserId) === undefined ? {} : { no_op: true, already_open: true };
  const channel = channels.openDirect(userId, app.botUserId);
  return succeed({
    ...already,
    channel: args.flag("return_im") ? channelObject(channel, workspace) : { id: channel.id },
  });
}

function channelObject(channel: Channel, workspace: ApiWorkspace): JsonObject {
  const created = Math.floor(channel.createdAt / 1000);
  const { id, name, kind, isShared, isArchived } = channel;
  if (kind === "im") {
    const user = channel.memberIds.find((memberId) => memberId !== workspace.app.botUserId);
    return { id, created, is_im: true, is_org_shared: false, is_archived: isArchived, user };
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
    is_archived: isArchived,
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
