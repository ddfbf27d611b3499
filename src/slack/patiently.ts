import { startTimer } from "../jobs/waker.ts";
import { noticeMessage } from "./blocks/outcome-message.ts";
import { type Desk, type Origin, replyTo } from "./desk.ts";

const patienceMs = 5000;

export const waits =
  "There is much to do just now: your request waits for its turn, or for the service. You need not ask again, the answer will follow.";

/** Waits for what a command comes to. Whoever has heard nothing for five seconds is told that they are not forgotten, and then the rest. */
export async function patiently<T>(desk: Desk, origin: Origin, work: Promise<T>): Promise<T> {
  let notice: Promise<unknown> | undefined;
  const { schedule = startTimer } = desk;
  const sayThatItWaits = () => {
    notice = replyTo(desk, origin).tell(noticeMessage(":hourglass:", waits));
  };
  const isOver = schedule(sayThatItWaits, patienceMs);
  try {
    return await work;
  } finally {
    isOver();
    await notice;
  }
}
