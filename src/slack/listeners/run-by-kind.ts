import type { Approvals } from "../../changes/approvals/decide-approval.ts";
import type { Changes } from "../../changes/changes.ts";
import type { UnknownOutcomes } from "../../changes/outcomes/unknown-outcomes.ts";
import type { Again } from "../../changes/planned/plan-again.ts";
import type { Ask } from "../../changes/ports.ts";
import type { Queries } from "../../changes/queries/queries.ts";
import { requestsSaid } from "../../commands/about-changes/history.ts";
import type { Problem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { Command, CommandContext, Inverse } from "../../commands/command.ts";
import { ticketOf } from "../../commands/field.ts";
import type { Outcome } from "../messages/outcome-message.ts";
import type { Actors } from "../people/actors.ts";
import { purposeOf } from "./access.ts";
import type { ActingPorts } from "./acting-channel.ts";
import type { RequestContext } from "./request-context.ts";

export interface KindPorts extends Pick<ActingPorts, "contextOf"> {
  readonly actors: Pick<Actors, "actor">;
  readonly queries: Queries;
  readonly changes: Pick<Changes, "run" | "planUndo" | "actedOn">;
  readonly approvals: Pick<Approvals, "decide" | "isPlanned" | "planAgain">;
  readonly outcomes: Pick<UnknownOutcomes, "check" | "report" | "retry">;
}

/** A shortcut has become the command that it stands for. */
export type RunnableCommand = Exclude<Command, { readonly kind: "shortcut" }>;

/** Runs a command by its kind, with the rights that its requester has now. */
export async function runByKind(
  ports: KindPorts,
  command: RunnableCommand,
  { input, ...asked }: Pick<Ask, "input" | "idempotencyKey" | "effect" | "isAsking">,
  given: RequestContext,
): Promise<Outcome> {
  const { userId, inChannels } = given.actor;
  const { actor } = inChannels
    ? await ports.contextOf({ userId, channelId: given.channelId }, purposeOf(command))
    : { actor: await ports.actors.actor(userId, purposeOf(command)) };
  const context = { ...given, actor };
  switch (command.kind) {
    case "query": {
      // A query that stores something in Curfew runs once, like a change.
      const first = purposeOf(command) === "change" && (await ports.changes.actedOn(asked.idempotencyKey));
      if (first) return { kind: "repeated", change: first };
      return ports.queries.run(command, input, { ...context, idempotencyKey: asked.idempotencyKey });
    }
    case "change": {
      return ports.changes.run({ command, input, context, ...asked });
    }
    case "undo": {
      const changeId = command.changeId(input);
      if (changeId === undefined) return ports.queries.run(command.latest, input, context);
      if (await ports.approvals.isPlanned(changeId))
        return ports.approvals.decide(changeId, { verdict: "withdrawn", note: null }, context);
      const again = await ports.approvals.planAgain(changeId);
      if (again?.kind === "whole" && context.typed !== undefined) return { kind: "invalid", problem: askAgain(again) };
      if (again) return runAgain(ports, again, context, asked);
      const was = typeof input.was === "string" ? input.was : undefined;
      const said = { ticket: ticketOf(input) ?? undefined, was };
      const plan = await ports.changes.planUndo(changeId, actor.userId, said);
      return "problem" in plan ? { kind: "invalid", problem: plan } : ports.changes.run({ ...plan, context, ...asked });
    }
    case "decision": {
      const changeId = command.changeId(input);
      if (changeId === undefined) return ports.queries.run(requestsSaid(command.verdict), input, context);
      return ports.approvals.decide(changeId, command.ruling(input), context);
    }
    case "outcome": {
      if (command.isRetry) return ports.outcomes.retry(command.changeId(input), context);
      const [changeId, seen] = [command.changeId(input), command.seen(input)];
      return seen ? ports.outcomes.report(changeId, seen, context) : ports.outcomes.check(changeId, context);
    }
  }
}

/** The same line may have withdrawn it, so a line alone does not plan it again. */
const askAgain = ({ words, input }: Inverse): Problem => ({
  problem: "It was withdrawn before. Nothing was changed now. Do you want to plan it again?",
  buttons: [{ label: "Plan it again", words, opens: "result", input }],
});

/** Plans again what was withdrawn: as a new request, with the rights of who asks. */
async function runAgain(
  { approvals, changes }: KindPorts,
  again: Again,
  context: CommandContext,
  asked: Pick<Ask, "idempotencyKey" | "isAsking">,
): Promise<Outcome> {
  if (again.kind === "time") {
    const ruling = { verdict: "withdrawn", note: null, occurrence: again.startsAt, isBack: true } as const;
    return approvals.decide(again.seriesId, ruling, context);
  }
  const command = commandOf(again.words);
  if (command?.kind !== "change") throw new Error(`a plan names no change: ${again.words}`);
  return changes.run({ command, input: again.input, context, ...asked });
}
