import type { Thread } from "../commands/command.ts";
import type { Input } from "../commands/field.ts";
import type { Logger } from "../observability/log.ts";
import { within } from "../time/within.ts";
import { createLateWrites } from "./late-writes.ts";

export const receiptKinds = ["line", "form", "button", "step"] as const;

export interface Said {
  readonly parts: Readonly<Record<string, readonly { readonly value: string; readonly isQuoted: boolean }[]>>;
  readonly sets: Input;
  /** What a person would confirm in a form was confirmed. */
  readonly isConfirmed?: boolean | undefined;
}

/** A button, as its press names it. */
export interface Pressed {
  readonly actionId: string;
  readonly value: string;
  readonly surface: string;
  /** In the Home tab, or in a form that was opened there. */
  readonly fromHome: boolean;
}

/** A request that may change something, recorded before it is acknowledged. */
export interface Receipt {
  /** The same for every delivery of the request. */
  readonly id: string;
  readonly kind: (typeof receiptKinds)[number];
  /** The command. */
  readonly words: string;
  /** For a line or a step, the words of each field, and the values that follow from its phrase. */
  readonly said?: Said | undefined;
  readonly pressed?: Pressed | undefined;
  readonly userId: string;
  readonly channelId: string | null;
  /** The thread in which it was written. */
  readonly askedIn?: Thread | undefined;
  readonly receivedAt: number;
}

export interface AbandonedReceipt extends Receipt {
  /** How many instances have begun to handle it, including this one. */
  readonly tries: number;
}

/**
 * The requests that are being handled. A receipt is deleted in the transaction that records a change, else after its requester
 * has an answer. So one that is left by an instance that is gone was certainly not begun.
 */
export interface ReceiptStore {
  /**
   * Records a receipt. One that exists is handled by this instance from now on, and by no other. Throws an InterruptedTwiceError if
   * two instances were lost over it.
   */
  receive(receipt: Receipt): Promise<void>;
  /** Removes the words, so that no instance resumes it. */
  endReceipt(id: string): Promise<void>;
  closeReceipt(id: string): Promise<void>;
  /** Leaves it to the next round of any instance. */
  leaveReceipt(id: string): Promise<void>;
  /** Whether no other instance has taken it over. */
  ownsReceipt(id: string): Promise<boolean>;
  /** Takes the receipts of instances that are gone, oldest first. None of them counts as begun here yet. */
  takeAbandonedReceipts(): Promise<readonly Receipt[]>;
  /** Counts a try, just before a taken receipt is handled. Gives all tries; undefined if another instance has taken it over. */
  beginReceipt(id: string): Promise<number | undefined>;
}

/** The messages to Curfew that Slack may deliver again, perhaps to another instance. Each is answered by one. */
export interface HeardStore {
  /** False for a message that was answered, or that another living instance answers. */
  hearMessage(key: string): Promise<boolean>;
  answeredMessage(key: string): Promise<void>;
  /** It was not handled, so the next delivery is. */
  forgetMessage(key: string): Promise<void>;
}

/** The database did not take a request in time. It is not recorded, and nothing is done. */
export class NotRecordedError extends Error {
  readonly code = "NotRecorded";
  constructor(cause?: unknown) {
    super("the database did not take a request in time, so nothing was done", { cause });
    this.name = "NotRecordedError";
  }
}

/** Two instances were lost while they handled a request, so it is not handled again. */
export class InterruptedTwiceError extends Error {
  readonly code = "InterruptedTwice";
  constructor() {
    super("a request was dropped, since the process ended twice while it was handled");
    this.name = "InterruptedTwiceError";
  }
}

/** Another instance took this one for gone, and has handled or answered the request. Nothing is done here. */
export class TakenOverError extends Error {
  readonly code = "TakenOver";
  constructor() {
    super("another instance has taken over the request, so nothing was done here");
    this.name = "TakenOverError";
  }
}

/** From the arrival of a request to its record. Slack waits 3 s for the acknowledgement (PLATFORM.md §1.5). */
const recordMs = 2100;
/** Of it, to look whether a message was heard before. */
const hearMs = 800;
/** Then, to take back what the database may have recorded anyway. */
const takeBackMs = 400;

export type Receipts = ReturnType<typeof createReceipts>;

/** Of its functions, only `record` throws. What the database does not take of the others is written as soon as it does. */
export function createReceipts(store: ReceiptStore & HeardStore, log: Logger) {
  const late = createLateWrites(log);
  const written = (id: string, write: () => Promise<void>): Promise<void> =>
    write().catch((error: unknown) => {
      log.warn({ err: error }, "the receipt of a request could not be changed; trying again");
      late.add(id, write);
    });
  const close = (id: string) => written(id, () => store.closeReceipt(id));
  return {
    /** Before an answer without a change: no instance handles the request from now on. */
    end: (id: string) => written(id, () => store.endReceipt(id)),
    /** After an answer. */
    close,
    /** Where no answer could be given: the next round of any instance tries it. */
    leave: (id: string) => written(id, () => store.leaveReceipt(id)),
    /** Whether a message is to be answered here. One that may be answered elsewhere, while the database does not say, is. */
    hear: async (key: string) => {
      const isFirst = store.hearMessage(key).catch((error: unknown) => {
        log.warn({ err: error }, "could not look whether a message was answered before; answering it");
        return true;
      });
      return (await within(hearMs, isFirst)) ?? true;
    },
    /** A message was answered, so a repeat of it is not. */
    answered: (key: string) => written(`${key} answered`, () => store.answeredMessage(key)),
    /** A message was not handled: the next delivery of it is. */
    forget: (key: string) => written(`${key} forgotten`, () => store.forgetMessage(key)),
    /** Tries a last time to write what the database did not take. */
    stop: late.stop,
    /**
     * Records a request; `arrivedAt` by `performance.now`. Throws a NotRecordedError within 2.5 s, also when the database fails: then
     * the request is not recorded later either. Throws an InterruptedTwiceError for one that is not to be handled again.
     */
    record: async (receipt: Receipt, arrivedAt: number): Promise<void> => {
      const leftMs = arrivedAt + recordMs - performance.now();
      // Recorded now, another process could handle it after a crash, although its requester reads that nothing was done.
      if (leftMs <= 0) throw new NotRecordedError();
      const received = store.receive(receipt).then(
        () => "recorded" as const,
        (error: unknown) => (error instanceof InterruptedTwiceError ? error : new NotRecordedError(error)),
      );
      const outcome = (await within(leftMs, received)) ?? new NotRecordedError();
      if (outcome === "recorded") return;
      // The record may exist anyway: the database's answer was lost, or comes too late.
      await within(takeBackMs, Promise.all([close(receipt.id), received.then(() => close(receipt.id))]));
      throw outcome;
    },
  };
}

/** A request of a pipeline with an Idempotency-Key. */
export interface CallerRequest {
  /** Made of the caller and its key; also the idempotency key of the change. */
  readonly id: string;
  /** To recognize another body with the same key. */
  readonly bodyHash: string;
  readonly receivedAt: number;
}

/** The answer that every repeat of a request gets. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
  readonly location?: string | undefined;
}

/** What is recorded of a request. */
export type AskedBefore = Pick<CallerRequest, "bodyHash"> & { readonly answer: StoredAnswer | undefined };

export interface CallerRequestStore {
  callerRequest(id: string): Promise<AskedBefore | undefined>;
  /** Records a request, and gives the one that was recorded first under its id. */
  claimCallerRequest(request: CallerRequest): Promise<AskedBefore>;
  /** Stores the first answer; later ones are ignored. */
  answerCallerRequest(id: string, answer: StoredAnswer): Promise<void>;
}
