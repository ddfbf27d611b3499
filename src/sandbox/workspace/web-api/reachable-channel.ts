import type { Channel } from "../state/channels.ts";
import type { User } from "../state/people.ts";
import type { WorkspaceState } from "../state/workspace-state.ts";

/** Public channels, and the private channels and direct messages that the bot is in. */
export function visibleChannel(workspace: WorkspaceState, id: string): Channel | undefined {
  const channel = workspace.channels.get(id);
  return channel !== undefined && (channel.kind === "public" || isBotIn(workspace, channel)) ? channel : undefined;
}

export function isBotIn(workspace: WorkspaceState, channel: Channel): boolean {
  return channel.memberIds.includes(workspace.app.botUserId);
}

/** Resolves the `channel` argument: a conversation id, channel name or person (PLATFORM.md §12.2). Else returns an error code. */
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

/** The app cannot message bots and deactivated people. */
function openDirect(workspace: WorkspaceState, user: User): Channel | undefined {
  if (user.deleted === true || user.isBot === true) return undefined;
  return workspace.channels.openDirect(user.id, workspace.app.botUserId);
}
