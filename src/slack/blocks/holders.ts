import type { Holder } from "../../permissions/policy.ts";
import { escapeWithin, mention } from "./mrkdwn.ts";

/** Roles, and who is in them: `admin (@carol)`. In a channel's message it notifies them. */
export function holderMentions(holders: readonly Holder[], separator: string): string {
  return several(holders.map(mentionsOf), separator);
}

function mentionsOf({ role, members }: Holder): string {
  return `${escapeWithin(role, 100)} (${several(members.map(memberMention), ", ")})`;
}

/** The first few: a role may have more members than a message has room for. */
function several(all: readonly string[], separator: string): string {
  const shown = 5;
  return [...all.slice(0, shown), ...(all.length > shown ? ["…"] : [])].join(separator);
}

function memberMention(id: string): string {
  return id.startsWith("S") ? `<!subteam^${id}>` : mention(id);
}
