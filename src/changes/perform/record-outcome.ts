import type { Directory, NewEntity } from "../../directory/directory.ts";
import { entitiesIn, entities as entityIn } from "../../directory/read-service.ts";
import type { Logger } from "../../observability/log.ts";
import { announcements, cardUpdates, jobsAfter, lateOutcome } from "../announce.ts";
import { type Change, isCreation, isRemoval, isServiceChange, type ServiceChange, type Settlement } from "../change.ts";
import type { NewJob } from "../job.ts";
import { createLateWrites } from "../late-writes.ts";
import type { NewOutboxMessage } from "../outbox-message.ts";
import { planTimes } from "../planned/plan-times.ts";
import type { ChangePorts, ChangeSettings, ChangeStore, LateSettlements, OutboxStore } from "../ports.ts";
import { isInParts, isPart } from "../steps/parts.ts";
import { isSeries, seriesSettlement } from "../steps/series.ts";

/** The settlement of a change that was not made because the database did not confirm its record. */
export function notMade(settledAt: number): Settlement {
  const error = { code: "NotRecorded", message: "Curfew could not save this in time, so nothing was done." };
  return { state: "failed", answer: null, subjectId: null, isSubjectGone: false, error, note: null, settledAt };
}

export type Performed =
  | { readonly kind: "settled"; readonly change: Change }
  /** Performed, but the database did not take the outcome. Recording it is retried until it succeeds or Curfew stops. */
  | { readonly kind: "outcome-not-recorded"; readonly change: Change };

/** Records the outcome of a performed change, now or as soon as the database takes it. Never throws. */
export async function recordOutcome(
  { store, settings, log, late, onOutcome }: ChangePorts & { readonly late: LateSettlements },
  change: ServiceChange,
  settlement: Settlement,
  alsoSend: readonly NewOutboxMessage[] = [],
): Promise<Performed> {
  // What a series did is counted step by step.
  if (settlement.state !== "partly" && !isSeries(change)) onOutcome?.(change.operation, settlement.state);
  try {
    const settled = await record(store, settings(), change, settlement, alsoSend);
    return { kind: "settled", change: settled };
  } catch (error) {
    log.error(
      { err: error, changeId: change.id, state: settlement.state },
      "the outcome of a change could not be recorded",
    );
    late.add(change, settlement, alsoSend);
    return { kind: "outcome-not-recorded", change: { ...change, ...settlement } };
  }
}

/** Settles a performed change in one transaction: outcome, history, entities, messages and jobs. */
export async function record(
  store: ChangeStore & Pick<OutboxStore, "cardChannels" | "changeOfCard" | "messagesOf"> & Pick<Directory, "get">,
  settings: Pick<ChangeSettings, "announce" | "exclusions">,
  change: ServiceChange,
  settlement: Settlement,
  alsoSend: readonly NewOutboxMessage[] = [],
  alsoDo: readonly NewJob[] = [],
): Promise<Change> {
  const { subjectId, subjectKind } = change;
  const succeeded = settlement.state === "succeeded";
  const remembered = entitiesAfter(change, settlement);
  const isGone = settlement.isSubjectGone || (succeeded && isRemoval(change));
  const forgotten =
    isGone && subjectId !== null ? [{ kind: subjectKind, id: subjectId, at: settlement.settledAt }] : [];
  const entities = [...remembered, ...forgotten];
  const jobs = [...jobsAfter(change, settlement, settings), ...alsoDo];
  const settle = async (from: "performing" | "any", posted?: readonly string[]) => {
    const outbox = [...(await announcements(change, settlement, settings, store, posted)), ...alsoSend];
    await store.settle(change.id, settlement, { entities, outbox, jobs }, from);
  };
  // A change has a card before its outcome only if it was approved or planned there, a part of it was tried before, its outcome was unknown, or it was taken for interrupted.
  if (
    change.approval !== null ||
    planTimes(change) ||
    change.parentId !== undefined ||
    change.state === "unknown" ||
    isSeries(change)
  )
    await settle("any");
  else
    await settle("performing", []).catch((error: unknown) => {
      if (!(error instanceof NotPerformingError)) throw error;
      return settle("any");
    });
  return { ...change, ...settlement };
}

/** What the directory remembers. Of an exclusion in parts, it remembers the whole, and also one that was made or ended in part. */
function entitiesAfter(change: ServiceChange, { state, answer }: Settlement): readonly NewEntity[] {
  if (isPart(change) || (state !== "succeeded" && !isInParts(change))) return [];
  const ownerId = isCreation(change) ? change.actor.userId : undefined;
  if (!isInParts(change)) return entitiesIn(change.operation, answer, ownerId);
  const whole = entityIn(change.subjectKind, answer);
  return whole ? [{ ...whole, ...(ownerId ? { ownerId } : {}) }] : [];
}

/** Thrown for a change that is not being performed: it is settled already, or was never recorded. */
export class NotPerformingError extends Error {
  readonly code = "NotPerforming";
  constructor(changeId: string) {
    super(`change ${changeId} is not being performed, so it cannot be settled`);
    this.name = "NotPerformingError";
  }
}

/** Ends a change that waits for approval, or was approved, as failed and not performed. */
async function giveUp(
  store: ChangePorts["store"],
  change: ServiceChange,
  { settledAt: at, error }: Settlement,
  alsoSend: readonly NewOutboxMessage[] = [],
): Promise<void> {
  const outbox = [...cardUpdates(change, await store.cardChannels(change.id)), ...alsoSend];
  await store.move(
    change.id,
    { from: ["awaiting-approval", "planned", "approved"], to: "failed", at, error },
    { outbox },
  );
}

/** Keeps outcomes in memory until they can be recorded, so that the record agrees with what the requester was answered. */
export function createLateSettlements(ports: Pick<ChangePorts, "store" | "settings" | "log">): LateSettlements {
  const { store, settings, log } = ports;
  const { add, flush, stop } = createLateWrites(log);
  return {
    add: (change, settlement, alsoSend) => {
      add(change.id, async () => {
        try {
          if (change.state === "performing") await record(store, settings(), change, settlement, alsoSend);
          else await giveUp(store, change, settlement, alsoSend);
        } catch (error) {
          // Nothing to settle: an earlier try succeeded although it seemed to fail, or the change was never recorded.
          if (error instanceof NotPerformingError) return;
          throw error;
        }
        log.info({ changeId: change.id, state: settlement.state }, "the outcome of a change has been recorded late");
      });
    },
    flush,
    stop,
  };
}

export type RecoverPorts = Pick<ChangePorts, "store" | "settings" | "now" | "log" | "onOutcome">;

/**
 * Settles what dead instances left as `performing`. Nobody knows whether the call went out, so the outcome is `unknown`
 * and the requester gets a message. A series follows from its steps, which are settled first. Several instances may do this at the same time: one settles each change. A change that
 * cannot be settled does not hold up the others, and is retried the next time.
 */
export async function recover(ports: RecoverPorts): Promise<readonly Change[]> {
  const { store, settings, now, log } = ports;
  const abandoned = { ...store, settle: store.settleAbandoned };
  const interruptedChanges = stepsFirst((await store.abandoned()).filter(isServiceChange));
  const settled: Change[] = [];
  for (const { id, subjectId } of await store.unreadableAbandoned()) {
    if (await isSettledHere(log, id, () => store.settleAbandoned(id, interrupted(subjectId, now()))))
      log.error({ changeId: id }, "a change whose record cannot be read was interrupted: its outcome is unknown");
  }
  for (const change of interruptedChanges) {
    const settle = async () => {
      // Read again, since its steps are settled before it.
      const present = isSeries(change) ? await store.find(change.id) : undefined;
      const settlement = present ? await seriesSettlement(store, present, now()) : interrupted(change.subjectId, now());
      // Of the steps of a series, its own notice speaks, unless each is made at its own time.
      const isSpokenFor = change.parentId !== undefined && !planTimes(change);
      const goesOn =
        settlement.state === "partly" && isInParts(change) && !isSpokenFor && (await mayGoOn(store, change));
      const notices = (isSpokenFor ? [] : lateOutcome(change)).map((each) =>
        goesOn ? { ...each, afterMs: goOnMs } : each,
      );
      const jobs = goesOn ? [{ kind: "left-parts", subjectId: change.id, dueAt: now() } as const] : [];
      settled.push(await record(abandoned, settings(), change, settlement, notices, jobs));
      if (!present) ports.onOutcome?.(change.operation, "unknown");
    };
    if (await isSettledHere(log, change.id, settle))
      log.warn(
        { changeId: change.id, operation: change.operation },
        "a change was interrupted: its outcome is unknown",
      );
  }
  return settled;
}

/** Steps before their series. A step may be of several parts, which come first. */
const stepsFirst = (changes: readonly ServiceChange[]): readonly ServiceChange[] => {
  const depth = (change: ServiceChange) => (change.parentId === undefined ? 2 : isInParts(change) ? 1 : 0);
  return changes.toSorted((one, other) => depth(one) - depth(other));
};

/** What is left of an exclusion in parts is made soon after; then its requester reads what came of it all. */
const goOnMs = 30_000;
const maxBegun = 3;

/** Not if that ended the process before. */
async function mayGoOn(store: Pick<ChangeStore, "transitions">, { id }: Change): Promise<boolean> {
  return (await store.transitions(id)).filter(({ state }) => state === "performing").length <= maxBegun;
}

/** Settles a change. False if another instance settled it first, its own instance is back, or settling fails. */
async function isSettledHere(log: Logger, changeId: string, settle: () => Promise<void>): Promise<boolean> {
  try {
    await settle();
    return true;
  } catch (error) {
    if (!(error instanceof NotPerformingError))
      log.error({ err: error, changeId }, "a change that was interrupted could not be settled");
    return false;
  }
}

/** Distinguishes an interrupted change from one whose outcome the service left unknown. */
export const interruptedCode = "Interrupted";

function interrupted(subjectId: string | null, settledAt: number): Settlement {
  const error = { code: interruptedCode, message: "Curfew was stopped while this was under way." };
  return { state: "unknown", answer: null, subjectId, isSubjectGone: false, error, note: null, settledAt };
}
