import type { WorkspaceState } from "../state/workspace-state.ts";

/** How Slack rewrites the text of a command with `should_escape` (PLATFORM.md §3.3). */
export function escapeCommandText(text: string, workspace: WorkspaceState): string {
  return escapeMarkup(text)
    .replace(/\bhttps?:\/\/[^\s<>|]+/g, (url) => `<${url}>`)
    .replace(/(?<![\w<|/])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, (mail) => `<mailto:${mail}|${mail}>`)
    .replace(/(?<![\w.+<|/-])@([\w.-]*\w)/g, (typed, handle: string) => mention(handle, workspace) ?? typed)
    .replace(/(?<![\w&<|/])#([\w-]+)/g, (typed, name: string) => channelLink(name, workspace) ?? typed);
}

export function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function mention(handle: string, { people, groups }: WorkspaceState): string | undefined {
  const user = people.all().find((each) => each.handle === handle.toLowerCase());
  if (user !== undefined) return `<@${user.id}>`;
  const group = groups.all().find((each) => each.handle === handle);
  return group === undefined ? undefined : `<!subteam^${group.id}>`;
}

function channelLink(name: string, { channels }: WorkspaceState): string | undefined {
  const channel = channels.all().find((each) => each.kind !== "im" && each.name === name);
  if (channel === undefined) return undefined;
  return `<#${channel.id}|${channel.kind === "private" ? "" : channel.name}>`;
}
