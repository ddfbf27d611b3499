import type { Answer, Problem } from "../commands/answer.ts";
import { commandOf } from "../commands/catalogue.ts";
import type {
  Command,
  CommandContext,
  CommandHelp,
  HistoryEntry,
  QueryCommand,
  QueryContext,
  ReadOperation,
} from "../commands/command.ts";
import type { Input } from "../commands/field.ts";
import { decide, mayOffer } from "../permissions/decide.ts";
import { rolesHeld } from "../permissions/roles-held.ts";
import type { OperationAnswer, OperationInput } from "../service/operations.ts";
import type { ServiceResult } from "../service/service-result.ts";
import type { Denied } from "./authorise.ts";
import { type Change, occurrenceOf } from "./change.ts";
import type { ChangeSettings, ChangeStore } from "./ports.ts";

export type QueryOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | { readonly kind: "invalid"; readonly problem: Problem }
  | { readonly kind: "answered"; readonly answer: Answer };

export interface QueryPorts {
  readonly store: Pick<ChangeStore, "list" | "transitions">;
  readonly settings: () => ChangeSettings;
  readonly read: <O extends ReadOperation>(
    operation: O,
    input: OperationInput<O>,
  ) => Promise<ServiceResult<OperationAnswer<O>>>;
  /** Help for a command, in the words of the chat it is for. */
  readonly helpFor: (command: Command) => CommandHelp;
  readonly commands: readonly Command[];
}

export interface Queries {
  run(command: QueryCommand, input: Input, context: CommandContext): Promise<QueryOutcome>;
}

/** Commands that alter nothing: authorised like any other, then answered. */
export function createQueries(ports: QueryPorts): Queries {
  return {
    run: async (command, input, context) => {
      const { policy } = ports.settings();
      const { actor, channelId } = context;
      // What needs no operation is open to every member of the workspace, and to nobody else.
      if (command.operation !== null || actor.standing !== "member") {
        const decision = decide(policy, { actor, operation: command.operation ?? "ListActions", channelId });
        if (decision.kind === "denied") return { kind: "refused", decision };
      }
      const answer = await command.answer(input, queryContext(ports, context));
      return "problem" in answer ? { kind: "invalid", problem: answer } : { kind: "answered", answer };
    },
  };
}

/** Whether a command is offered to this actor here: in help, as a form, as a button. */
export function isOffered(
  settings: Pick<ChangeSettings, "policy">,
  command: Command,
  context: CommandContext,
): boolean {
  if (command.operation === null) return context.actor.standing === "member";
  const { actor, channelId } = context;
  return mayOffer(settings.policy, { actor, operation: command.operation, channelId });
}

/** Why a command that is not offered is refused here. */
export function refusalOf(
  { policy }: Pick<ChangeSettings, "policy">,
  command: Command,
  context: CommandContext,
): Denied {
  const { actor, channelId } = context;
  const decision = decide(policy, { actor, operation: command.operation ?? "ListActions", channelId });
  if (decision.kind === "denied") return decision;
  throw new Error(`${command.words} is offered to ${actor.userId}, so it is not refused`);
}

function queryContext(ports: QueryPorts, context: CommandContext): QueryContext {
  const { policy } = ports.settings();
  const { actor, channelId } = context;
  return {
    ...context,
    read: ports.read,
    may: (operation, target) => decide(policy, { actor, operation, channelId, ...target }).kind === "allowed",
    mayOffer: (operation) => mayOffer(policy, { actor, operation, channelId }),
    roles: rolesHeld(policy, actor),
    help: ports.commands.filter((command) => isOffered({ policy }, command, context)).map(ports.helpFor),
    history: async (filter) => {
      const changes = await ports.store.list(filter);
      return Promise.all(changes.map((change) => historyEntry(change, ports.store)));
    },
  };
}

async function historyEntry(change: Change, store: QueryPorts["store"]): Promise<HistoryEntry> {
  const { id, words, actor, askedAt, state, reason } = change;
  const command = commandOf(words);
  const description =
    command?.kind === "change" ? command.describe(occurrenceOf(change)) : { done: words, asked: words, facts: [] };
  return {
    id,
    words,
    actorName: actor.name,
    askedAt,
    state,
    reason,
    description,
    transitions: await store.transitions(id),
  };
}
