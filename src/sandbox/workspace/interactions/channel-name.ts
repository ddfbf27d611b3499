import type { Channel } from "../channels.ts";

/** The name payloads carry: private channels and direct messages keep theirs to themselves (platform.md §3.1). */
export function channelName({ kind, name }: Channel): string {
  if (kind === "im") return "directmessage";
  return kind === "private" ? "privategroup" : name;
}
