import type { Channel } from "../channels.ts";

/** The name in payloads. Private channels and direct messages hide theirs (PLATFORM.md §3.1). */
export function channelName({ kind, name }: Channel): string {
  if (kind === "im") return "directmessage";
  return kind === "private" ? "privategroup" : name;
}
