import type { ChangeStore } from "../../changes/ports.ts";
import type { Receipt, ReceiptStore, Said } from "../../changes/receipts.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { clip } from "../messages/message.ts";
import { noticeMessage } from "../messages/notices.ts";
import { type AttendPorts, attend } from "./attend.ts";
import { handleLine, type LinePorts } from "./line/handle-line.ts";
import { splitOf } from "./receipt-of.ts";

export interface ResumePorts extends AttendPorts, LinePorts {
  readonly store: Pick<ReceiptStore, "takeAbandonedReceipts"> & Pick<ChangeStore, "list">;
  readonly now: () => number;
}

/** A requester who has waited longer may have asked again, or done it in another way. */
const resumeWithinMs = 60_000;
const giveUpAfterMs = 24 * 60 * 60_000;

/**
 * Settles the requests of instances that are gone before they recorded an outcome. None of them has begun. A line that is younger than
 * a minute is handled now, unless its requester has asked for the same since. The requesters of all others read that nothing was done.
 */
export async function resumeReceipts(ports: ResumePorts): Promise<void> {
  for (const receipt of await ports.store.takeAbandonedReceipts()) {
    await resume(ports, receipt).catch(async (error: unknown) => {
      ports.log.error(
        { err: error, command: receipt.words },
        "an interrupted request could not be settled; trying again",
      );
      await ports.receipts.leave(receipt.id);
    });
  }
}

async function resume(ports: ResumePorts, receipt: Receipt): Promise<void> {
  const { id, userId, channelId, words, receivedAt } = receipt;
  const age = ports.now() - receivedAt;
  const [later] = await ports.store.list({ actorId: userId, commands: [words], since: receivedAt, limit: 1 });
  const split = age < resumeWithinMs && !later ? splitOf(receipt) : undefined;
  ports.log.warn(
    { userId, command: words, isResumed: split !== undefined },
    "a request was interrupted before it began",
  );
  if (!split) return notify(ports, receipt, age);
  const origin = { userId, channelId, responseUrl: undefined, arrivedAt: performance.now(), receiptId: id };
  const line = { ...origin, isResumable: true, text: "", triggerId: undefined, key: id, split, askedAt: receivedAt };
  await attend(ports, line, (resumed) => handleLine(ports, resumed));
}

/** Tries again in the next round while Slack takes no message. */
async function notify({ receipts, replies, log }: ResumePorts, receipt: Receipt, age: number): Promise<void> {
  const { id, userId, words } = receipt;
  const isNotified = await replies.to({ userId, responseUrl: undefined }).send(nothingWasDone(receipt));
  const isGivenUp = !isNotified && age > giveUpAfterMs;
  if (isGivenUp) log.error({ userId, command: words }, "a requester could not be notified that nothing was done");
  await (isNotified || isGivenUp ? receipts.close(id) : receipts.leave(id));
}

function nothingWasDone({ kind, words, said }: Receipt) {
  const request = { line: "line", form: "form", button: "button" }[kind];
  const how = said ? ` (${clip(wordsOf(said), 200)})` : "";
  // It changes nothing by itself, but may have found out what a change did.
  const command = commandOf(words);
  if (command?.kind === "outcome" && !command.isRetry)
    return noticeMessage(
      ":warning:",
      `Curfew was interrupted while it handled your ${request} for \`${words}\`. The change's card shows what is known: press it again if the outcome is still unknown.`,
    );
  return noticeMessage(
    ":warning:",
    `Curfew was interrupted and could not handle your ${request} for \`${words}\`${how}. Nothing was done for it: ask again, unless you have already.`,
  );
}

const wordsOf = ({ parts }: Said): string =>
  Object.values(parts)
    .flatMap((words) => words.map(({ value }) => value))
    .join(" ");
