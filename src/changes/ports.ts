import type { CommandSettings, HistoryFilter, ResourceGroup } from "../commands/command.ts";
import type { KnownKind } from "../commands/field.ts";
import type { Known, KnownBody } from "../commands/known.ts";
import type { Policy } from "../permissions/policy.ts";
import type { OperationName } from "../service/operations.ts";
import type { Change, ChangeState, Settlement } from "./change.ts";

/** What the pipeline needs from outside: where changes are kept, what is configured, and the clock. */

/** A thing to remember. `weak`: only when nothing is known of it yet. */
export interface Learned<K extends KnownKind = KnownKind> {
  readonly kind: K;
  readonly id: string;
  readonly body: KnownBody<K>;
  readonly ownerId?: string;
  readonly weak?: true;
}

/** A thing that is no more. */
export interface Forgotten {
  readonly kind: KnownKind;
  readonly id: string;
  readonly at: number;
}

export type DeliveryKind =
  /** A card for the change in an announcement channel. */
  | "card"
  /** A line in the thread of the card of `underChangeId`. */
  | "thread"
  /** The card of `changeId` drawn again. */
  | "update"
  /** A direct message to the asker about how it ended. */
  | "tell"
  /** A notice to those who run Curfew. */
  | "report"
  /** That something comes to its end soon (an exclusion, the time for an approval): a line in the card's thread, or a direct message. */
  | "reminder";

/** What is to be done later. */
export const jobKinds = [
  "exclusion-warning",
  "exclusion-end",
  "approval-reminder",
  "approval-expiry",
  "approved-change",
  "cleaning",
] as const;
export type JobKind = (typeof jobKinds)[number];

/**
 * Something to do later. Whoever does it looks at what is so by then: one that was overtaken (the exclusion ends at another time by
 * now, the approval has been given) does nothing, and one done twice does no harm. The same job is kept once.
 */
export interface NewJob {
  readonly kind: JobKind;
  /** The id of the change that it is about; for `cleaning` a name. */
  readonly subjectId: string;
  /** In epoch ms. */
  readonly dueAt: number;
}

/** A job that somebody has taken. As long as their time for it lasts, nobody else is given it. */
export interface TakenJob extends Omit<NewJob, "kind"> {
  readonly id: string;
  /** As it was kept: this version may not know it. */
  readonly kind: string;
  /** How often it has been taken, this time included. */
  readonly attempts: number;
}

/** What comes of a job, in the transaction that removes it: so it comes once, however often the job is done. */
export type JobEffects = Pick<Effects, "deliveries" | "jobs">;

export interface JobStore {
  /** Keeps jobs; one that is kept already is left as it is. */
  schedule(jobs: readonly NewJob[]): Promise<void>;
  /** Takes the job that has been due for the longest time and that nobody has taken. */
  takeJob(): Promise<TakenJob | undefined>;
  /** Removes a job that was taken and queues what came of it. False, with nothing done, when somebody else has taken or removed it meanwhile. */
  finishJob(job: TakenJob, effects: JobEffects): Promise<boolean>;
  /** Gives a job that was taken back, to be taken again after a pause; one that somebody else has taken meanwhile is left as it is. */
  postponeJob(job: TakenJob, pauseMs: number): Promise<void>;
  /** When to look for a due job again, in epoch ms; undefined when there are none. */
  nextJobAt(): Promise<number | undefined>;
}

/** What a change's transition brings along, in the same transaction. */
export interface Effects {
  readonly learned?: readonly (Learned | Forgotten)[];
  readonly deliveries?: readonly NewDelivery[];
  readonly jobs?: readonly NewJob[];
}

export interface NewDelivery {
  readonly changeId: string;
  readonly kind: DeliveryKind;
  /** A channel id, or for `tell` a user id. */
  readonly to: string;
  readonly underChangeId: string | null;
  /** Said beside the change itself: why this is told. */
  readonly note?: string | undefined;
}

export interface Delivery extends NewDelivery {
  readonly id: number;
  readonly attempts: number;
}

export interface PostedCard {
  readonly channelId: string;
  readonly ts: string;
  /** The message in whose thread it stands; null for one that stands in the channel itself. */
  readonly threadTs: string | null;
}

export interface ChangeStore {
  /** Records a change before it is performed; gives the earlier one when its delivery was already acted on. */
  begin(change: Change): Promise<Change | undefined>;
  /** The change that a delivery has made already; undefined for a new one, and for one that failed and may be tried again. */
  actedOn(deliveryKey: string): Promise<Change | undefined>;
  /**
   * In one transaction: the outcome, its place in the history, what was learnt, what must be announced, and what is to be done later.
   * Throws a NotPerformingError for a change that is settled; only the machine that performed it may still say what became of one
   * that others took for interrupted.
   */
  settle(id: string, settlement: Settlement, effects?: Effects): Promise<void>;
  find(id: string): Promise<Change | undefined>;
  list(filter: HistoryFilter): Promise<readonly Change[]>;
  transitions(id: string): Promise<readonly { readonly state: ChangeState; readonly at: number }[]>;
  /** Changes that a machine which is gone left as being performed, oldest first. */
  abandoned(): Promise<readonly Change[]>;
  /** What can still be told of those whose record this version cannot read. */
  unreadableAbandoned(): Promise<readonly { readonly id: string; readonly subjectId: string | null }[]>;
  /** The succeeded changes about one thing, oldest first. */
  about(kind: KnownKind, subjectId: string): Promise<readonly Change[]>;
}

/** The machines that share the database. */
export interface MachineStore {
  /** Shows that this one is alive. */
  beat(): Promise<void>;
  /** Takes this one out: what it leaves under way is others' from now on. */
  leave(): Promise<void>;
}

/** Whose turn it is at a thing of the service, among machines. */
export interface TurnStore {
  /** False while it is another machine's. */
  takeTurn(key: string): Promise<boolean>;
  endTurn(key: string): Promise<void>;
}

export interface DeliveryStore {
  /** The oldest that is due and that no earlier one to the same recipient must go before. */
  nextDue(now: number): Promise<Delivery | undefined>;
  /** When the next pending delivery is due, in epoch ms. */
  nextDueAt(): Promise<number | undefined>;
  /** Counts a try before it is made, and keeps it from being made again before `dueAt`. */
  claim(id: number, dueAt: number): Promise<void>;
  delivered(id: number, posted: PostedCard | undefined): Promise<void>;
  postpone(id: number, dueAt: number, error: string): Promise<void>;
  /** Given up for good; `instead` is queued in its place. */
  abandon(id: number, error: string, instead: readonly NewDelivery[], now: number): Promise<void>;
  queue(deliveries: readonly NewDelivery[], dueAt: number): Promise<void>;
  cardOf(changeId: string, channelId: string): Promise<PostedCard | undefined>;
  cardChannels(changeId: string): Promise<readonly string[]>;
}

/** The folder of files that hold keys (CURFEW_SECRETS_DIR). Nothing of their content is in a reason. */
export interface SecretFiles {
  /** The JSON in a file of this plain name. */
  read(
    name: string,
  ): Promise<
    { readonly kind: "read"; readonly content: unknown } | { readonly kind: "unreadable"; readonly reason: string }
  >;
}

export interface KnownStore extends Known {
  /** Takes over what the config file says of things, in place of what it said before. */
  configure(things: readonly Learned[]): Promise<void>;
  remember(things: readonly (Learned | Forgotten)[]): Promise<void>;
}

/** Resource groups that people saved from Slack, by name. */
export interface GroupStore {
  groups(): Promise<Readonly<Record<string, ResourceGroup>>>;
  /** Also replaces one of the same name. `savedBy`: a Slack user id. */
  saveGroup(name: string, group: ResourceGroup, savedBy: string, savedAt: number): Promise<void>;
  deleteGroup(name: string): Promise<void>;
}

export interface ChangeSettings extends CommandSettings {
  /** `warnMs`: how long before its end an exclusion's owner is reminded of it. */
  readonly exclusions: CommandSettings["exclusions"] & { readonly warnMs: number };
  readonly policy: Policy;
  readonly announce: readonly { readonly operations: ReadonlySet<OperationName>; readonly channel: string }[];
}
