import type { RespondArguments } from "@slack/bolt";
import type { Logger } from "../../observability/log.ts";
import { fitsSlack, type Message } from "../messages/message.ts";
import { noticeMessage } from "../messages/notices.ts";

/** The acknowledgement of a slash command (PLATFORM.md §3.2). It carries the answer if that is there soon. */
export interface Acknowledgement {
  /** Acknowledges with this message. False if that was done before, or is not known to have reached Slack. */
  answer(message: Message): Promise<boolean>;
  /** The request is recorded, or changes nothing: without an answer within 1.2 s, the acknowledgement says that one follows. */
  release(): void;
  /** Acknowledges without a message, unless that was done before. */
  close(): Promise<void>;
}

/** From the arrival of the request. Slack waits 3 s. */
const answerWithinMs = 1200;
/** Later, Slack may not read it any more. */
const readWithinMs = 2800;

export const followsText = "Working on it. The answer or the form follows.";

/** Each one that waits keeps a connection of Slack's open. With more of them, none waits for its answer. */
const maxWaiting = 50;

export type Ack = (message?: RespondArguments) => Promise<void>;

/** `arrivedAt`: by `performance.now`. */
export function createAcknowledgements(log: Logger): (ack: Ack, arrivedAt: number) => Acknowledgement {
  const waiting = new Set<Ack>();
  return (ack, arrivedAt) => createAcknowledgement(ack, arrivedAt, waiting, log);
}

function createAcknowledgement(ack: Ack, arrivedAt: number, waiting: Set<Ack>, log: Logger): Acknowledgement {
  let isDone = false;
  let timer: NodeJS.Timeout | undefined;
  waiting.add(ack);
  const acknowledge = async (message?: Message): Promise<boolean> => {
    if (isDone) return false;
    isDone = true;
    waiting.delete(ack);
    clearTimeout(timer);
    try {
      await ack(message && { ...message, response_type: "ephemeral", parse: "none" });
      return true;
    } catch (error) {
      log.warn({ err: error }, "an acknowledgement did not reach Slack");
      return false;
    }
  };
  return {
    // Slack does not report what it refuses in an acknowledgement, unlike at the response URL.
    answer: async (message) => {
      const isInTime = performance.now() - arrivedAt < readWithinMs;
      return isInTime && fitsSlack(message) && acknowledge(message);
    },
    release: () => {
      const follows = () => void acknowledge(noticeMessage(":hourglass_flowing_sand:", followsText));
      const waitMs = waiting.size > maxWaiting ? 0 : answerWithinMs;
      timer = setTimeout(follows, Math.max(0, arrivedAt + waitMs - performance.now()));
    },
    close: async () => {
      await acknowledge();
    },
  };
}

/** Acknowledges without a message. The request is handled even if Slack is gone by then. */
export async function acknowledgeEmpty(ack: () => Promise<void>, log: Logger): Promise<void> {
  await ack().catch((error: unknown) => log.warn({ err: error }, "an acknowledgement did not reach Slack"));
}
