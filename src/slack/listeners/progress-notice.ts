import { type Schedule, startTimer } from "../../time/timer.ts";
import { noticeMessage } from "../messages/notices.ts";
import type { Replies } from "./replies.ts";
import type { Origin } from "./request-context.ts";
import type { ProgressNotice } from "./responder.ts";

const afterMs = 5000;

export const progressText =
  "There is much to do just now: your request waits for its turn, for Slack or for the service. You need not ask again, the answer will follow.";

/** Sends a progress notice to a requester who has no answer after five seconds. */
export function startProgressNotice(
  replies: Pick<Replies, "to">,
  origin: Omit<Origin, "progress">,
  schedule: Schedule = startTimer,
): ProgressNotice {
  let notice: Promise<unknown> | undefined;
  const cancel = schedule(() => {
    notice = replies.to(origin).send(noticeMessage(":hourglass:", progressText));
  }, afterMs);
  return {
    stop: async () => {
      cancel();
      await notice;
    },
  };
}
