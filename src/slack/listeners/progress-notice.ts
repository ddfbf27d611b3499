import { startTimer } from "../../time/timer.ts";
import { noticeMessage } from "../messages/outcome-message.ts";
import { type Desk, type Origin, responderFor } from "./desk.ts";
import type { ProgressNotice } from "./responder.ts";

const afterMs = 5000;

export const progressText =
  "There is much to do just now: your request waits for its turn, for Slack or for the service. You need not ask again, the answer will follow.";

/** Tells whoever has heard nothing five seconds after their request arrived that it is not forgotten. */
export function startProgressNotice(desk: Desk, origin: Omit<Origin, "progress">): ProgressNotice {
  const { schedule = startTimer } = desk;
  let notice: Promise<unknown> | undefined;
  const cancel = schedule(() => {
    notice = responderFor(desk, origin).send(noticeMessage(":hourglass:", progressText));
  }, afterMs);
  return {
    stop: async () => {
      cancel();
      await notice;
    },
  };
}
