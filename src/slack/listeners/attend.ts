import {
  InterruptedTwiceError,
  NotRecordedError,
  type Receipt,
  type Receipts,
  TakenOverError,
} from "../../changes/receipts.ts";
import type { Logger } from "../../observability/log.ts";
import { logWithReference } from "../../observability/log.ts";
import { isProgram } from "../../permissions/actor.ts";
import { type Schedule, startTimer } from "../../time/loop.ts";
import { isExpiredTrigger } from "../checks/slack-refusal.ts";
import type { Message } from "../messages/message.ts";
import { noticeMessage } from "../messages/notices.ts";
import type { Icon } from "../messages/text.ts";
import { SlackSilentError } from "../people/look-up.ts";
import type { Deps } from "./deps.ts";
import type { Replies } from "./replies.ts";
import type { Origin, ProgressNotice, ReplyDetail } from "./request-context.ts";

/** A part of `Deps`. */
type AttendDeps = Pick<Deps, "replies" | "floodGuard" | "inFlight" | "handling" | "progressSchedule" | "log"> & {
  readonly receipts: Pick<Receipts, "record" | "close" | "leave">;
};

interface Attending {
  /** What is recorded of the request before it is acknowledged. */
  readonly receipt?: () => Promise<Receipt | undefined>;
  /** Acknowledges the request, or may do so later: it is recorded, or needs no record. */
  readonly recorded?: () => void;
  /** Slack sends the request again if it is not acknowledged. So one that could not be recorded gets no answer: this throws instead. */
  readonly isRepeated?: boolean;
  /** Where a message goes that comes instead of the handler's. */
  readonly send?: (message: Message, origin: Origin, detail: ReplyDetail) => Promise<unknown>;
}

/** Handles one request: tracked as in flight, limited per person, recorded if it may change something, and always answered. */
export async function attend<O extends Origin>(
  deps: AttendDeps,
  given: O,
  handle: (origin: O) => Promise<void>,
  {
    receipt,
    recorded,
    isRepeated,
    send = (message, origin, detail) => deps.replies.to(origin).send(message, detail),
  }: Attending = {},
): Promise<void> {
  const { replies, floodGuard, inFlight, progressSchedule, receipts, handling, log } = deps;
  await inFlight.track(async () => {
    let isAnswered = true;
    let { receiptId, isResumable } = given;
    let hasChange = false;
    const origin = {
      ...given,
      onRecorded: () => {
        hasChange = true;
        receiptId = undefined;
      },
      isRecorded: () => hasChange,
      onUnanswered: () => {
        isAnswered = false;
      },
    };
    // The acknowledgement of a line says that its answer follows.
    const progress =
      given.acknowledgement || isProgram(given.userId)
        ? undefined
        : startProgressNotice(replies, origin, progressSchedule);
    try {
      // What is resumed was let in before, and a caller's request is counted before its key is recorded.
      if (given.receiptId === undefined && !given.program && !floodGuard.allow(origin.userId)) {
        const waitS = Math.max(1, Math.ceil(floodGuard.waitMs(origin.userId) / 1000));
        return void (await send(noticeMessage(":hourglass:", tooMany(waitS)), origin, { kind: "not-now" }));
      }
      const toRecord = await receipt?.();
      if (toRecord) await receipts.record(toRecord, origin.arrivedAt);
      receiptId ??= toRecord?.id;
      isResumable ??= (toRecord?.said ?? toRecord?.pressed) !== undefined;
      recorded?.();
      const work = () => handle({ ...origin, progress, receiptId, isResumable });
      // The handler of a form acknowledges it, so a form never waits for its turn.
      await (recorded ? handling.add(work) : work());
    } catch (error) {
      await progress?.stop();
      if (isRepeated && error instanceof NotRecordedError) throw error;
      const passing = error instanceof TakenOverError ? "taken-over" : "not-now";
      const kind = error instanceof InterruptedTwiceError ? "not-done" : isPassing(error) ? passing : "error";
      await send(
        noticeMessage(...answerTo(error, origin.userId, log)),
        { ...origin, receiptId, isResumable },
        { kind },
      );
    } finally {
      await progress?.stop();
      if (receiptId !== undefined) await (isAnswered ? receipts.close(receiptId) : receipts.leave(receiptId));
    }
  });
}

/** Whether the same request may work in a moment. */
const isPassing = (error: unknown): boolean =>
  [SlackSilentError, TakenOverError, NotRecordedError].some((each) => error instanceof each);

/** What the requester reads of an error; it is logged. */
function answerTo(error: unknown, userId: string, log: Logger): readonly [icon: Icon, text: string] {
  if (error instanceof SlackSilentError) {
    log.warn({ err: error, userId }, "Slack did not say in time who somebody is");
    return [":hourglass:", slackSilent];
  }
  if (isExpiredTrigger(error)) {
    log.warn({ userId }, "Slack took so long that no form could be opened any more");
    return [":warning:", tooLate];
  }
  if (error instanceof TakenOverError) {
    log.warn({ userId }, "a request was dropped, since another instance has taken it over");
    return [":warning:", takenOver];
  }
  if (error instanceof NotRecordedError) {
    log.warn({ err: error, userId }, "a request was dropped, since the database did not take it in time");
    return [":warning:", notTaken];
  }
  if (error instanceof InterruptedTwiceError) {
    log.error({ userId }, error.message);
    return [":warning:", interruptedTwice];
  }
  return [":warning:", wentWrong(logWithReference(log, error, "a request could not be handled", { userId }))];
}

const slackSilent =
  "Slack did not answer in time who you are, so Curfew did nothing. Nothing was changed: try again in a moment.";
const tooMany = (waitS: number): string =>
  `That's a lot within one minute. Nothing was changed: try again in ${waitS} ${waitS === 1 ? "second" : "seconds"}.`;
const notTaken =
  "Nothing was done: Curfew's database did not take your request in time. Send it again in a moment. If this goes on, contact the people who run Curfew.";
const takenOver =
  "This part of Curfew stood still for a while, so another part has taken over your request and answers it. Nothing was done here.";
const interruptedTwice =
  "Curfew was interrupted twice while it handled this request. Nothing was done. Tell the people who run Curfew before you ask again.";
const tooLate = "Slack took too long, so no form could be opened. Nothing was changed: press the button again.";
/** Errors after a change began are answered where they happen, so this is only sent before. */
const wentWrong = (reference: string): string =>
  `Something went wrong in Curfew before it could act. Nothing was changed. Try again. If this goes on, tell the people who run Curfew: ${reference}.`;

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
