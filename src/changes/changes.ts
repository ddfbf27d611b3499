import { isProblem, type Problem } from "../commands/answer.ts";
import { type ChangeCommand, type CommandContext, reasonOf } from "../commands/command.ts";
import type { EntityKind, Input } from "../commands/field.ts";
import type { Directory, PlacedDirectory } from "../directory/directory.ts";
import type { ReadService } from "../directory/read-service.ts";
import type { Logger } from "../observability/log.ts";
import type { Actor } from "../permissions/actor.ts";
import type { ServiceClient } from "../service/client.ts";
import { RecordTooLateError } from "../time/record-deadline.ts";
import { notifyRequester } from "./announce.ts";
import { type Approvals, createApprovals } from "./approvals/approvals.ts";
import { approvalFrom, askingEffects } from "./approvals/ask-approval.ts";
import { authorizeNew } from "./authorize.ts";
import type { Change, ServiceChange } from "./change.ts";
import type { Authorization, Authorized, Denied, Invalid } from "./decide-change.ts";
import { createLocks, LockUnavailableError } from "./locks.ts";
import { perform } from "./perform.ts";
import type { ApprovalStore, ChangeSettings, ChangeStore, LockStore, OutboxStore, SecretFiles } from "./ports.ts";
import {
  createLateSettlements,
  type LateSettlements,
  notMade,
  type OnOutcome,
  type Performed,
  recordOutcome,
} from "./settle.ts";
import { planUndo, type UndoPlan } from "./undo.ts";

/** A change a person asked for. `idempotencyKey` is the same for every repeat of the same click, line or form. */
export interface Ask {
  readonly command: ChangeCommand;
  readonly input: Input;
  readonly context: CommandContext;
  readonly idempotencyKey: string;
  /** The change that this one takes back. */
  readonly undoes?: string;
  /** What would come of it, in plain sentences: shown to approvers, where it needs any. */
  readonly effect?: Promise<readonly string[]>;
}

export type ChangeOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | Invalid
  /** Acted on before: this is what became of it. */
  | { readonly kind: "repeated"; readonly change: Change }
  /** Another request of the same is done or waits: this is what has become of that one. */
  | { readonly kind: "already-requested"; readonly change: Change }
  /** Recorded, and put to those who must approve it; nothing is performed yet. */
  | { readonly kind: "asked"; readonly change: Change }
  | Performed
  /** The database did not take the record, or Curfew stopped while another machine was at the thing; so nothing was performed. */
  | { readonly kind: "not-recorded" };

export interface Changes {
  /** Whether and how it would be done, changing nothing. */
  check(ask: Pick<Ask, "command" | "input" | "context">): Promise<Authorization>;
  /** What the same delivery has done before. */
  actedOn(idempotencyKey: string): Promise<Change | undefined>;
  /** Throws a RecordTooLateError, with nothing done, when the context's deadline is missed. */
  run(ask: Ask): Promise<ChangeOutcome>;
  /** What would take a change back, or why nothing can, as it is told to the requester. */
  planUndo(changeId: string, requesterId?: string): Promise<UndoPlan | Problem>;
}

export interface ChangePorts {
  readonly store: ChangeStore & ApprovalStore & LockStore & Pick<OutboxStore, "cardChannels"> & Pick<Directory, "get">;
  readonly directory: PlacedDirectory;
  /** Who somebody in Slack is at this moment. Throws when Slack cannot say. */
  readonly actorOf: (slackUserId: string) => Promise<Actor>;
  readonly service: ServiceClient;
  readonly read: ReadService;
  readonly secretFiles: SecretFiles;
  readonly settings: () => ChangeSettings;
  readonly now: () => number;
  readonly newId: () => string;
  readonly log: Logger;
  /** Called when there is something to deliver. */
  readonly wake: () => void;
  readonly onOutcome?: OnOutcome;
}

/** What the steps of the way share beside the ports. */
export interface Pipeline extends ChangePorts {
  readonly late: LateSettlements;
  /** Runs the work when it is this thing's turn; at once for what does not exist yet. */
  readonly withLock: <T>(kind: EntityKind, subjectId: string | null, work: () => Promise<T>) => Promise<T>;
}

export interface RunningChanges extends Changes {
  readonly approvals: Approvals;
  /** Whoever waits for another instance's turn to end waits no more, and is told that nothing was changed. */
  stopWaiting(): void;
  /** Records what could not be recorded yet, if it can be now. */
  stop(): Promise<void>;
}

/**
 * The one way a change takes: authorise, record that it is under way, perform, record how it ended, announce. One that others must
 * approve is recorded as waiting for them, and performed from there (approvals.ts). Changes of one thing go one after the other, so
 * that each is made from what the one before it left.
 */
export function createChanges(ports: ChangePorts): RunningChanges {
  const { store } = ports;
  const late = createLateSettlements(ports);
  const locks = createLocks(store, ports.log);
  const withLock: Pipeline["withLock"] = (kind, subjectId, work) =>
    subjectId === null ? work() : locks.withLock(`${kind}:${subjectId}`, work);
  const pipeline = { ...ports, late, withLock };
  return {
    approvals: createApprovals(pipeline),
    stopWaiting: locks.stopWaiting,
    stop: () => late.stop(),
    planUndo: (changeId, requesterId) => planUndo(store, changeId, ports.now(), requesterId),
    check: (ask) => authorizeNew(ports, ask),
    actedOn: (idempotencyKey) => store.actedOn(idempotencyKey),
    run: async (ask) => {
      await late.flush();
      const subjectId = ask.command.subjectId(ask.input);
      // What makes something new waits for no turn, and looks for itself.
      if (subjectId === null) return runChange(pipeline, ask);
      // A repeat need not wait for its turn to learn that the first is under way.
      const first = await store.actedOn(ask.idempotencyKey);
      if (first) return { kind: "repeated", change: first };
      return withLock(ask.command.about, subjectId, () => runChange(pipeline, ask)).catch((error: unknown) => {
        if (!(error instanceof LockUnavailableError)) throw error;
        ports.log.warn({ err: error }, "a change was not made, since Curfew stopped before its turn");
        return { kind: "not-recorded" };
      });
    },
  };
}

/** Within this time the requester is answered where they asked; when Curfew has died before that, they are told by direct message. */
const answerMs = 30_000;

async function runChange(pipeline: Pipeline, ask: Ask): Promise<ChangeOutcome> {
  const { store, log, late, now } = pipeline;
  // Before all else: what the first delivery did may be what this one would now be refused for.
  const first = await store.actedOn(ask.idempotencyKey);
  if (first) return { kind: "repeated", change: first };
  const planned = await asPlannedNow(pipeline, ask);
  if (isProblem(planned)) return { kind: "invalid", problem: planned };
  const authorized = await authorizeNew(pipeline, planned);
  if (authorized.kind !== "authorized") return authorized;
  const change = await newChange(pipeline, planned, authorized);
  const { deadline } = ask.context;
  let isRecorded = false;
  try {
    const earlier = await store.begin(change, askingEffects(change), deadline?.check);
    isRecorded = earlier === undefined;
    deadline?.meet();
    if (earlier)
      return { kind: (await store.actedOn(ask.idempotencyKey)) ? "repeated" : "already-requested", change: earlier };
  } catch (error) {
    log.error({ err: error, changeId: change.id }, "a change could not be recorded and was not performed");
    const isTooLate = error instanceof RecordTooLateError;
    // Its record may be there all the same: the database's answer was lost, or came too late.
    if (isRecorded || !isTooLate) late.add(change, notMade(now()), []);
    if (isTooLate) throw error;
    return { kind: "not-recorded" };
  }
  if (change.approval) {
    pipeline.wake();
    return { kind: "asked", change };
  }
  const tell = { ...notifyRequester(change), afterMs: answerMs };
  return recordOutcome(pipeline, change, await perform(pipeline, change), [tell]);
}

/** While it waited for its turn, somebody else may have taken the same change back, or changed the thing. */
async function asPlannedNow({ store, now }: Pipeline, ask: Ask): Promise<Ask | Problem> {
  if (ask.undoes === undefined) return ask;
  const plan = await planUndo(store, ask.undoes, now(), ask.context.actor.userId);
  return isProblem(plan) ? plan : { ...ask, ...plan };
}

async function newChange(
  { newId, now, settings }: ChangePorts,
  ask: Ask,
  authorized: Authorized,
): Promise<ServiceChange> {
  const { command, context, idempotencyKey } = ask;
  const { input, approval: rule } = authorized;
  const { teamId, userId, name, timeZone } = context.actor;
  const effect = rule ? await ask.effect : undefined;
  const requestedAt = now();
  return {
    id: newId(),
    idempotencyKey,
    words: command.words,
    operation: command.operation,
    state: rule ? "awaiting-approval" : "performing",
    input,
    request: authorized.request,
    before: authorized.before ?? null,
    answer: null,
    subjectKind: command.about,
    subjectId: authorized.subjectId,
    actor: { teamId, userId, name, timeZone },
    channelId: context.channelId,
    reason: reasonOf(input),
    undoes: ask.undoes ?? null,
    role: authorized.decision.role,
    rule: authorized.decision.rule,
    approval: rule ? approvalFrom(rule, command.operation, settings(), { requestedAt, effect }) : null,
    decisions: [],
    error: null,
    note: null,
    requestedAt,
    settledAt: null,
  };
}
