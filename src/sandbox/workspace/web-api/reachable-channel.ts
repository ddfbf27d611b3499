import type { Channel } from "../channels.ts";
import type { User } from "../people.ts";
import type { WorkspaceState } from "../workspace-state.ts";

/** What the bot can see: public channels, and private ones and direct messages it is in. */
export function visibleChannel(workspace: WorkspaceState, id: string): Channel | undefined {
  const channel = workspace.channels.get(id);
  return channel !== undefined && (channel.kind === "public" || isBotIn(workspace, channel)) ? channel : undefined;
}

export function isBotIn(workspace: WorkspaceState, channel: Channel): boolean {
  return channel.memberIds.includes(workspace.app.botUserId);
}

/** Where a message to this `channel` argument goes: conversation id, channel name or person (platform.md §12.2); else an error code. */
export function postingTarget(workspace: WorkspaceState, target: string): Channel | string {
  const user = workspace.people.get(target);
  const channel =
    user === undefined ? visibleChannel(workspace, namedId(workspace, target)) : openDirect(workspace, user);
  if (channel === undefined) return "channel_not_found";
  if (channel.isArchived) return "is_archived";
  if (channel.kind === "im") return workspace.manifest.home.hasMessagesTab ? channel : "messages_tab_disabled";
  const mayPostOutside = channel.kind === "public" && workspace.manifest.scopes.includes("chat:write.public");
  return isBotIn(workspace, channel) || mayPostOutside ? channel : "not_in_channel";
}

function namedId(workspace: WorkspaceState, target: string): string {
  return workspace.channels.find(target)?.id ?? target;
}

/** Bots and people who left have no direct message with the app. */
function openDirect(workspace: WorkspaceState, user: User): Channel | undefined {
  if (user.deleted === true || user.isBot === true) return undefined;
  return workspace.channels.openDirect(user.id, workspace.app.botUserId);
}
