import { setTimeout } from "node:timers/promises";
import { WebClient } from "@slack/web-api";
import type { Logger } from "../../observability/log.ts";
import { readRetryAfter } from "../../time/retry-after.ts";
import { webClientOptions } from "../connection/slack-connection.ts";
import { pages } from "../people/pages.ts";
import { refusalText, slackRefusal } from "./slack-refusal.ts";

/** Slack's clock against the local one, in epoch ms: the `Date` header of an answer, and when its request began and ended. */
export interface ClockReading {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** In whole seconds, like the header. */
  readonly saidAt: number;
}

export interface CheckClientOptions {
  readonly token: string;
  readonly apiUrl: string | undefined;
  readonly now: () => number;
  readonly log: Logger;
}

/** Few at a time, so that a long list of people does not run into Slack's rate limits. */
const maxConcurrency = 5;
const attemptMs = 10_000;
const maxWaits = 10;
const unnamedWaitMs = 30_000;

/** Calls Slack the way the bot does, and notes Slack's clock. */
export function createCheckClient({ token, apiUrl, now, log }: CheckClientOptions) {
  let reading: ClockReading | undefined;
  const fetchOnce: typeof fetch = async (input, init) => {
    const sentAt = now();
    const answer = await fetch(input, { ...init, signal: AbortSignal.timeout(attemptMs) });
    const saidAt = Date.parse(answer.headers.get("date") ?? "");
    if (!Number.isNaN(saidAt)) reading = { sentAt, receivedAt: now(), saidAt };
    return answer;
  };
  const fetchWithReading: typeof fetch = async (input, init) => {
    let answer = await fetchOnce(input, init);
    // A config may name more channels and people than Slack lets look up within a minute.
    for (let waits = 0; answer.status === 429 && waits < maxWaits; waits++) {
      await setTimeout(readRetryAfter(answer.headers.get("retry-after"), now()) ?? unnamedWaitMs);
      answer = await fetchOnce(input, init);
    }
    return answer;
  };
  const options = {
    ...webClientOptions({ apiUrl, log }),
    timeout: 0,
    maxRequestConcurrency: maxConcurrency,
    fetch: fetchWithReading,
  };
  return {
    client: new WebClient(token, options),
    /** From the last answer with a `Date` header. */
    reading: () => reading,
  };
}

interface Named {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

const pageSize = 1000;

/** The user groups and channels that a bot token shows, why some are not known, and who has an e-mail address or id. Changes nothing. */
export async function lookAtWorkspace(token: string, apiUrl: string | undefined, log: Logger) {
  const { client } = createCheckClient({ token, apiUrl, now: Date.now, log });
  const problems: string[] = [];
  const listed = async (what: string, read: () => Promise<readonly Named[]>) => {
    try {
      return (await read()).flatMap(({ id, name }) => (id && name ? [{ id, name }] : []));
    } catch (error) {
      problems.push(`The ${what} of the workspace are not known: ${refusalText(slackRefusal(error))}.`);
      return [];
    }
  };
  const readGroups = async () =>
    ((await client.usergroups.list({})).usergroups ?? []).map(({ id, handle }) => ({
      id,
      name: handle && `@${handle}`,
    }));
  const readChannels = async () => {
    const asked = { types: "public_channel,private_channel", exclude_archived: true, limit: pageSize };
    const found: Named[] = [];
    for await (const { channels = [] } of pages((cursor) => client.conversations.list({ ...asked, ...cursor })))
      found.push(...channels.map(({ id, name }) => ({ id, name: name && `#${name}` })));
    return found;
  };
  const [groups, channels] = await Promise.all([listed("user groups", readGroups), listed("channels", readChannels)]);
  const find = (person: string) =>
    (person.includes("@") ? client.users.lookupByEmail({ email: person }) : client.users.info({ user: person })).then(
      ({ user }) => user,
      () => undefined,
    );
  return { groups, channels, problems, find };
}
