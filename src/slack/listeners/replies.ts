import type { WebClient } from "@slack/web-api";
import { isOver } from "../../changes/change.ts";
import type { Receipts } from "../../changes/receipts.ts";
import type { Logger } from "../../observability/log.ts";
import { isProgram } from "../../permissions/actor.ts";
import type { SlackFetch } from "../connection/slack-http.ts";
import type { Homes } from "../home/homes.ts";
import type { Origin } from "./request-context.ts";
import { createResponder, programResponder, type Responder } from "./responder.ts";
import type { CommandReply } from "./run-command.ts";

/** Where an answer goes. */
export type ReplyTo = Omit<Origin, "arrivedAt" | "channelId" | "onRecorded">;

export interface Replies {
  to(origin: ReplyTo): Responder;
  /**
   * Sends the outcome to the requester. If Slack does not take it, a direct message is queued. After a change the Home
   * tabs are redrawn without waiting. `isReplacing`: replaces the message whose button was pressed.
   */
  answer(origin: ReplyTo, reply: CommandReply, isReplacing?: boolean): Promise<void>;
}

export interface RepliesOptions {
  readonly client: WebClient;
  readonly fetch: SlackFetch;
  readonly homes: Pick<Homes, "refresh">;
  /** Records whether the requester got the outcome of a change; if not, a direct message is due now. */
  readonly noteAnswer: (changeId: string, userId: string, isNotified: boolean) => Promise<void>;
  readonly receipts: Pick<Receipts, "end">;
  readonly log: Logger;
}

export function createReplies({ client, fetch, homes, noteAnswer, receipts, log }: RepliesOptions): Replies {
  const to: Replies["to"] = ({
    userId,
    responseUrl,
    place,
    progress,
    acknowledgement,
    onUnanswered,
    receiptId,
    isResumable,
    program,
  }) => {
    const responder = isProgram(userId)
      ? programResponder(program)
      : createResponder({
          ...{ client, userId, responseUrl, place, progress, acknowledgement, onUnanswered, fetch, log },
        });
    if (receiptId === undefined || !isResumable) return responder;
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
    answer: async (origin, { message, change, outcome, others = [] }, isReplacing = false) => {
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
