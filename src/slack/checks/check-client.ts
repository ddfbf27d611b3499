import { WebClient } from "@slack/web-api";
import type { Logger } from "../../observability/log.ts";
import { webClientOptions } from "../connection/slack-connection.ts";

/** The server's clock against this one's, in epoch ms: what its `Date` header said of an exchange that began and ended then. */
export interface ClockReading {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** In whole seconds, as the header has it. */
  readonly saidAt: number;
}

export interface CheckClientOptions {
  readonly token: string;
  readonly apiUrl: string | undefined;
  readonly now: () => number;
  readonly log: Logger;
}

export interface CheckClient {
  readonly client: WebClient;
  /** From the last answer that told its time. */
  reading(): ClockReading | undefined;
}

/** Few at a time, so that a long list of people does not run into Slack's limits at once. */
const mostAtOnce = 5;

/** Asks Slack in the same way as the bot does, and notes what time it is there. */
export function createCheckClient({ token, apiUrl, now, log }: CheckClientOptions): CheckClient {
  let reading: ClockReading | undefined;
  const noting: typeof fetch = async (input, init) => {
    const sentAt = now();
    const answer = await fetch(input, init);
    const saidAt = Date.parse(answer.headers.get("date") ?? "");
    if (!Number.isNaN(saidAt)) reading = { sentAt, receivedAt: now(), saidAt };
    return answer;
  };
  const options = { ...webClientOptions({ apiUrl, log }), maxRequestConcurrency: mostAtOnce, fetch: noting };
  return { client: new WebClient(token, options), reading: () => reading };
}
