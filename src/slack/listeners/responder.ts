import type { WebClient } from "@slack/web-api";
import type { Logger } from "../../observability/log.ts";
import type { SlackFetch } from "../connection/slack-http.ts";
import type { Message } from "../messages/message.ts";

export interface Responder {
  /** Tells the requester, and them alone. False when Slack took it in no way. */
  send(message: Message): Promise<boolean>;
  /** Puts the message in the place of the one whose button was pressed; where that cannot be, tells it. */
  replace(message: Message): Promise<boolean>;
}

/** What somebody is told while they wait. */
export interface ProgressNotice {
  /** From now on it is not sent any more; resolves when it is not on its way either, so that it never comes after the answer. */
  stop(): Promise<void>;
}

export interface ResponderOptions {
  readonly client: WebClient;
  readonly userId: string;
  /** Of the command or the message; it takes five answers within 30 minutes (platform.md §4). */
  readonly responseUrl: string | undefined;
  readonly fetch: SlackFetch;
  readonly log: Logger;
  /** Stopped by the first answer. */
  readonly progress?: ProgressNotice | undefined;
}

const timeoutMs = 5000;

/** Answers one person: where they asked, as a message only they see; else as a direct message. */
export function createResponder({ client, userId, responseUrl, fetch, log, progress }: ResponderOptions): Responder {
  const respond = async (message: Message, options: object): Promise<boolean> => {
    if (responseUrl === undefined) return false;
    if (!isSlackAddress(responseUrl, client)) {
      log.warn({ userId }, "an answer was asked for at an address that is not Slack's; trying a direct message");
      return false;
    }
    try {
      const body = JSON.stringify({ ...message, ...options, parse: "none", unfurl_links: false, unfurl_media: false });
      const headers = { "content-type": "application/json; charset=utf-8" };
      const answer = await fetch(responseUrl, {
        method: "POST",
        headers,
        body,
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (answer.ok) return true;
      log.warn(
        { status: answer.status, userId },
        "Slack refused an answer where it was asked; trying a direct message",
      );
    } catch (error) {
      log.warn({ err: error, userId }, "an answer could not be given where it was asked; trying a direct message");
    }
    return false;
  };
  const directMessage = async (message: Message): Promise<boolean> => {
    try {
      await client.chat.postMessage({
        ...message,
        channel: userId,
        parse: "none",
        unfurl_links: false,
        unfurl_media: false,
      });
      return true;
    } catch (error) {
      log.error({ err: error, userId }, "an answer could not be given at all");
      return false;
    }
  };
  const send = async (message: Message, options: object) => {
    await progress?.stop();
    return (await respond(message, options)) || directMessage(message);
  };
  return {
    send: (message) => send(message, { response_type: "ephemeral", replace_original: false }),
    replace: (message) => send(message, { replace_original: true }),
  };
}

/** Also GovSlack's; in a simulated workspace they are where its API is. */
const responseOrigins = ["https://hooks.slack.com", "https://hooks.slack-gov.com"];

/** Answers go to no other host, whatever a payload says: it could be one that only Curfew can reach. */
function isSlackAddress(url: string, { slackApiUrl }: WebClient): boolean {
  if (!URL.canParse(url)) return false;
  return [...responseOrigins, new URL(slackApiUrl).origin].includes(new URL(url).origin);
}
