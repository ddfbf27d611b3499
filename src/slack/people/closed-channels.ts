import type { WebClient } from "@slack/web-api";
import type { Logger } from "../../observability/log.ts";
import type { Actors } from "./actors.ts";
import { createAgedCache } from "./aged-cache.ts";

export interface ClosedChannelsOptions {
  readonly client: WebClient;
  readonly actors: Pick<Actors, "actor">;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
}

/** Whether a small channel is shared with nobody and has no guests; false for a large one, and where Slack does not say. */
export type IsClosed = (channelId: string) => Promise<boolean>;

const channelMaxAgeMs = 30_000;
/** Somebody may become a guest. */
const personMaxAgeMs = 600_000;
/** Slack allows some 100 look-ups of people a minute (PLATFORM.md §11.3). */
const maxMembers = 100;

export function createClosedChannels({ client, actors, elapsedMs, log }: ClosedChannelsOptions): IsClosed {
  const isInside = createAgedCache(
    async (userId: string) => ["member", "bot"].includes((await actors.actor(userId)).membership),
    { elapsedMs, maxAgeMs: personMaxAgeMs },
  );
  const isClosed = async (id: string): Promise<boolean> => {
    const { channel } = await client.conversations.info({ channel: id });
    if (!channel || channel.is_shared || channel.is_ext_shared || channel.is_org_shared) return false;
    if (channel.is_pending_ext_shared || channel.pending_shared?.length) return false;
    const answer = await client.conversations.members({ channel: id, limit: 1000 });
    const { members = [], response_metadata } = answer;
    if (members.length === 0 || members.length > maxMembers || response_metadata?.next_cursor) return false;
    return (await Promise.all(members.map((member) => isInside.get(member)))).every(Boolean);
  };
  // A failure counts as long as an answer: Slack is not asked again for each card.
  const closed = createAgedCache(
    (id: string) =>
      isClosed(id).catch((error: unknown) => {
        log.warn({ err: error, channelId: id }, "could not see who reads a channel: reasons are left out there");
        return false;
      }),
    { elapsedMs, maxAgeMs: channelMaxAgeMs },
  );
  return (id) => closed.get(id);
}
