import type { WebClient } from "@slack/web-api";
import { isOver } from "../../changes/change.ts";
import type { Receipts } from "../../changes/receipts.ts";
import type { Logger } from "../../observability/log.ts";
import { isProgram } from "../../permissions/actor.ts";
import type { SlackFetch } from "../connection/slack-http.ts";
import type { Homes } from "../home/homes.ts";
import { type Message, withoutCard } from "../messages/message.ts";
import type { Origin, ReplyDetail, ReplyToProgram } from "./request-context.ts";
import type { CommandReply } from "./run-command.ts";

/** Where an answer goes. */
export type ReplyTo = Omit<Origin, "arrivedAt" | "channelId" | "onRecorded">;

export type Replies = ReturnType<typeof createReplies>;

export interface RepliesOptions {
  readonly client: WebClient;
  readonly fetch: SlackFetch;
  readonly homes: Pick<Homes, "refresh">;
  /** Records whether the requester got the outcome of a change; if not, a direct message is due now. */
  readonly noteAnswer: (changeId: string, userId: string, isNotified: boolean) => Promise<void>;
  readonly receipts: Pick<Receipts, "end">;
  readonly log: Logger;
}

export function createReplies({ client, fetch, homes, noteAnswer, receipts, log }: RepliesOptions) {
  const to = (origin: ReplyTo): Responder => {
    const { receiptId } = origin;
    const responder = isProgram(origin.userId)
      ? programResponder(origin.program)
      : createResponder({ ...origin, client, fetch, log });
    if (receiptId === undefined || !origin.isResumable) return responder;
    // The first answer says that nothing was done. After a crash it must stay true.
    return {
      send: async (message, detail) => {
        await receipts.end(receiptId);
        return responder.send(message, detail);
      },
      replace: async (message) => {
        await receipts.end(receiptId);
        return responder.replace(message);
      },
    };
  };
  return {
    to,
    /**
     * Sends the outcome to the requester. If Slack does not take it, a direct message is queued. After a change the Home
     * tabs are redrawn without waiting. `isReplacing`: replaces the message whose button was pressed.
     */
    answer: async (origin: ReplyTo, { message, change, outcome, others = [] }: CommandReply, isReplacing = false) => {
      const receiptId = origin.isRecorded?.() ? undefined : origin.receiptId;
      // The outbox answers about a change what could not be answered here.
      const responder = to(change ? { ...origin, onUnanswered: undefined, receiptId } : origin);
      const detail = { kind: "outcome", outcome } as const;
      const isNotified = await (isReplacing ? responder.replace(message) : responder.send(message, detail));
      const changes = [change, ...others].filter((each) => each !== undefined);
      if (changes.length > 0) homes.refresh(origin.userId);
      for (const { id, actor, state } of changes) {
        // A requester who got only the state of a waiting change still needs its outcome.
        if (actor.userId !== origin.userId || (isNotified && !isOver(state))) continue;
        await noteAnswer(id, origin.userId, isNotified).catch((error: unknown) => {
          const about = { err: error, changeId: id, isNotified };
          log.error(about, "could not record whether a requester was answered; the history has the outcome");
        });
      }
    },
  };
}

export interface Responder {
  /** Sends a message that only the requester sees. False if Slack did not take it in any way. */
  send(message: Message, detail?: ReplyDetail): Promise<boolean>;
  /** Replaces the message whose button was pressed; sends a new one if that is not possible. */
  replace(message: Message): Promise<boolean>;
}

/** Answers a program; without a way back, nobody. */
export function programResponder(reply: ReplyToProgram | undefined): Responder {
  const send: Responder["send"] = async (message, detail = { kind: "question" }) => {
    await reply?.(message, detail);
    return true;
  };
  return { send, replace: send };
}

type ResponderOptions = ReplyTo & Pick<RepliesOptions, "client" | "fetch" | "log">;

const timeoutMs = 5000;

/** Answers one person: as an ephemeral message where they asked, else as a direct message. */
export function createResponder(options: ResponderOptions): Responder {
  const { client, userId, responseUrl, place, fetch, log, progress, acknowledgement, onUnanswered } = options;
  const respond = async (message: Message, how: object): Promise<boolean> => {
    if (responseUrl === undefined) return false;
    if (!isSlackAddress(responseUrl, client)) {
      log.warn({ userId }, "an answer was asked for at an address that is not Slack's; trying a direct message");
      return false;
    }
    try {
      const body = JSON.stringify({ ...message, ...how, parse: "none", unfurl_links: false, unfurl_media: false });
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
  const inPlace = async (message: Message): Promise<boolean> => {
    if (!place) return false;
    const { channelId: channel, threadTs, isDirect } = place;
    const post = { ...message, channel, parse: "none" as const, ...(threadTs ? { thread_ts: threadTs } : {}) };
    try {
      if (isDirect) await client.chat.postMessage({ ...post, unfurl_links: false, unfurl_media: false });
      else await client.chat.postEphemeral({ ...post, user: userId });
      return true;
    } catch (error) {
      log.warn({ err: error, userId }, "an answer could not be shown where it was asked; trying a direct message");
      return false;
    }
  };
  const directMessage = async (message: Message): Promise<boolean> => {
    try {
      await client.chat.postMessage({
        ...withoutCard(message),
        channel: userId,
        parse: "none",
        unfurl_links: false,
        unfurl_media: false,
      });
      return true;
    } catch (error) {
      log.error({ err: error, userId }, "an answer could not be given at all");
      onUnanswered?.();
      return false;
    }
  };
  const send = async (message: Message, how: object) => {
    await progress?.stop();
    return (await respond(message, how)) || (await inPlace(message)) || directMessage(message);
  };
  return {
    send: async (message) =>
      (await acknowledgement?.answer(message)) ||
      send(message, { response_type: "ephemeral", replace_original: false }),
    replace: (message) => send(message, { replace_original: true }),
  };
}

/** Slack's and GovSlack's. A simulated workspace uses the origin of its API. */
const responseOrigins = ["https://hooks.slack.com", "https://hooks.slack-gov.com"];

/** Sends answers to no other host: a payload could name one that only Curfew can reach. */
function isSlackAddress(url: string, { slackApiUrl }: WebClient): boolean {
  if (!URL.canParse(url)) return false;
  return [...responseOrigins, new URL(slackApiUrl).origin].includes(new URL(url).origin);
}
