export const outboxKinds = [
  /** A card for the change in a channel. */
  "card",
  /** A line in the thread of the card of `underChangeId`. */
  "thread",
  /** Redraws the card of `changeId`, or a bulletin. */
  "update",
  /** A direct message to the requester with the outcome. */
  "notify-requester",
  /**
   * A direct message to the owner of the altered account. `to` is an e-mail address of the account; the Slack user is looked
   * up when it is sent.
   */
  "account-owner",
  /** The same about a change that waits for approval. It is redrawn like a card. */
  "owner-card",
  /** A notice to operators. */
  "report",
  /** An exclusion ends soon: a line in the card's thread, or a direct message to its owner. */
  "reminder",
  /** The same in the thread where `underChangeId` was asked for. */
  "asked-reminder",
  /** Redraws that reminder: what it says, or what its buttons do, is over. */
  "reminder-update",
  "asked-reminder-update",
  /** Redraws the outcome for the requester: its buttons no longer work. */
  "notify-requester-update",
  /** In that thread: that it is over. */
  "asked-over",
  /** The change waits for approval, or how it ended after that: in the thread where it was asked for. */
  "asked-approval",
  "asked-outcome",
  /** A change still waits for approval: a line in the card's thread. */
  "approval-reminder",
  /** One card in place of many in a burst; their cards follow in its thread. Created when they are claimed. */
  "summary",
  /** Somebody ended or changed the exclusion of `changeId` in the service, as that change found out (announce.ts). */
  "found-elsewhere",
  /**
   * Ends the step `to` of a workflow: with the outcome of its change, else as the note says (slack/workflows/). Then `changeId` is the id
   * of the step.
   */
  "step",
  /** A message that is about no change (bulletin.ts). `changeId` is its id. */
  "bulletin",
] as const;
export type OutboxKind = (typeof outboxKinds)[number];

/** Whether a message goes to somebody with this e-mail address, and not to a channel or a Slack user. */
export const isToAddress = ({ to }: Pick<NewOutboxMessage, "to">): boolean => to.includes("@");

export interface NewOutboxMessage {
  /** Of its change or of its bulletin. */
  readonly changeId: string;
  readonly kind: OutboxKind;
  /** A channel id; for a direct message a user id, or the e-mail address of an account. */
  readonly to: string;
  readonly underChangeId: string | null;
  /** An extra line: why this message is sent. */
  readonly note?: string | undefined;
  /** The delay until it is due, in which it may become needless. */
  readonly afterMs?: number;
}

export interface OutboxMessage extends NewOutboxMessage {
  readonly id: number;
  /** The number of earlier tries. */
  readonly attempts: number;
  /** How often it was claimed since it was last put off: more than once if an instance was lost over it. */
  readonly tries: number;
  readonly queuedAt: number;
  /** The summary whose thread this card goes to. */
  readonly summaryId?: number | undefined;
}

/** They alter a message that was posted. */
export const updateKinds = [
  "update",
  "reminder-update",
  "asked-reminder-update",
  "notify-requester-update",
] as const satisfies readonly OutboxKind[];
export const isUpdate = ({ kind }: Pick<NewOutboxMessage, "kind">): boolean =>
  updateKinds.some((update) => update === kind);

/** What is redrawn when its buttons no longer work, beside cards. */
export const redrawnKinds = ["reminder", "asked-reminder", "notify-requester"] as const satisfies readonly OutboxKind[];
export type Redrawn = Pick<NewOutboxMessage, "changeId" | "to" | "underChangeId"> & {
  readonly kind: (typeof redrawnKinds)[number];
};

/** The rate of messages to one channel. */
export interface Pace {
  /** The minimum time between two messages to the same recipient. */
  readonly gapMs: number;
  /** When more cards than this are queued for one channel within this time, the rest are summarized. */
  readonly burst: { readonly moreThan: number; readonly withinMs: number };
}

/** A change in a summary, as stored. */
export interface SummedUp {
  readonly words: string;
  readonly state: string;
  readonly actorId: string;
  readonly actorName: string;
  readonly queuedAt: number;
}

export interface PostedCard {
  readonly channelId: string;
  readonly ts: string;
  /** The message whose thread it is in; null if it is in the channel itself. */
  readonly threadTs: string | null;
}
