import type { HistoryFilter } from "../commands/about-changes.ts";
import type { CommandSettings, KeptGroup, ResourceGroup } from "../commands/command.ts";
import type { EntityKind } from "../commands/field.ts";
import type { Directory, EntityBody } from "../directory/directory.ts";
import type { ChannelSettings } from "../permissions/approval.ts";
import type { Policy } from "../permissions/policy.ts";
import type { ApproverDecision, Change, ChangeState, Settlement } from "./change.ts";

/** What the pipeline needs from outside: where changes are kept, what is configured, and the clock. */

/** A thing to remember. `weak`: only when nothing is known of it yet. */
export interface NewEntity<K extends EntityKind = EntityKind> {
  readonly kind: K;
  readonly id: string;
  readonly body: EntityBody<K>;
  readonly ownerId?: string;
  readonly weak?: true;
}

/** A thing that is no more. */
export interface RemovedEntity {
  readonly kind: EntityKind;
  readonly id: string;
  readonly at: number;
}

export const outboxKinds = [
  /** A card for the change in an announcement channel. */
  "card",
  /** A line in the thread of the card of `underChangeId`. */
  "thread",
  /** The card of `changeId` drawn again. */
  "update",
  /** A direct message to the requester about how it ended. */
  "notify-requester",
  /** A direct message to the person whose account was altered. `to` is their id in the service: who they are in Slack is looked up when it is sent. */
  "account-owner",
  /** A notice to those who run Curfew. */
  "report",
  /** That an exclusion comes to its end soon: a line in the card's thread, or a direct message to its owner. */
  "reminder",
  /** That a change still waits for approval: a line in the card's thread. */
  "approval-reminder",
  /** One card in the place of many that came at once; theirs follow in its thread. It comes about when they are claimed. */
  "summary",
] as const;
export type OutboxKind = (typeof outboxKinds)[number];

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
export type JobEffects = Pick<Effects, "outbox" | "jobs">;

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
  readonly entities?: readonly (NewEntity | RemovedEntity)[];
  readonly outbox?: readonly NewOutboxMessage[];
  readonly jobs?: readonly NewJob[];
}

export interface NewOutboxMessage {
  readonly changeId: string;
  readonly kind: OutboxKind;
  /** A channel id, or for a direct message a user id, as its kind says. */
  readonly to: string;
  readonly underChangeId: string | null;
  /** Said beside the change itself: why this is told. */
  readonly note?: string | undefined;
  /** How long it waits before it is due: something may make it needless. */
  readonly afterMs?: number;
}

export interface OutboxMessage extends NewOutboxMessage {
  readonly id: number;
  /** How often it was tried before. */
  readonly attempts: number;
  readonly queuedAt: number;
  /** The summary in whose thread this card goes. */
  readonly summaryId?: number | undefined;
}

/** How quickly channels are told things. */
export interface Pace {
  /** Between two messages to the same recipient. */
  readonly gapMs: number;
  /** When more cards than this were queued for one channel within this time, those still to come are summed up. */
  readonly burst: { readonly moreThan: number; readonly withinMs: number };
}

/** What a summary says of one of its changes, as the database has it. */
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
  /** The message in whose thread it stands; null for one that stands in the channel itself. */
  readonly threadTs: string | null;
}

/** Called when everything else of a transaction is done; when it throws, all of it is rolled back. */
export type BeforeCommit = () => void;

/** Where a change stands among all by their time. */
type Place = Pick<Change, "requestedAt" | "id">;

export interface ChangeStore {
  /**
   * Records a change before it is performed, or before it is approved; gives the earlier one, with nothing recorded, when its delivery
   * was already acted on, or when it is the second to take the same change back, or to wait for the approval of the same request of
   * the same person.
   */
  begin(change: Change, effects?: Effects, beforeCommit?: BeforeCommit): Promise<Change | undefined>;
  /** The change that a delivery has made already; undefined for a new one, and for one that failed and may be tried again. */
  actedOn(idempotencyKey: string): Promise<Change | undefined>;
  /**
   * In one transaction: the outcome, its place in the history, what was learnt, what must be announced, and what is to be done later.
   * Throws a NotPerformingError for a change that is settled, or is performed by another instance; the one that performed it may still
   * say what became of it after others took it for interrupted.
   */
  settle(id: string, settlement: Settlement, effects?: Effects): Promise<void>;
  /** The same for what a instance that is gone left as being performed. Throws a NotPerformingError also when it is there again. */
  settleAbandoned(id: string, settlement: Settlement, effects?: Effects): Promise<void>;
  find(id: string): Promise<Change | undefined>;
  /** The latest first; with `before` those that come after that one. */
  list(filter: Omit<HistoryFilter, "skip"> & { readonly before?: Place | undefined }): Promise<readonly Change[]>;
  transitions(id: string): Promise<readonly { readonly state: ChangeState; readonly at: number }[]>;
  /** Changes that wait for an approval, or are approved and not being performed, oldest first. */
  waiting(): Promise<readonly Change[]>;
  /** Changes that a instance which is gone left as being performed, oldest first. */
  abandoned(): Promise<readonly Change[]>;
  /** What can still be told of those whose record this version cannot read. */
  unreadableAbandoned(): Promise<readonly { readonly id: string; readonly subjectId: string | null }[]>;
  /** The succeeded changes about one thing, oldest first. */
  about(kind: EntityKind, subjectId: string): Promise<readonly Change[]>;
  /** The last of them. */
  lastAbout(kind: EntityKind, subjectId: string): Promise<Change | undefined>;
}

/** Brings a change from one of these states into another. The error is kept with it; a change that is over gets its end. */
export interface Move {
  readonly from: readonly ChangeState[];
  readonly to: ChangeState;
  readonly at: number;
  readonly error?: Change["error"];
}

/** What becomes of changes that wait. All are settled by the database: of several that come at once, one goes through. */
export interface ApprovalStore {
  /**
   * Records what an approver says of a change that awaits it, which becomes `denied` by one no, and `approved` by as many yes as it
   * needs. Gives its new state; undefined, with nothing recorded, when it awaits no approval any more or they have said something before.
   */
  decide(
    changeId: string,
    decision: ApproverDecision,
    effects: (state: ChangeState) => Effects,
    beforeCommit?: BeforeCommit,
  ): Promise<ChangeState | undefined>;
  /** False when the change is in none of the states to come from. */
  move(changeId: string, move: Move, effects?: Effects, beforeCommit?: BeforeCommit): Promise<boolean>;
  /** Queues a reminder of a change that still awaits its approval, unless one has been queued since then. */
  remind(reminder: NewOutboxMessage, since: number, now: number): Promise<void>;
}

/** The instances that share the database. */
export interface InstanceStore {
  /** Shows that this one is alive. */
  beat(): Promise<void>;
  /** Takes this one out: what it leaves under way is others' from now on. */
  leave(): Promise<void>;
}

/** Whose turn it is at a thing of the service, among instances. */
export interface LockStore {
  /** False while it is another instance's. */
  takeLock(key: string): Promise<boolean>;
  releaseLock(key: string): Promise<void>;
}

/** The queue of what is to be told. Several instances may share it, so each method is safe to call by all of them at once. */
export interface OutboxStore {
  /**
   * Takes the oldest that is due, counts the try, and keeps everyone from taking it again until `now + leaseMs`. Only the first in its
   * recipient's queue can be taken, and a message only when the last one there is `pace.gapMs` ago. Cards that came as a burst are
   * summed up first.
   */
  claim(now: number, leaseMs: number, pace: Pace): Promise<OutboxMessage | undefined>;
  /** When there will be something to claim next, in epoch ms. With `now`, what was recorded before the clock was set back is due now. */
  nextDueAt(gapMs: number, now?: number): Promise<number | undefined>;
  /** `posted`: the message it became, if it became a new one. */
  markSent(id: number, posted: PostedCard | undefined, at: number): Promise<void>;
  postpone(id: number, dueAt: number, error: string): Promise<void>;
  /** Given up for good; `instead` is queued in its place. */
  abandon(id: number, error: string, instead: readonly NewOutboxMessage[], now: number): Promise<void>;
  queue(outbox: readonly NewOutboxMessage[], dueAt: number): Promise<void>;
  /** This person has been told of the change: what waits to tell them is needless. */
  answered(changeId: string, userId: string): Promise<void>;
  /** This person could not be told of the change: what waits to tell them is due. */
  notifyNow(changeId: string, userId: string, now: number): Promise<void>;
  cardOf(changeId: string, channelId: string): Promise<PostedCard | undefined>;
  cardChannels(changeId: string): Promise<readonly string[]>;
  /** Where a summary stands; undefined for one that is not posted yet or was given up. */
  summaryCard(id: number): Promise<PostedCard | undefined>;
  /** The changes that a summary is about, in the order of their cards. */
  summedUp(id: number): Promise<readonly SummedUp[]>;
  /** Deletes up to `limit` of those done with before then, but no posted card, since it may have to be drawn again. Says how many. */
  cleanOutbox(before: number, limit: number): Promise<number>;
}

/** The folders of files that hold keys (CURFEW_SECRETS_DIR), one for each credential. Nothing of their content is in a reason. */
export interface SecretFiles {
  /** The JSON in a file of this plain name that was put there for this credential. */
  read(
    credentialId: string,
    name: string,
  ): Promise<
    { readonly kind: "read"; readonly content: unknown } | { readonly kind: "unreadable"; readonly reason: string }
  >;
}

export interface DirectoryStore extends Directory {
  /** Takes over what the config file says of things, in place of what it said before. */
  configure(things: readonly NewEntity[]): Promise<void>;
  remember(things: readonly (NewEntity | RemovedEntity)[]): Promise<void>;
}

/** Resource groups that people saved from Slack, by name. */
export interface GroupStore {
  groups(): Promise<Readonly<Record<string, ResourceGroup>>>;
  /** The one of this name, also when it cannot be read as a whole. */
  findGroup(name: string): Promise<KeptGroup | undefined>;
  /**
   * Saves a group, also in place of one of the same name, or deletes it where none is given, together with the change that `record`
   * makes of what was there, for the history; where it makes none, nothing is done. Gives what was there.
   */
  changeGroup(
    name: string,
    group: ResourceGroup | undefined,
    record: (former: KeptGroup | undefined) => (Effects & { readonly change: Change }) | undefined,
    beforeCommit?: BeforeCommit,
  ): Promise<KeptGroup | undefined>;
}

export interface ChangeSettings extends CommandSettings, ChannelSettings {
  /** `warnMs`: how long before its end an exclusion's owner is reminded of it. */
  readonly exclusions: CommandSettings["exclusions"] & { readonly warnMs: number };
  readonly policy: Policy;
}
