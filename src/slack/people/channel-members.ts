import type { WebClient } from "@slack/web-api";
import type { Logger } from "../../observability/log.ts";
import { slackRefusal } from "../checks/slack-refusal.ts";
import type { Actors } from "./actors.ts";
import { createAgedCache, createLookUp, type Purpose, SlackSilentError } from "./look-up.ts";
import { pages } from "./pages.ts";

/** Who is in a channel, and what it is called. */
export type ChannelMembers = ReturnType<typeof createChannelMembers>;

export interface ChannelMembersOptions {
  readonly client: WebClient;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
}

const nameMaxAgeMs: Readonly<Record<Purpose, number>> = { read: 600_000, exclusion: 600_000, change: 600_000 };
const pageSize = 1000;
/** In a larger channel, whoever is on a later page has no rights by it outside it. */
const maxPages = 5;

/** Fails closed: without the scopes, and in a channel that the bot does not see, nobody is a member. */
export function createChannelMembers({ client, elapsedMs, log }: ChannelMembersOptions) {
  const unless = async <T>(channelId: string, otherwise: T, read: () => Promise<T>): Promise<T> =>
    read().catch((error: unknown) => {
      if (slackRefusal(error).kind !== "refused") throw error;
      log.warn({ err: error, channelId }, "could not read a channel: its members have no rights by it outside it");
      return otherwise;
    });
  const readMembers = async (channel: string): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    // Nobody reads a card in an archived channel.
    if ((await client.conversations.info({ channel })).channel?.is_archived) return found;
    let count = 0;
    for await (const page of pages((cursor) => client.conversations.members({ channel, limit: pageSize, ...cursor }))) {
      for (const member of page.members ?? []) found.add(member);
      if (++count === maxPages) break;
    }
    return found;
  };
  const none: ReadonlySet<string> = new Set();
  const members = createLookUp((channelId: string) => unless(channelId, none, () => readMembers(channelId)), {
    elapsedMs,
  });
  const names = createLookUp(
    (channel: string) =>
      unless(channel, undefined, async () => (await client.conversations.info({ channel })).channel?.name || undefined),
    { elapsedMs, maxAgeMs: nameMaxAgeMs },
  );
  return {
    /** Slack said that somebody joined or left it. */
    changed: members.forget,
    /** Whether the person is in the channel now; false where Slack does not show it. Throws when Slack is silent. */
    has: async (channelId: string, userId: string, purpose: Purpose) =>
      (await members.get(channelId, purpose)).has(userId),
    /** Undefined where Slack does not say. */
    nameOf: (channelId: string) =>
      names.get(channelId, "read").catch((error: unknown) => {
        if (error instanceof SlackSilentError) return undefined;
        throw error;
      }),
  };
}

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
