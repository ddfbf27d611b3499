import type { HistoryFilter, Person } from "../commands/about-changes/about-changes.ts";
import type { ChangeCommand, CommandContext, SeriesPlan } from "../commands/command.ts";
import type { Input } from "../commands/field.ts";
import type { CommandSettings } from "../commands/query-ports.ts";
import type {
  Directory,
  EntityKind,
  KeptGroup,
  NewEntity,
  PlacedDirectory,
  RemovedEntity,
  ResourceGroup,
} from "../directory/directory.ts";
import type { ReadService } from "../directory/read-service.ts";
import type { Logger } from "../observability/log.ts";
import type { Actor } from "../permissions/actor.ts";
import type { ChannelSettings } from "../permissions/approval-rules.ts";
import type { Policy } from "../permissions/policy.ts";
import type { ServiceClient } from "../service/client.ts";
import type { ChangeOperation } from "../service/operations.ts";
import type { NewBulletin } from "./bulletin.ts";
import type {
  ApproverDecision,
  Change,
  ChangeState,
  Move,
  NewNotice,
  ServiceChange,
  SettledState,
  Settlement,
} from "./change.ts";
import type { ExclusionRecords } from "./hours/kept-running.ts";
import type { Claimed, NewJob, TakenJob } from "./job.ts";
import type {
  NewOutboxMessage,
  OutboxKind,
  OutboxMessage,
  Pace,
  PostedCard,
  Redrawn,
  SummedUp,
} from "./outbox-message.ts";
import type { SecretFiles } from "./perform/perform.ts";
import type { ReceiptStore } from "./receipts.ts";

/** The ports of the pipeline: stores, settings, clients and the clock. */

/** Stored together with a change's transition, in the same transaction. */
export interface Effects {
  readonly entities?: readonly (NewEntity | RemovedEntity)[];
  readonly outbox?: readonly NewOutboxMessage[];
  readonly jobs?: readonly NewJob[];
  /** The receipt of the request, which this transition replaces. */
  readonly receiptId?: string | undefined;
  /** Only of a new change: the id of the planned one that it takes the place of, and which is withdrawn. */
  readonly replaces?: string | undefined;
}

/** The effects of a job, in the transaction that removes it: so they happen once, however often the job runs. */
export type JobEffects = Pick<Effects, "outbox" | "jobs"> & { readonly bulletins?: readonly NewBulletin[] };

/** What this instance has committed: a transition; or messages or jobs, of which the first is due then, in epoch ms. */
export type OnCommitted = (what: "transition" | "messages" | "jobs", dueAt: number) => void;

export interface CommitStore {
  onCommitted(run: OnCommitted): void;
}

export interface JobStore {
  /** Stores jobs. A job that is stored already stays as it is. */
  schedule(jobs: readonly NewJob[]): Promise<void>;
  /**
   * Claims up to `limit` due jobs that nobody has claimed, earliest first. None of those that this instance runs, whose ids are
   * `running`. One that an instance was lost over is claimed alone, when none runs.
   */
  claimJobs(limit: number, running?: readonly number[]): Promise<Claimed<TakenJob>>;
  /** Begins the lease of a claimed job anew. Does nothing if another instance has claimed it since. */
  renewJob(job: TakenJob): Promise<void>;
  /**
   * Removes a claimed job and stores its effects. False, with nothing done, if another instance has claimed or removed it
   * since.
   */
  finishJob(job: TakenJob, effects: JobEffects): Promise<boolean>;
  /** Releases a claimed job, to be claimed again after a pause. Does nothing if another instance has claimed it since. */
  postponeJob(job: TakenJob, pauseMs: number): Promise<void>;
}

/** The position of a change in the order of time. */
type Place = Pick<Change, "requestedAt" | "id">;

export interface ChangeStore {
  /**
   * Records a change before it is performed, approved or due. Throws a PlanGoneError, with nothing recorded, if what it takes the
   * place of cannot be withdrawn any more. Records nothing and gives the earlier change for a repeat: the
   * same idempotency key, a second undo of the same change, or a second request by the same person that waits for the same
   * approval.
   */
  begin(change: Change, effects?: Effects): Promise<Change | undefined>;
  /** The change with this idempotency key; undefined for a new one, and for one that failed and may be retried. */
  actedOn(idempotencyKey: string): Promise<Change | undefined>;
  /**
   * Stores in one transaction the outcome, its history entry and the effects. Throws a NotPerformingError for a change
   * that is settled, or that another instance performs. The instance that made the call may still settle it after others
   * marked it as interrupted, unless it says that it settles it from `performing` only.
   */
  settle(id: string, settlement: Settlement, effects?: Effects, from?: "performing" | "any"): Promise<void>;
  /**
   * The same for a change that a dead instance left as `performing`. Also throws a NotPerformingError if that instance is
   * back.
   */
  settleAbandoned(id: string, settlement: Settlement, effects?: Effects): Promise<void>;
  /** The same for one whose outcome was unknown. Throws a NotPerformingError if it no longer is. */
  settleUnknown(id: string, settlement: Settlement, effects?: Effects): Promise<void>;
  find(id: string): Promise<Change | undefined>;
  /** The latest first; with `before`, those that follow that one. A series stands for its steps. */
  list(filter: Omit<HistoryFilter, "skip"> & { readonly before?: Place | undefined }): Promise<readonly Change[]>;
  /** Changes of this subject since then that were made, or perhaps made. */
  recentAbout(kind: EntityKind, subjectId: string, since: number): Promise<readonly Change[]>;
  /** Everybody who ever asked for a change, by their latest name. */
  requesters(): Promise<readonly Person[]>;
  transitions(id: string): Promise<readonly { readonly state: ChangeState; readonly at: number }[]>;
  /** Changes that wait for an approval, or are approved and not being performed, oldest first. */
  waiting(): Promise<readonly Change[]>;
  /** Changes that are to begin later. */
  planned(): Promise<readonly Change[]>;
  /** What this person asked for and is not over, may have been made since then, or was made then without an id. */
  openOf(userId: string, since: number): Promise<readonly Change[]>;
  /** Changes that dead instances left as `performing`, oldest first. */
  abandoned(): Promise<readonly Change[]>;
  /** The same for those whose record this version cannot read. */
  unreadableAbandoned(): Promise<readonly { readonly id: string; readonly subjectId: string | null }[]>;
  /** The changes of one entity that were made, at least partly; oldest first. */
  about(kind: EntityKind, subjectId: string): Promise<readonly Change[]>;
  /** The last of them. */
  lastAbout(kind: EntityKind, subjectId: string): Promise<Change | undefined>;
}

/** Transitions of waiting changes. Each is one conditional write: of several at the same time, one succeeds. */
export interface ApprovalStore {
  /**
   * Records the decision of an approver. One denial makes the change `denied`, enough approvals give it the state `reached`. Gives
   * the new state; undefined, with nothing recorded, if it is in none of the `from` states or they have decided before.
   */
  decide(
    changeId: string,
    decision: ApproverDecision,
    effects: (state: ChangeState) => Effects,
    from?: readonly ChangeState[],
    reached?: Extract<ChangeState, "approved" | "planned">,
  ): Promise<ChangeState | undefined>;
  /** False if the change is in none of the `from` states. */
  move(changeId: string, move: Move, effects?: Effects): Promise<boolean>;
  /** Queues a reminder if the change still awaits its approval, unless one was queued since then. */
  remind(reminder: NewOutboxMessage, since: number, now: number): Promise<void>;
}

/** The instances that share the database. */
export interface InstanceStore {
  /** Records that this instance is alive. */
  beat(): Promise<void>;
  /** Deregisters this instance: others take over what it leaves unfinished. */
  leave(): Promise<void>;
}

/** The locks on entities of the service, shared by all instances. */
export interface LockStore {
  /** False while another instance holds it. */
  takeLock(key: string): Promise<boolean>;
  releaseLock(key: string): Promise<void>;
}

/** The queue of messages. Several instances may share it, so each method is safe to call concurrently. */
export interface OutboxStore {
  /**
   * Claims the oldest due messages, at most one for each recipient, counts the try, and keeps others from claiming them until
   * `now + leaseMs`. Only the first in its recipient's queue can be claimed, and only when the last message there is
   * `pace.gapMs` old. A burst of cards is summarized first. A card is updated once in `pace.gapMs`;
   * updates that wait for it are one. None of those that this instance sends, whose ids are `running`, is claimed. One that an
   * instance was lost over is claimed alone, when none is being sent; until then no other is claimed.
   */
  claim(
    now: number,
    leaseMs: number,
    pace: Pace,
    limit: number,
    running?: readonly number[],
  ): Promise<Claimed<OutboxMessage>>;
  /** `posted`: the new message in Slack, if there is one. `notice`: whom it notified of a change of their account. */
  markSent(id: number, posted: PostedCard | undefined, at: number, notice?: NewNotice): Promise<void>;
  postpone(id: number, dueAt: number, error: string): Promise<void>;
  /** Gives the message up for good; `instead` is queued in its place. */
  abandon(id: number, error: string, instead: readonly NewOutboxMessage[], now: number): Promise<void>;
  queue(outbox: readonly NewOutboxMessage[], dueAt: number): Promise<void>;
  /** Whether a message of this kind to that recipient is queued, or was sent. */
  isQueued(kind: OutboxKind, to: string): Promise<boolean>;
  /** This person has an answer about the change: messages that wait to give it are dropped. */
  answered(changeId: string, userId: string): Promise<void>;
  /** This person got no answer about the change: messages that wait to give it are due now. */
  notifyNow(changeId: string, userId: string, now: number): Promise<void>;
  cardOf(changeId: string, channelId: string): Promise<PostedCard | undefined>;
  cardChannels(changeId: string): Promise<readonly string[]>;
  /** The messages with buttons about this change, beside its cards, which were posted or wait. */
  messagesOf(changeId: string): Promise<readonly Redrawn[]>;
  /** Where such a message was posted; undefined if it was not. */
  postedAt(message: Redrawn): Promise<PostedCard | undefined>;
  /** The id of the change whose card is this message in Slack. */
  changeOfCard(channelId: string, ts: string): Promise<string | undefined>;
  /** The message of a summary; undefined if it is not posted yet or was given up. */
  summaryCard(id: number): Promise<PostedCard | undefined>;
  /** The changes in a summary, in the order of their cards. */
  summedUp(id: number): Promise<readonly SummedUp[]>;
}

/** The resource groups saved from Slack, by name. */
export interface GroupStore {
  groups(): Promise<Readonly<Record<string, ResourceGroup>>>;
  /** The group of this name, even if only a part of it can be read. */
  findGroup(name: string): Promise<KeptGroup | undefined>;
  /**
   * Saves a group, replacing one of the same name, or deletes it if none is given. `record` makes the change for the
   * history from the former group; if it makes none, nothing is done. Gives the former group.
   */
  changeGroup(
    name: string,
    group: ResourceGroup | undefined,
    record: (former: KeptGroup | undefined) => (Effects & { readonly change: Change }) | undefined,
  ): Promise<KeptGroup | undefined>;
}

export interface ChangeSettings extends CommandSettings, ChannelSettings {
  /** `warnMs`: how long before the end of an exclusion its owner gets a reminder. */
  readonly exclusions: CommandSettings["exclusions"] & { readonly warnMs: number };
  readonly policy: Policy;
}

/** A change that a person asks for. */
export interface Asked {
  readonly command: ChangeCommand;
  readonly input: Input;
  readonly context: CommandContext;
  /** They ask others to allow what they may not do themselves. */
  readonly isAsking?: boolean | undefined;
  /** The id of the change that this one undoes. */
  readonly undoes?: string;
  /** What was said with the undo. */
  readonly said?: UndoSaid | undefined;
  /** The recorded steps of a series; undefined for new ones. */
  readonly plan?: SeriesPlan | undefined;
}

/** What an undo may say beside the change. */
export interface UndoSaid {
  /** Instead of the change's own ticket. */
  readonly ticket?: string | undefined;
  /** The answer to what Curfew does not know of the state before. */
  readonly was?: string | undefined;
}

/** A person's request for a change. `idempotencyKey` is the same for every repeat of the same click, line or form. */
export interface Ask extends Asked {
  readonly idempotencyKey: string;
  /** The preview of its effect, in sentences, for the approvers. */
  readonly effect?: () => Promise<readonly string[]>;
}

/** Called with the final state of every performed change, including `unknown`. */
export type OnOutcome = (operation: ChangeOperation, state: SettledState) => void;

/** The outcomes that could not be recorded yet. */
export interface LateSettlements {
  /** Keeps an outcome and retries to record it, with growing pauses. */
  add(change: ServiceChange, settlement: Settlement, alsoSend?: readonly NewOutboxMessage[]): void;
  /** Retries all of them now, oldest first. */
  flush(): Promise<void>;
  /** Retries them a last time. */
  stop(): Promise<void>;
}

/** Finds somebody in Slack by their e-mail address. Throws if Slack cannot say. */
export type WithEmail = (email: string) => Promise<Actor | undefined>;
/** Who may be behind a role's members. Both throw if Slack cannot say. */
export interface People {
  /** The ids of a user group's people; a user's own id. None for a group that gives nobody its roles. */
  idsIn(memberId: string): Promise<readonly string[]>;
  /** Undefined if there is no such person. */
  find(slackUserId: string): Promise<Actor | undefined>;
}

export interface ChangePorts {
  readonly store: ChangeStore &
    ApprovalStore &
    LockStore &
    ExclusionRecords &
    Pick<OutboxStore, "cardChannels" | "changeOfCard" | "messagesOf"> &
    Pick<ReceiptStore, "ownsReceipt"> &
    Pick<Directory, "get">;
  readonly directory: PlacedDirectory;
  /** Looks up a Slack user now. Throws if Slack cannot say who it is. */
  readonly actorOf: (slackUserId: string) => Promise<Actor>;
  readonly withEmail: WithEmail;
  readonly people: People;
  readonly service: ServiceClient;
  readonly read: ReadService;
  readonly secretFiles: SecretFiles;
  readonly settings: () => ChangeSettings;
  readonly now: () => number;
  readonly newId: () => string;
  readonly log: Logger;
  readonly onOutcome?: OnOutcome;
}

/** Shared by the steps of the pipeline. */
export interface Pipeline extends ChangePorts {
  readonly late: LateSettlements;
  /** Runs the work with the entity's lock held; without a lock for an entity that does not exist yet. */
  readonly withLock: <T>(kind: EntityKind, subjectId: string | null, work: () => Promise<T>) => Promise<T>;
  /** Runs the work alone among those that count the hours of this person, where a rule in force counts any. */
  readonly withHours: <T>(change: Pick<Change, "operation" | "actor">, work: () => Promise<T>) => Promise<T>;
  /** Runs the work alone among those that judge, and then record, how long this person holds a machine. */
  readonly withOwnTime: <T>(change: Pick<ServiceChange, "operation" | "actor">, work: () => Promise<T>) => Promise<T>;
}
