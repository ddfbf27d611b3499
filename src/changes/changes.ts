import { isProblem, type Problem } from "../commands/answer.ts";
import { type ChangeCommand, type CommandContext, reasonOf } from "../commands/command.ts";
import type { Input } from "../commands/field.ts";
import type { Known } from "../commands/known.ts";
import type { Logger } from "../log.ts";
import type { ServiceClient } from "../service/client.ts";
import { type Authorisation, type Authorised, authorise, type Denied, type Invalid } from "./authorise.ts";
import type { Change, Settlement } from "./change.ts";
import { createLateSettlements, type LateSettlements } from "./late-settlements.ts";
import { perform } from "./perform.ts";
import type { ChangeSettings, ChangeStore, DeliveryStore, SecretFiles, TurnStore } from "./ports.ts";
import type { ReadService } from "./read-service.ts";
import { record } from "./record.ts";
import { resolveSecrets } from "./resolve-secrets.ts";
import { createTurns } from "./turns.ts";
import { planUndo, type UndoPlan } from "./undo.ts";

/** A change a person asked for. `deliveryKey` is the same for every repeat of the same click, line or form. */
export interface Ask {
  readonly command: ChangeCommand;
  readonly input: Input;
  readonly context: CommandContext;
  readonly deliveryKey: string;
  /** The change that this one takes back. */
  readonly undoes?: string;
}

export type ChangeOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | Invalid
  /** Acted on before: this is what became of it. */
  | { readonly kind: "repeated"; readonly change: Change }
  | { readonly kind: "settled"; readonly change: Change }
  /** The database did not take the record, so nothing was performed. */
  | { readonly kind: "not-recorded" }
  /** Performed, but the database did not take the outcome; it is tried again until it does, or Curfew stops. */
  | { readonly kind: "outcome-not-recorded"; readonly change: Change };

export interface Changes {
  /** Whether and how it would be done, changing nothing. */
  check(ask: Pick<Ask, "command" | "input" | "context">): Promise<Authorisation>;
  /** What the same delivery has done before. */
  actedOn(deliveryKey: string): Promise<Change | undefined>;
  run(ask: Ask): Promise<ChangeOutcome>;
  /** What would take a change back, or why nothing can. */
  planUndo(changeId: string): Promise<UndoPlan | Problem>;
}

export interface ChangePorts {
  readonly store: ChangeStore & TurnStore & Pick<DeliveryStore, "cardChannels"> & Pick<Known, "get">;
  readonly service: ServiceClient;
  readonly read: ReadService;
  readonly secretFiles: SecretFiles;
  readonly settings: () => ChangeSettings;
  readonly now: () => number;
  readonly newId: () => string;
  readonly log: Logger;
  /** Called when there is something to deliver. */
  readonly kick: () => void;
}

export interface RunningChanges extends Changes {
  /** Records what could not be recorded yet, if it can be now. */
  stop(): Promise<void>;
}

/**
 * The one way a change takes: authorise, record that it is under way, perform, record how it ended, announce. Changes of one thing
 * go one after the other, so that each is made from what the one before it left.
 */
export function createChanges(ports: ChangePorts): RunningChanges {
  const { store } = ports;
  const late = createLateSettlements(ports);
  const inTurn = createTurns(store, ports.log);
  return {
    stop: () => late.stop(),
    planUndo: (changeId) => planUndo(store, changeId),
    check: (ask) => admit(ports, ask),
    actedOn: (deliveryKey) => store.actedOn(deliveryKey),
    run: async (ask) => {
      await late.flush();
      // A repeat need not wait for its turn to learn that the first is under way.
      const first = await store.actedOn(ask.deliveryKey);
      if (first) return { kind: "repeated", change: first };
      const run = () => runChange(ports, late, ask);
      const subjectId = ask.command.subjectId(ask.input);
      return subjectId === null ? run() : inTurn(`${ask.command.about}:${subjectId}`, run);
    },
  };
}

async function runChange(ports: ChangePorts, late: LateSettlements, ask: Ask): Promise<ChangeOutcome> {
  const { store, settings, log, now } = ports;
  // Before all else: what the first delivery did may be what this one would now be refused for.
  const first = await store.actedOn(ask.deliveryKey);
  if (first) return { kind: "repeated", change: first };
  const authorised = await admit(ports, ask);
  if (authorised.kind !== "authorised") return authorised;
  const change = newChange(ports, ask, authorised);
  try {
    const earlier = await store.begin(change);
    if (earlier) return { kind: "repeated", change: earlier };
  } catch (error) {
    log.error({ err: error, changeId: change.id }, "a change could not be recorded and was not performed");
    // Its record may be there all the same, where only the database's word was lost.
    late.add(change, notMade(now()));
    return { kind: "not-recorded" };
  }
  const settlement = await perform(ports, change);
  try {
    const settled = await record(store, settings(), change, settlement);
    ports.kick();
    return { kind: "settled", change: settled };
  } catch (error) {
    log.error(
      { err: error, changeId: change.id, state: settlement.state },
      "the outcome of a change could not be recorded",
    );
    late.add(change, settlement);
    return { kind: "outcome-not-recorded", change: { ...change, ...settlement } };
  }
}

function notMade(settledAt: number): Settlement {
  const error = { code: "NotRecorded", message: "Curfew could not write this down in time, so it did not make it." };
  return { state: "failed", answer: null, subjectId: null, isSubjectGone: false, error, note: null, settledAt };
}

/** Whether it may and can be done: in the service's own terms, and with every key file it names at hand. */
async function admit(ports: ChangePorts, ask: Pick<Ask, "command" | "input" | "context">): Promise<Authorisation> {
  const { command, input, context } = ask;
  const { read, secretFiles, settings } = ports;
  const prepared = (await command.prepare?.(input, { ...context, read })) ?? input;
  const authorised = await authorise(settings().policy, command, prepared, context);
  if (authorised.kind !== "authorised") return authorised;
  const resolved = await resolveSecrets(authorised.request, secretFiles);
  return isProblem(resolved) ? { kind: "invalid", problem: resolved } : authorised;
}

function newChange({ newId, now }: ChangePorts, ask: Ask, authorised: Authorised): Change {
  const { command, input, context, deliveryKey } = ask;
  const { teamId, userId, name, timeZone } = context.actor;
  return {
    id: newId(),
    deliveryKey,
    words: command.words,
    operation: command.operation,
    state: "performing",
    input,
    request: authorised.request,
    before: authorised.before ?? null,
    answer: null,
    subjectKind: command.about,
    subjectId: authorised.subjectId,
    actor: { teamId, userId, name, timeZone },
    channelId: context.channelId,
    reason: reasonOf(input),
    undoes: ask.undoes ?? null,
    role: authorised.decision.role,
    rule: authorised.decision.rule,
    error: null,
    note: null,
    askedAt: now(),
    settledAt: null,
  };
}
