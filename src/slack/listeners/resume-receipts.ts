import { maxTries } from "../../changes/job.ts";
import type { ChangeStore } from "../../changes/ports.ts";
import type { AbandonedReceipt, Receipt, ReceiptStore, Said } from "../../changes/receipts.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { noticeMessage } from "../messages/notices.ts";
import { clip } from "../messages/text.ts";
import { resumeStep } from "../workflows/take-step.ts";
import { attend } from "./attend.ts";
import type { Deps } from "./deps.ts";
import { handlePress } from "./handlers/handle-press.ts";
import { handleLine } from "./line/handle-line.ts";
import { isOfMessage } from "./mention/listen-to-messages.ts";
import { splitOf } from "./receipt-of.ts";
import type { Place, ReplyToProgram } from "./request-context.ts";

export interface ResumeDeps extends Deps {
  readonly store: Pick<ReceiptStore, "takeAbandonedReceipts" | "beginReceipt"> & Pick<ChangeStore, "list">;
  /** Where the answer to a program goes that no longer waits for it. */
  readonly replyToProgram?: (receipt: Receipt) => ReplyToProgram | undefined;
}

/** A requester who has waited longer may have asked again, or done it in another way. */
const resumeWithinMs = 60_000;
const giveUpAfterMs = 24 * 60 * 60_000;

/**
 * Settles the requests of instances that are gone before they recorded an outcome. None of them has begun. A line or a press that is
 * younger than a minute is handled now, unless its requester has asked for the same since, or another instance was lost over it after
 * the first. The requesters of all others read that nothing was done. So does who sent a form: it may still be open, with what they filled in.
 */
export async function resumeReceipts(deps: ResumeDeps): Promise<void> {
  for (const receipt of await deps.store.takeAbandonedReceipts()) {
    await begin(deps, receipt).catch(async (error: unknown) => {
      deps.log.error(
        { err: error, command: receipt.words },
        "an interrupted request could not be settled; trying again",
      );
      await deps.receipts.leave(receipt.id);
    });
  }
}

async function begin(deps: ResumeDeps, receipt: Receipt): Promise<void> {
  const tries = await deps.store.beginReceipt(receipt.id);
  if (tries !== undefined) await resume(deps, { ...receipt, tries });
}

async function resume(deps: ResumeDeps, receipt: AbandonedReceipt): Promise<void> {
  const { id, kind, userId, channelId, words, receivedAt, askedIn } = receipt;
  const isGivenUp = receipt.tries > maxTries;
  if (isGivenUp)
    deps.log.error(
      { userId, command: words },
      "a request was given up, since the process ended each time it was tried",
    );
  if (kind === "step") return resumeStep(deps, receipt, isGivenUp);
  const age = deps.now() - receivedAt;
  const [later] = await deps.store.list({ actorId: userId, commands: [words], since: receivedAt, limit: 1 });
  const isInTime = age < resumeWithinMs && !later && !isGivenUp;
  const split = isInTime ? splitOf(receipt) : undefined;
  const pressed = isInTime ? receipt.pressed : undefined;
  deps.log.warn(
    { userId, command: words, isResumed: (split ?? pressed) !== undefined },
    "a request was interrupted before it began",
  );
  const place = placeOf(receipt);
  const origin = { userId, channelId, askedIn, place, responseUrl: undefined, arrivedAt: performance.now() };
  const again = { ...origin, receiptId: id, isResumable: true, triggerId: undefined };
  if (split) {
    const isConfirmed = receipt.said?.isConfirmed;
    const program = deps.replyToProgram?.(receipt);
    const line = { ...again, text: "", key: id, split, askedAt: receivedAt, isConfirmed, program };
    await attend(deps, line, (resumed) => handleLine(deps, resumed));
    if (place) await deps.receipts.answered(id);
  } else if (pressed) {
    const press = { ...again, ...pressed, viewId: undefined, isHome: false, isEphemeral: false };
    await attend(deps, press, (resumed) => handlePress(deps, resumed));
  } else await notify(deps, receipt, age);
}

/** Where a message was written. A slash command has no place that outlives its answer's address. */
function placeOf({ id, channelId, askedIn }: Receipt): Place | undefined {
  if (channelId === null || !isOfMessage(id)) return undefined;
  return { channelId, threadTs: askedIn?.ts, isDirect: channelId.startsWith("D") };
}

/** Tries again in the next round while Slack takes no message. */
async function notify(
  { receipts, replies, replyToProgram, log }: ResumeDeps,
  receipt: AbandonedReceipt,
  age: number,
): Promise<void> {
  const { id, userId, words } = receipt;
  const program = replyToProgram?.(receipt);
  const notice = nothingWasDone(receipt);
  const isNotified = await replies
    .to({ userId, responseUrl: undefined, program })
    .send(notice, { kind: receipt.tries > maxTries ? "not-done" : "not-now" });
  const isGivenUp = !isNotified && age > giveUpAfterMs;
  if (isGivenUp) log.error({ userId, command: words }, "a requester could not be notified that nothing was done");
  // A repeat by Slack must not do it after all.
  if (isNotified && placeOf(receipt)) await receipts.answered(id);
  await (isNotified || isGivenUp ? receipts.close(id) : receipts.leave(id));
}

function nothingWasDone({ kind, words, said, tries }: AbandonedReceipt) {
  const request = kind;
  const how = said ? ` (${clip(wordsOf(said), 200)})` : "";
  // It changes nothing by itself, but may have found out what a change did.
  const command = commandOf(words);
  if (command?.kind === "outcome" && !command.isRetry)
    return noticeMessage(
      ":warning:",
      `Curfew was interrupted while it handled your ${request} for “${words}”. The change's card shows what is known: press it again if the outcome is still unknown.`,
    );
  if (tries > maxTries)
    return noticeMessage(
      ":warning:",
      `Curfew was interrupted twice while it handled your ${request} for “${words}”${how}. Nothing was done for it. Tell the people who run Curfew before you ask again.`,
    );
  return noticeMessage(
    ":warning:",
    `Curfew was interrupted and could not handle your ${request} for “${words}”${how}. Nothing was done for it: ask again, unless you have already.`,
  );
}

const wordsOf = ({ parts }: Said): string =>
  Object.values(parts)
    .flatMap((words) => words.map(({ value }) => value))
    .join(" ");
