import type { WebClient } from "@slack/web-api";
import { isOver } from "../../changes/change.ts";
import type { Logger } from "../../observability/log.ts";
import type { SlackFetch } from "../connection/slack-http.ts";
import type { Homes } from "../home/homes.ts";
import type { Origin } from "./request-context.ts";
import { createResponder, type Responder } from "./responder.ts";
import type { CommandReply } from "./run-command.ts";

export interface Replies {
  to(origin: Origin): Responder;
  /**
   * Sends the outcome to the requester. If Slack does not take it, a direct message is queued. After a change the Home
   * tabs are redrawn without waiting. `isReplacing`: replaces the message whose button was pressed.
   */
  answer(origin: Origin, reply: CommandReply, isReplacing?: boolean): Promise<void>;
}

export interface RepliesOptions {
  readonly client: WebClient;
  readonly fetch: SlackFetch;
  readonly homes: Pick<Homes, "refresh">;
  /** Records whether the requester got the outcome of a change; if not, a direct message is due now. */
  readonly noteAnswer: (changeId: string, userId: string, isNotified: boolean) => Promise<void>;
  readonly log: Logger;
}

export function createReplies({ client, fetch, homes, noteAnswer, log }: RepliesOptions): Replies {
  const to: Replies["to"] = ({ userId, responseUrl, progress }) =>
    createResponder({ client, userId, responseUrl, progress, fetch, log });
  return {
    to,
    answer: async (origin, { message, change }, isReplacing = false) => {
      const responder = to(origin);
      const isNotified = await (isReplacing ? responder.replace(message) : responder.send(message));
      if (change === undefined) return;
      homes.refresh(origin.userId);
      // A requester who got only the state of a waiting change still needs its outcome.
      if (change.actor.userId !== origin.userId || (isNotified && !isOver(change.state))) return;
      await noteAnswer(change.id, origin.userId, isNotified).catch((error: unknown) => {
        const about = { err: error, changeId: change.id, isNotified };
        log.error(about, "could not record whether a requester was answered; the history has the outcome");
      });
    },
  };
}
